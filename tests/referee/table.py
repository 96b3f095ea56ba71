"""A table of four for the tests: Ann, Bob, Cy and Dee, the hands they tell, and the matches these make."""

from collections.abc import Iterable
from typing import Any

from referee import Hand, Match, Problem, Result, RuleSet, ScoredHand, load
from referee.hands import Pair, Seat

PLAYERS = ("Ann", "Bob", "Cy", "Dee")
SIX = (*PLAYERS, "Eli", "Fay")
ANN, BOB, CY, DEE = range(4)


def record(contract: str | None, doubles: Iterable[Pair] | None = (), **told: Any) -> Hand:
    """A hand as the table tells it: ``record("barbu", [(BOB, ANN)], king_of_hearts={CY: 1})``.

    What is no field of a hand or of a result is an item with its counts. Without a result the hand is
    passed out or not finished.
    """
    result = {name: told.pop(name) for name in ("counts", "finish", "ravaged", "beats", "best") if name in told}
    beside = {name: told.pop(name) for name in Hand.__struct_fields__ if name in told}
    if told:
        result["counts"] = {item.replace("_", "-"): counts for item, counts in told.items()}
    return Hand(
        contract=contract,
        doubles=None if doubles is None else tuple(doubles),
        result=Result(**result) if result else None,
        **beside,
    )


def played(*hands: Hand, ruleset: str | RuleSet = "barbu", first: Seat = ANN, players: int = 4) -> Match:
    """A match of these hands."""
    return Match(load(ruleset) if isinstance(ruleset, str) else ruleset, SIX[:players], first, hands)


def last(*hands: Hand, ruleset: str | RuleSet = "barbu", first: Seat = ANN, players: int = 4) -> ScoredHand:
    """The last of these hands, scored; that it is sound is checked."""
    match = played(*hands, ruleset=ruleset, first=first, players=players)
    assert match.problems == ()
    return match.scored[-1]


def refused(
    *hands: Hand, ruleset: str | RuleSet = "barbu", first: Seat = ANN, players: int = 4
) -> list[tuple[str, str]]:
    """Code and place of everything that is wrong with these hands."""
    return [
        (found.code, found.where) for found in played(*hands, ruleset=ruleset, first=first, players=players).problems
    ]


def said(*hands: Hand, ruleset: str | RuleSet = "barbu", first: Seat = ANN, players: int = 4) -> list[str]:
    """What is said of everything that is wrong with these hands."""
    return [found.says for found in played(*hands, ruleset=ruleset, first=first, players=players).problems]


def of(code: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with this code."""
    return [found for found in problems if found.code == code]
