"""What holds for every match of every rule set, whatever is declared, doubled and taken."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_match, sound_matches

from referee import Hand, Match, explain, load, matchfile, names
from referee.hands import from_record, to_record
from referee.report import report

FEW = settings(max_examples=60)


@given(sound_matches())
def test_a_match_of_what_is_offered_is_sound(match):
    assert match.problems == ()
    assert len(match.scored) == len(match.hands)


@given(sound_matches())
def test_basic_scores_add_up_to_the_contract(match):
    for scored in match.finished_hands:
        contract, players = scored.contract, len(match.players)
        if match.ruleset.payment == "declarer":
            assert sum(scored.basic) in (0, -match.ruleset.coup_failed)
        elif match.ruleset.has_declarer:  # in Get Barbara what is left in the hands differs
            assert sum(scored.basic) == contract.total(players)


@given(sound_matches())
def test_doubling_adds_up_to_zero(match):
    for scored in match.finished_hands:
        assert sum(scored.doubling) == 0
        if not scored.hand.doubles:
            assert not any(scored.doubling)


@given(sound_matches())
def test_total_is_basic_and_doubling_and_what_the_bank_gives(match):
    for scored in match.finished_hands:
        bank = [0] * len(match.players)
        if match.ruleset.has_coups:
            failed = scored.hand.coup is not None and not scored.hand.coup.made
            paid_in = match.ruleset.coup_failed if failed else 0
            bank[scored.turn.declarer] = scored.turn.bank + paid_in - scored.bank
        expected = tuple(map(sum, zip(scored.basic, scored.doubling, bank, strict=True)))
        assert scored.total == expected


@given(sound_matches())
def test_running_totals_are_the_sums_of_the_totals_and_adjustments(match):
    running = [match.ruleset.purse] * len(match.players)
    for scored in match.finished_hands:
        beside = scored.hand.adjustment.points if scored.hand.adjustment else {}
        running = [n + scored.total[seat] + beside.get(seat, 0) for seat, n in enumerate(running)]
        assert scored.running == tuple(running)
    assert match.turn.running == tuple(running)


@pytest.mark.parametrize("code", [code for code in names() if load(code).adds_up_to() is not None])
@FEW
@given(st.data())
def test_a_whole_match_adds_up_to_what_its_game_says(code, data):
    match = data.draw(sound_matches(code, complete=True))
    players = len(match.players)
    assert match.is_over
    assert len(match.hands) == match.ruleset.hands_in_all(players)
    assert sum(match.turn.running) + match.turn.bank == match.ruleset.adds_up_to(players)


@FEW
@given(sound_matches("barbu", complete=True))
def test_a_match_of_barbu_adds_up_to_zero(match):
    assert sum(match.turn.running) == 0


@given(sound_matches())
def test_hand_by_hand_is_the_same_as_all_at_once(match):
    growing = match.with_hands(())
    for hand in match.hands:
        assert growing.turn.problems(hand) == ()
        assert growing.turn.score(hand) == match.scored[len(growing.hands)]
        growing = growing.with_hands((*growing.hands, hand))
    assert growing.turn == match.turn
    assert growing.standings == match.standings


@given(sound_matches())
def test_saving_a_hand_unchanged_changes_nothing(match):
    saved = [from_record(json.loads(json.dumps(to_record(hand)))) for hand in match.hands]
    assert match.with_hands(saved) == match
    assert match.with_hands(saved).scored == match.scored


@given(sound_matches())
def test_a_file_of_a_match_is_the_same_match_and_the_same_file(match):
    text = matchfile.write(match)
    file = matchfile.parse(text.encode())
    assert file.match == match
    assert matchfile.write(file.match, played_on=file.played_on, extra=file.extra) == text


def declared(contract, **told):
    """A hand of this contract before anybody has doubled."""
    trump = "S" if contract.needs == "trump" else None
    start = "9" if contract.needs == "start" else None
    return Hand(contract=contract.code, trump=trump, start=start, **told)


@given(sound_matches())
def test_what_may_be_declared_is_not_refused_and_what_may_not_is(match):
    turn = match.turn
    if turn.declarer is None or turn.is_over:
        assert all(turn.may_declare(seat) == () for seat in turn.seats)
        return
    assert turn.may_declare(turn.declarer)
    for contract in match.ruleset.contracts:
        is_sound = turn.problems(declared(contract)) == ()
        assert is_sound == (contract in turn.may_declare(turn.declarer))


@given(sound_matches(), st.data())
def test_whom_a_player_may_double_is_not_refused_and_whom_he_may_not_is(match, data):
    turn = match.turn
    if turn.declarer is None or turn.is_over:
        return
    contract = data.draw(st.sampled_from(turn.may_declare(turn.declarer)))
    for who in turn.seats:
        for whom in turn.seats:
            answered = ((whom, who),) if who == turn.declarer else ()
            is_sound = turn.problems(declared(contract, doubles=(*answered, (who, whom)))) == ()
            assert is_sound == (whom in turn.may_double(contract, who))


@given(sound_matches())
def test_the_declarer_may_only_answer(match):
    turn = match.turn
    if turn.declarer is None or turn.is_over:
        return
    contract = turn.may_declare(turn.declarer)[0]
    for whom in turn.may_double(contract, turn.declarer):
        (found,) = turn.problems(declared(contract, doubles=((turn.declarer, whom),)))
        assert found.code == "redouble-without-double"


@given(sound_matches())
def test_places_follow_the_scores(match):
    scores = [standing.score for standing in match.standings]
    assert scores == sorted(scores, reverse=match.ruleset.wins != "lowest")
    assert sorted(standing.seat for standing in match.standings) == list(range(len(match.players)))
    for standing in match.standings:
        better = [score for score in scores if score != standing.score][: scores.index(standing.score)]
        assert standing.place == len(better) + 1


@given(sound_matches())
def test_doubles_owed_go_down_with_doubles_made(match):
    required = match.ruleset.doubling.compulsory
    for who in match.turn.seats:
        for declarer in match.turn.seats:
            made = sum(
                (who, declarer) in scored.hand.pairs
                for scored in match.finished_hands
                if scored.turn.declarer == declarer and who != declarer
            )
            owed = max(0, required - made) if who != declarer else 0
            assert match.turn.owed(who, declarer) == owed


@given(sound_matches())
def test_a_missing_compulsory_double_is_remarked_on_and_only_that(match):
    for scored in match.scored:
        missing = [seat for seat in scored.turn.forced if (seat, scored.turn.declarer) not in scored.hand.pairs]
        expected = len(missing) if scored.hand.doubles is not None and scored.is_finished else 0
        assert len(scored.remarks) == expected


@given(sound_matches())
def test_an_explanation_adds_up_to_the_score(match):
    for scored in match.finished_hands:
        told = explain(scored)
        moved = [0] * len(match.players)
        for pair in told.pairs:
            moved[pair.one] += pair.moved
            moved[pair.other] -= pair.moved
            assert abs(pair.moved) == pair.business * pair.difference
        assert tuple(moved) == scored.doubling
        for player in told.players:
            assert sum(part.points for part in player.parts) == player.basic
            assert player.total == player.basic + player.doubling + player.from_bank


@given(sound_matches())
def test_a_report_can_be_made_of_any_match(match):
    told = report(match)
    assert len(told["hands"]) == len(match.hands)
    assert told["finished"] == match.is_over == (told["next"] is None)
    assert json.loads(json.dumps(told)) == told


def test_the_same_seed_makes_the_same_match():
    assert random_match("barbu", 7) == random_match("barbu", 7) != random_match("barbu", 8)
    assert len(random_match("king", 7, hands=5).hands) == 5


def test_an_empty_match_of_every_rule_set_is_sound():
    for code in names():
        players = ("Ann", "Bob", "Cy", "Dee")
        assert Match(load(code), players).problems == ()
