"""What matches say about each player: every figure as a plain count of the reports has it."""

from collections import defaultdict
from typing import Any

import msgspec
import pytest
from table import ANN, BOB, CY, DEE, played, record

from referee import Match, load, names
from referee.figures import Figures, Question, Sum, Tally, game, tally
from referee.report import report
from referee.rules import from_object, to_object
from tests.referee.strategies import random_match

SEEDS = range(3)


def added(*matches: Match) -> Figures:
    """Matches of one game added up; who sits where is turned by one seat from match to match."""
    figures = Figures(game(matches[0].ruleset))
    for turn, match in enumerate(matches):
        figures.add(tally(match), players_of(match, turn))
    return figures


def players_of(match: Match, turn: int) -> list[int]:
    seats = len(match.players)
    return [100 + (seat + turn) % seats for seat in range(seats)]


def plain(*matches: Match) -> dict[int, dict[str, Any]]:
    """The same, counted from the reports with nothing but additions."""
    found: dict[int, dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    for turn, match in enumerate(matches):
        told, players = report(match), dict(zip(match.players, players_of(match, turn), strict=True))
        for name, player in players.items():
            if told["finished"]:
                [standing] = [standing for standing in told["standings"] if standing["player"] == name]
                found[player]["matches"] += 1
                found[player]["score"] += standing["score"]
                found[player]["won"] += name in told["winners"]
                ahead = [other for other in told["standings"] if other["place"] > standing["place"]]
                for other in ahead:
                    found[player]["before", players[other["player"]]] += 1
            else:
                found[player]["unfinished"] += 1
        for hand, said in zip(told["hands"], match.hands, strict=False):
            if "total" not in hand:
                continue
            for name, player in players.items():
                role = "declarer" if hand["declarer"] == name else "other"
                contract = hand["contract"] or match.ruleset.contracts[0].code
                found[player][role, contract, "hands"] += 1
                found[player][role, contract, "points"] += hand["total"][name]
                found[player]["doubling"] += hand["doubling"][name]
            for who, whom in said.pairs:
                one, other = match.players[who], match.players[whom]
                won = hand["basic"][one] - hand["basic"][other]
                found[players[one]]["doubled", players[other]] += won
                found[players[one]]["doubles"] += 1
                found[players[other]]["doubled by", players[one]] -= won
    return found


@pytest.mark.parametrize("code", names())
def test_every_figure_is_what_a_plain_count_of_the_reports_gives(code: str):
    matches = [random_match(code, seed) for seed in SEEDS] + [random_match(code, 9, hands=3)]
    figures, counted = added(*matches), plain(*matches)
    assert set(figures.records) == set(counted)
    for player, known in figures.records.items():
        expected = counted[player]
        assert known.results == Sum(expected["matches"], expected["score"])
        assert (known.won, known.unfinished) == (expected["won"], expected["unfinished"])
        for role, sums in (("declarer", known.declared), ("other", known.other)):
            for contract, found in sums.items():
                assert found == Sum(expected[role, contract, "hands"], expected[role, contract, "points"])
        assert known.hands.count == sum(sums.count for sums in [*known.declared.values(), *known.other.values()])
        assert known.doubling == expected["doubling"]
        assert sum(done.count for done in known.doubles.values()) == expected["doubles"]
        for other, against in known.against.items():
            assert against.before == expected["before", other]
            assert against.doubled.points == expected["doubled", other]
            assert against.doubled_by.points == expected["doubled by", other]
            assert against.won == expected["doubled", other] + expected["doubled by", other]
            back = figures.records[other].against[player]
            assert (against.before, against.level, against.behind) == (back.behind, back.level, back.before)
            assert against.matches == back.matches
            assert (against.doubled.count, against.doubled_by.count) == (back.doubled_by.count, back.doubled.count)


@pytest.mark.parametrize("code", names())
def test_the_average_of_all_rests_on_every_hand_of_everybody(code: str):
    figures = added(*(random_match(code, seed) for seed in SEEDS))
    for contract in figures.game.contracts:
        for role in ("declarer", "other"):
            sums = [record.declared if role == "declarer" else record.other for record in figures.records.values()]
            everyone = figures.everyone(contract.code, role)
            assert everyone.count == sum(found[contract.code].count for found in sums)
            assert everyone.points == sum(found[contract.code].points for found in sums)


@pytest.mark.parametrize("code", names())
def test_a_tally_comes_back_the_same_from_where_it_is_kept(code: str):
    says = tally(random_match(code, seed=5))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(says), type=Tally) == says


def test_a_forced_double_stands_apart_and_a_missed_one_is_none():
    six = [record("misere"), record("no-queens"), record("no-hearts"), record("barbu"), record("no-last-two")]
    forced = record("trumps", [(BOB, ANN), (CY, ANN), (ANN, CY)], trump="S", tricks={ANN: 13}, played_anyway=True)
    match = played(*six, forced, ruleset="barbu-classic")
    assert match.problems == ()
    [*_, dealt] = tally(match).hands
    assert [(double.who, double.whom, double.how, double.won) for double in dealt.doubles] == [
        (BOB, ANN, "forced", -65),
        (CY, ANN, "forced", -65),
        (ANN, CY, "back", 65),
    ]
    assert dealt.choosers == ()
    assert dealt.declaration == 6


def test_in_a_negative_contract_who_is_forced_may_still_choose_to_double_another():
    six = [
        record("misere"),
        record("no-queens"),
        record("no-hearts"),
        record("trumps", [], trump="S", tricks={DEE: 13}),
    ]
    hands = [
        *six,
        record("dominoes", [], start="7", finish=(ANN, BOB, CY, DEE)),
        record("barbu", [(BOB, ANN), (BOB, CY), (CY, ANN), (DEE, ANN)], king_of_hearts={CY: 1}),
    ]
    match = played(*hands, ruleset="barbu-classic")
    assert match.problems == ()
    [*_, dealt] = tally(match).hands
    assert [(double.who, double.whom, double.how) for double in dealt.doubles] == [
        (BOB, CY, "chosen"),
        (BOB, ANN, "forced"),
        (CY, ANN, "forced"),
        (DEE, ANN, "forced"),
    ]
    assert dealt.choosers == (BOB, CY, DEE)
    bob = added(match).records[100 + BOB]
    assert (bob.doubles["chosen"], bob.doubles["forced"]) == (Sum(1, 20), Sum(1, 0))
    assert bob.taken == 1


def test_of_two_who_double_each_other_the_later_one_doubled_back():
    dealt = tally(played(record("no-queens", [(CY, BOB), (BOB, CY)], queens={BOB: 4}))).hands[0]
    assert [(double.who, double.how, double.won) for double in dealt.doubles] == [
        (BOB, "chosen", -24),
        (CY, "back", 24),
    ]


def test_a_passed_out_hand_counts_for_its_declarer():
    figures = added(played(record("misere"), record("misere")))
    assert figures.records[100 + ANN].passed_out == Sum(1, 1)
    assert figures.records[100 + BOB].declared["misere"] == Sum(1, 1)
    assert figures.records[100 + BOB].other["misere"] == Sum(1, -9)
    assert figures.records[100 + CY].chances == 2


def test_each_contract_is_counted_by_which_of_the_own_declarations_it_was():
    figures = added(random_match("barbu", seed=1))
    for known in figures.records.values():
        numbers = sorted(number for (_contract, number), times in known.declarations.items() for _ in range(times))
        assert numbers == [1, 2, 3, 4, 5, 6, 7]


def short(**changed: Any) -> Any:
    """Barbu of Misère alone, without doubling: four hands."""
    data = to_object(load("barbu"))
    return from_object(
        {**data, "contracts": data["contracts"][:1], "doubling": {}, "examples": [], "rulings": []} | changed
    )


def even(ruleset: Any) -> Match:
    """Four hands in which Ann and Bob take nothing."""
    hands = [record("misere", None, tricks={CY: 7, DEE: 6})] * 4
    return played(*hands, ruleset=ruleset)


def test_a_win_of_two_is_shared():
    says = tally(even(short()))
    assert (says.winners, says.is_shared, says.places) == ((ANN, BOB), True, (1, 1, 4, 3))
    ann = added(even(short())).records[100 + ANN]
    assert (ann.won, ann.shared, ann.against[100 + BOB].level, ann.against[100 + CY].before) == (1, 1, 1, 1)
    assert (ann.against[100 + BOB].before, ann.against[100 + BOB].behind) == (0, 0)


def test_where_everyone_above_zero_wins_nobody_shares():
    data = to_object(short())
    positive = {**data["contracts"][0], "sign": "positive", "items": [{**data["contracts"][0]["items"][0], "each": 2}]}
    match = even(short(wins="above-zero", contracts=[positive]))
    assert (tally(match).winners, tally(match).is_shared) == ((CY, DEE), False)


def test_the_lower_score_is_better_where_the_lowest_wins():
    assert game(load("get-barbara")).is_better(12, than=30)
    assert game(load("barbu")).is_better(30, than=12)


@pytest.mark.parametrize(
    ("ending", "seats"),
    [("finished", [ANN, BOB, CY, DEE]), ("unfinished", []), ("won", [ANN, BOB]), ("shared", [ANN, BOB])],
)
def test_how_a_match_ended_for_whom(ending: Any, seats: list[int]):
    says = tally(even(short()))
    assert [seat for seat in range(4) if says.ended(ending, seat)] == seats


def test_how_a_match_ended_against_another():
    says = tally(even(short()))
    assert says.ended("level", ANN, BOB)
    assert says.ended("before", ANN, CY)
    assert says.ended("behind", CY, DEE)
    assert not says.ended("before", BOB, ANN)
    assert says.ended("before", ANN)


def test_an_unfinished_match_ended_in_no_way():
    says = tally(played(record("misere")))
    assert says.ended("unfinished", ANN)
    assert not says.ended("finished", ANN)
    assert (says.scores, says.places, says.winners) == ((), (), ())


def test_a_match_with_a_hand_that_cannot_have_happened_counts_up_to_there():
    match = played(record("misere"), record("misere", [(ANN, BOB)], tricks={ANN: 14}))
    assert match.problems
    assert len(tally(match).hands) == 1


def test_points_of_other_prices_under_the_same_name_are_told():
    dear = short()
    item = {**to_object(dear)["contracts"][0]["items"][0], "each": -3}
    cheap = short(contracts=[{**to_object(dear)["contracts"][0], "items": [item]}])
    figures = added(even(dear))
    assert not figures.has_changed
    figures.add(tally(even(cheap)), [100, 101, 102, 103])
    assert figures.has_changed
    assert game(dear).key == game(cheap).key


def test_a_coup_counts_for_who_undertook_it():
    matches = [random_match("coup-detat", seed) for seed in range(8)]
    figures = added(*matches)
    coups = [hand.coup for match in matches for hand in match.hands if hand.coup]
    assert sum(known.coups.count for known in figures.records.values()) == len(coups) > 0
    assert sum(known.coups_made for known in figures.records.values()) == sum(coup.made for coup in coups)


def test_a_contract_of_another_version_is_not_known():
    assert game(load("barbu")).contract("misere").name == "Misère"
    assert game(load("barbu")).contract("no-such") is None


def test_nothing_has_no_average():
    assert Sum().average is None
    assert Sum(4, -10).average == -2.5


QUESTIONS = {
    "declared": (Question(contract="barbu", role="declarer"), lambda r: r.declared["barbu"]),
    "declared by others": (Question(contract="barbu", role="other"), lambda r: r.other["barbu"]),
    "all hands": (Question(), lambda r: r.hands),
    "passed out": (Question(role="declarer", passed_out=True), lambda r: r.passed_out),
    "by choice": (Question(doubled="chosen"), lambda r: r.doubles["chosen"]),
    "forced": (Question(doubled="forced"), lambda r: r.doubles["forced"]),
    "doubled back": (Question(doubled="back"), lambda r: r.doubles["back"]),
    "by the others": (Question(doubled_by=True), lambda r: r.doubled_by),
    "all doubles": (Question(doubled="any"), lambda r: Sum.of(r.doubles.values())),
    "on Bob": (Question(doubled="any", other=101), lambda r: r.against[101].doubled),
    "by Bob": (Question(doubled_by=True, other=101), lambda r: r.against[101].doubled_by),
}


@pytest.mark.parametrize(("question", "figure"), QUESTIONS.values(), ids=QUESTIONS)
def test_the_hands_behind_a_figure_add_up_to_it(question: Question, figure: Any):
    matches = [random_match("barbu", seed) for seed in range(6)]
    ann = added(*matches).records[100]
    found = Sum()
    for turn, match in enumerate(matches):
        players = players_of(match, turn)
        seat, other = players.index(100), None if question.other is None else players.index(question.other)
        for dealt in tally(match).hands:
            for points in question.counted(dealt, seat, other):
                found.add(points)
    assert found == figure(ann)
    assert found.count > 0


def test_counts_of_hands_are_those_behind_them_too():
    matches = [random_match("barbu", seed) for seed in range(6)]
    figures = added(*matches)
    hands = [
        (dealt, players_of(match, turn).index(100))
        for turn, match in enumerate(matches)
        for dealt in tally(match).hands
    ]
    ann = figures.records[100]

    def count(question: Question) -> int:
        return sum(bool(question.counted(dealt, seat, None)) for dealt, seat in hands)

    assert count(Question(chance=True)) == ann.chances > 0
    assert count(Question(doubled="chosen", chance=True)) == ann.taken == count(Question(doubled="chosen")) > 0
    for (contract, number), times in ann.declarations.items():
        assert count(Question(contract=contract, role="declarer", declaration=number)) == times


def test_a_coup_is_behind_its_figure_of_who_undertook_it_only():
    matches = [random_match("coup-detat", seed) for seed in range(8)]
    for match in matches:
        for dealt in tally(match).hands:
            for seat in range(len(match.players)):
                mine = dealt.coup is not None and dealt.coup[0] == seat
                assert bool(Question(coup=True).counted(dealt, seat, None)) == mine
    assert any(dealt.coup for match in matches for dealt in tally(match).hands)


def test_a_question_about_somebody_who_is_not_there_finds_nothing():
    dealt = tally(played(record("no-queens", [(CY, BOB)], queens={BOB: 4}))).hands[0]
    assert Question(doubled="any", other=7).counted(dealt, CY, None) == []
    assert Question(doubled="any", other=7).counted(dealt, CY, BOB) == [24]
