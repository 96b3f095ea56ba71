"""Random sound matches of any rule set, for properties, benchmarks and whole evenings in a browser.

``random_match("barbu", seed=7)`` is the same match every time; ``sound_matches("barbu")`` is the same thing
as a strategy of hypothesis. Both choose only what the referee offers: contracts by ``may_declare``, doubles
by ``may_double``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import msgspec
from hypothesis import strategies as st

from referee import (
    Adjustment,
    Beats,
    Contract,
    Counts,
    Coup,
    Finish,
    Hand,
    Match,
    Ravaged,
    Result,
    RuleSet,
    Turn,
    load,
    names,
)
from referee.cards import SUITS
from referee.hands import Pair, Seat
from referee.judging import ROW_RANKINGS
from referee.rules import ROWS, Item
from referee.scoring import beaten

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")


def random_match(code: str | RuleSet, seed: int, hands: int | None = None) -> Match:
    """A sound match of so many hands, or of all of them; the same for the same seed."""
    return _play(load(code) if isinstance(code, str) else code, Random(seed), hands)


@st.composite
def sound_matches(draw: st.DrawFn, code: str | RuleSet | None = None, *, complete: bool = False) -> Match:
    """Sound matches of a rule set, or of any in the rulebook: a few hands, or all of them."""
    if code is None:
        code = draw(st.sampled_from(names()))
    ruleset = load(code) if isinstance(code, str) else code
    random = Random(draw(st.integers(0, 2**32)))
    match = _play(ruleset, random, None if complete else draw(st.integers(0, 16)))
    if match.hands and not complete and draw(st.booleans()):
        hands = (*match.hands[:-1], unfinished(match.hands[-1]))
        match = match.with_hands(hands)
    return match


def unfinished(hand: Hand) -> Hand:
    """The hand before anybody has doubled or played."""
    return msgspec.structs.replace(hand, doubles=None, result=None, coup=None)


def _play(ruleset: RuleSet, random: Random, hands: int | None) -> Match:
    players = NAMES[: random.choice(ruleset.players)]
    first = random.randrange(len(players)) if ruleset.has_declarer else 0
    match = Match(ruleset, players, first)
    turn, played = match.first_turn, list[Hand]()
    while not turn.is_over and len(played) != hands:
        hand = random_hand(turn, random)
        played.append(hand)
        turn = turn.after(turn.score(hand))
    return match.with_hands(played)


def random_hand(turn: Turn, random: Random) -> Hand:
    """A finished hand that can be played now; now and then one in which a compulsory double was forgotten."""
    contract = _contract(turn, random)
    doubles = random_doubles(turn, contract, random)
    asked = turn.ruleset.doubling.who != "none"
    hand = Hand(
        contract=contract.code if turn.declarer is not None else None,
        declarer=turn.declarer if random.random() < 0.2 else None,
        trump=random.choice(SUITS) if contract.needs == "trump" else None,
        start=random.choice(turn.ruleset.deck.ranks_of(len(turn.players))) if contract.needs == "start" else None,
        doubles=doubles if asked or random.random() < 0.5 else None,
        played_anyway=any((seat, turn.declarer) not in doubles for seat in turn.forced),
        misdeals=random.choice((0, 0, 0, 1)),
        adjustment=_adjustment(turn, random) if random.random() < 0.1 else None,
        note=random.choice(("", "", "a long one")),
    )
    if turn.is_passed_out(hand):
        return hand
    if contract.coup is not None and random.random() < 0.2:
        coup = Coup(by=random.choice(turn.seats), made=random.random() < 0.5)
        return msgspec.structs.replace(hand, coup=coup)
    return msgspec.structs.replace(hand, result=random_result(turn, contract, random))


def _contract(turn: Turn, random: Random) -> Contract:
    if turn.declarer is None:
        return turn.ruleset.contracts[0]
    return random.choice(turn.may_declare(turn.declarer))


def _adjustment(turn: Turn, random: Random) -> Adjustment:
    gains, loses = random.sample(turn.seats, 2)
    return Adjustment(points={gains: 10, loses: -10}, reason="revoke")


def random_doubles(turn: Turn, contract: Contract, random: Random) -> tuple[Pair, ...]:
    """Doubles that are offered, in any order; those that are forced, nine times out of ten."""
    doubles: list[Pair] = []
    eager = random.choice((0, 0.3, 0.9))
    for who in turn.speaking_order:
        for whom in turn.may_double(contract, who):
            is_answer = (whom, who) in doubles
            is_forced = who in turn.forced and whom == turn.declarer
            if (who != turn.declarer or is_answer) and random.random() < (0.9 if is_forced else eager):
                doubles.append((who, whom))
    random.shuffle(doubles)
    return tuple(doubles)


def random_result(turn: Turn, contract: Contract, random: Random) -> Result:
    """What can come out of a contract that is played to its end."""
    seats = turn.seats
    match contract:
        case Counts():
            return Result(counts=_counts(turn, contract, random))
        case Finish():
            return Result(finish=tuple(random.sample(seats, len(seats))))
        case Ravaged():
            return Result(ravaged=tuple(random.sample(seats, random.choice((1, 1, 2, len(seats))))))
        case Beats():
            beats = {row: _row(seats, random) for row in ROWS}
            units = beaten(Result(beats=beats), len(seats))
            most = [seat for seat in seats if units[seat] == max(units)]
            best = random.choice(most) if contract.overall and len(most) > 1 else None
            return Result(beats=beats, best=best)


def _row(seats: Sequence[Seat], random: Random) -> dict[Seat, int | float]:
    ranking = random.choice(sorted(ROW_RANKINGS))
    return dict(zip(random.sample(seats, len(seats)), ranking, strict=True))


def _counts(turn: Turn, contract: Counts, random: Random) -> dict[str, dict[Seat, int]]:
    counts: dict[str, dict[Seat, int]] = {}
    out = random.choice(turn.seats)
    away = _card_out_of_play(turn, contract, random)
    for item in contract.items:
        number = item.in_play(len(turn.players)) - (item.may_be_short and away in item.card_set)
        takers = _takers(turn, item, counts, out)
        if item.left_over:
            number = random.randint(0, number)
        taken = Counter(random.sample(takers, number) if item.within else random.choices(takers, k=number))
        counts[item.code] = {seat: taken[seat] for seat in turn.seats if taken[seat] or random.random() < 0.2}
    return counts


def _takers(turn: Turn, item: Item, counts: Mapping[str, Mapping[Seat, int]], out: Seat) -> list[Seat]:
    """Who can take one: for an item within a group, each player as often as he took of the group."""
    if item.within:
        return [seat for seat, number in counts[item.within].items() for _ in range(number)]
    return [seat for seat in turn.seats if not (item.left_over and seat == out)]


def _card_out_of_play(turn: Turn, contract: Counts, random: Random) -> str | None:
    ranks = turn.ruleset.deck.ranks_of(len(turn.players))
    counted = {card for item in contract.items if item.may_be_short for card in item.card_set if card[0] in ranks}
    return random.choice(sorted(counted)) if counted and random.random() < 0.5 else None
