"""What cannot have happened: every problem of a hand, and of a match's players.

A problem is a refusal. What happened against the rules, and is recorded all the same, is a remark
(:meth:`referee.match.Turn.remarks`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from . import scoring
from .cards import SUITS
from .hands import Hand, Pair, Result, Seat
from .problems import Problem, figure, gettext_noop, problem
from .rules import ROWS, Beats, Contract, Counts, Finish, Item, Ravaged

if TYPE_CHECKING:
    from .match import Turn

ROW_RANKINGS = {
    (3, 2, 1, 0),
    (3, 2, 0.5, 0.5),
    (3, 1.5, 1.5, 0),
    (3, 1, 1, 1),
    (2.5, 2.5, 1, 0),
    (2.5, 2.5, 0.5, 0.5),
    (2, 2, 2, 0),
    (1.5, 1.5, 1.5, 1.5),
}
"""How many opponents the four players of a row can beat, best first (RULES.md, Notes)."""


def name_key(name: str) -> str:
    """What makes two names the same: outer spaces, Unicode form and case do not matter.

    >>> name_key(" ANA") == name_key("Ana")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


def judge_match(turn: Turn) -> Iterator[Problem]:
    """Every problem of the match itself, seen from before its first hand: how many players, who they are."""
    ruleset, given = turn.ruleset, len(turn.players)
    if given not in ruleset.players:
        message = gettext_noop("{game} is for {allowed} players; {given} are named.")
        allowed = "–".join(map(str, sorted({min(ruleset.players), max(ruleset.players)})))
        yield problem("player-count", "players", message, game=ruleset.name, allowed=allowed, given=given)
    yield from judge_names(turn.players)
    if turn.declarer is not None and turn.declarer not in turn.seats:
        message = gettext_noop("{player} is named as first declarer, but is not a player of this match.")
        yield problem("unknown-player", "first_declarer", message, player=turn.name(turn.declarer))


def judge_names(players: Iterable[str]) -> Iterator[Problem]:
    """Players who cannot be told apart by their names."""
    seen: set[str] = set()
    for name in players:
        if (key := name_key(name)) in seen:
            message = gettext_noop("Two players are called {name}; names must differ by more than case and spaces.")
            yield problem("duplicate-player", "players", message, name=name.strip())
        seen.add(key)


def judge(turn: Turn, hand: Hand, followed: bool) -> Iterator[Problem]:
    """Every problem of one hand, given what was known before it."""
    if turn.is_over:
        message = gettext_noop("The match was over after hand {last}.")
        yield problem("match-over", "hand", message, last=turn.number - 1)
        return
    if followed or not _is_dealt_again(hand):
        yield from _declaration(turn, hand)
    yield from _strangers(turn, hand)
    contract = turn.ruleset.contract(hand.contract)
    if contract is not None:
        yield from _needs(turn, contract, hand)
        yield from judge_doubles(turn, contract, hand)
        yield from _outcome(turn, contract, hand)
        if followed and not turn.is_finished(hand):
            message = gettext_noop("Hand {number} has no result, but a hand follows it.")
            yield problem("unfinished-hand", "result", message, number=turn.number)
    yield from _beside(turn, hand)


def _is_dealt_again(hand: Hand) -> bool:
    """Nothing is said of the hand but that it was a misdeal; its contract is still free."""
    return hand.misdeals > 0 and hand == Hand(misdeals=hand.misdeals, note=hand.note, extra=hand.extra)


def _declaration(turn: Turn, hand: Hand) -> Iterator[Problem]:
    ruleset = turn.ruleset
    if hand.contract is None:
        if ruleset.has_declarer:
            yield problem("contract-missing", "contract", gettext_noop("No contract is named."))
    elif not ruleset.has_declarer:
        message = gettext_noop("{game} has one kind of round; no contract is named in it.")
        yield problem("unknown-contract", "contract", message, game=ruleset.name)
    elif (contract := ruleset.contract(hand.contract)) is None:
        message = gettext_noop("{game} has no contract “{given}”.")
        yield problem("unknown-contract", "contract", message, game=ruleset.name, given=hand.contract)
    elif turn.declarer is not None and (barred := turn.barred(turn.declarer, contract)):
        yield barred
    if hand.declarer is not None and hand.declarer != turn.declarer and hand.declarer in turn.seats:
        if turn.declarer is None:
            message = gettext_noop("{game} has no declarer, but {given} is named.")
            yield problem("wrong-declarer", "declarer", message, game=ruleset.name, given=turn.name(hand.declarer))
        else:
            message = gettext_noop("It is {expected}'s turn to declare, not {given}'s.")
            yield problem(
                "wrong-declarer",
                "declarer",
                message,
                expected=turn.name(turn.declarer),
                given=turn.name(hand.declarer),
            )


def _named(hand: Hand) -> Iterator[tuple[str, Iterable[Seat]]]:
    """Everybody a hand names, by the place where."""
    if hand.declarer is not None:
        yield "declarer", (hand.declarer,)
    if hand.doubles:
        yield "doubles", chain.from_iterable(hand.doubles)
    if (result := hand.result) is not None:
        yield from (result.counts or {}).items()
        if result.finish is not None:
            yield "finish", result.finish
        if result.ravaged is not None:
            yield "ravaged", result.ravaged
        yield from (result.beats or {}).items()
        if result.best is not None:
            yield "best", (result.best,)
    for number, trick in enumerate(hand.play or (), 1):
        yield f"trick {number}", (trick.led_by,)
    if hand.coup is not None:
        yield "coup", (hand.coup.by,)
    if hand.adjustment is not None:
        yield "adjustment", hand.adjustment.points
    if hand.longest is not None:
        yield "longest", hand.longest
    if hand.barbaras is not None:
        yield "barbaras", hand.barbaras.values()


def _strangers(turn: Turn, hand: Hand) -> Iterator[Problem]:
    seats = turn.seats
    for place, named in _named(hand):
        for seat in sorted(set(named).difference(seats)):
            message = gettext_noop("{player} is not a player of this match.")
            yield problem("unknown-player", place, message, player=turn.name(seat))


def _needs(turn: Turn, contract: Contract, hand: Hand) -> Iterator[Problem]:
    if hand.trump is not None:
        if contract.needs != "trump":
            message = gettext_noop("{contract} has no trump suit.")
            yield problem("not-for-this-contract", "trump", message, contract=contract.name)
        elif hand.trump not in tuple(SUITS):
            message = gettext_noop("There is no suit “{given}”; suits are S, H, D and C.")
            yield problem("unknown-card", "trump", message, given=hand.trump)
    elif contract.needs == "trump":
        yield problem("trump-missing", "trump", gettext_noop("The trump suit is missing."))
    if hand.start is not None:
        if contract.needs != "start":
            message = gettext_noop("{contract} has no starting rank.")
            yield problem("not-for-this-contract", "start", message, contract=contract.name)
        elif hand.start not in tuple(ranks := turn.ruleset.deck.ranks_of(len(turn.players))):
            message = gettext_noop("There is no rank “{given}”; ranks are {ranks}.")
            yield problem("unknown-card", "start", message, given=hand.start, ranks=" ".join(reversed(ranks)))
    elif contract.needs == "start":
        yield problem("start-missing", "start", gettext_noop("The starting rank is missing."))
    if hand.coup is not None and contract.coup is None:
        message = gettext_noop("{contract} knows no coup.")
        yield problem("not-for-this-contract", "coup", message, contract=contract.name)
    if hand.play is not None and not turn.ruleset.has_play(contract):
        message = gettext_noop("The referee does not follow the play of {contract}, so none is recorded.")
        yield problem("not-for-this-contract", "play", message, contract=contract.name)
    if hand.longest is not None and not isinstance(contract, Ravaged):
        message = gettext_noop("Longest suits are not counted in {contract}.")
        yield problem("not-for-this-contract", "longest", message, contract=contract.name)
    if hand.barbaras is not None and not contract.face_up:
        message = gettext_noop("Nothing lies face up by suit in {contract}.")
        yield problem("not-for-this-contract", "barbaras", message, contract=contract.name)


def judge_doubles(turn: Turn, contract: Contract, hand: Hand) -> Iterator[Problem]:
    """Doubles that nobody may make, or that are made twice."""
    pairs, said, seats = hand.pairs, set[Pair](), turn.seats
    for pair in hand.doubles or ():
        who, whom = pair
        code, before = "double-not-allowed", pair in said
        said.add(pair)
        if before:
            code = "double-twice"
            message = gettext_noop("{who} doubles {whom} twice; two directions make a redouble, nothing goes beyond.")
        elif who == whom:
            message = gettext_noop("{who} cannot double themselves.")
        elif turn.ruleset.doubling.who == "none":
            message = gettext_noop("There is no doubling in {game}.")
        elif who not in seats or whom not in seats:
            continue  # reported as a stranger
        elif whom not in turn.may_double(contract, who):
            message = gettext_noop("{who} may not double {whom}: in {contract} only the declarer can be doubled.")
        elif who == turn.declarer and (whom, who) not in pairs:
            code = "redouble-without-double"
            message = gettext_noop("{who} declares and may only double back; {whom} did not double {who}.")
        else:
            continue
        names = {"who": turn.name(who), "whom": turn.name(whom), "contract": contract.name}
        yield problem(code, "doubles", message, **names, game=turn.ruleset.name)


def _outcome(turn: Turn, contract: Contract, hand: Hand) -> Iterator[Problem]:
    why_none = ""
    if turn.is_passed_out(hand):
        why_none = gettext_noop("Nobody doubled {contract}, so it is passed out and not played.")
    elif hand.coup is not None:
        why_none = gettext_noop("The hand ended in a coup, so nothing else was played.")
    elif turn.ruleset.doubling.who != "none" and hand.doubles is None:
        why_none = gettext_noop("Nothing is said about doubles, so the hand cannot have been played yet.")
    for place in ("result", "play"):
        if why_none and getattr(hand, place) is not None:
            yield problem("result-not-expected", place, why_none, contract=contract.name)
    if hand.result is not None:
        yield from _result(turn, contract, hand.result)
    if (followed := turn.followed(hand)) is not None:
        yield from followed.problems
        if hand.result is not None and hand.result.kinds == _kinds(contract):
            yield from followed.disagreements(hand.result)
        if followed.result is not None:
            for seat, number in (hand.longest or {}).items():
                if number != followed.longest.get(seat, number):
                    message = gettext_noop("{player} took {taken} cards of one suit by the play; {told} are entered.")
                    values = {"player": turn.name(seat), "taken": followed.longest[seat], "told": figure(number)}
                    yield problem("result-disagrees-with-play", "longest", message, **values)


def _kinds(contract: Contract) -> tuple[str, ...]:
    """The one kind of result that this contract has."""
    return (str(type(contract).__struct_config__.tag),)


def _result(turn: Turn, contract: Contract, result: Result) -> Iterator[Problem]:
    if result.kinds != _kinds(contract):
        message = gettext_noop("The result of {contract} is told as “{expected}”, and as nothing else.")
        values = {"contract": contract.name, "expected": _kinds(contract)[0]}
        yield problem("wrong-result-kind", "result", message, **values)
        return
    match contract:
        case Counts():
            yield from _counts(turn, contract, result.counts or {})
        case Finish():
            yield from _finish(turn, result.finish or ())
        case Ravaged():
            yield from _ravaged(turn, result.ravaged or ())
        case Beats():
            yield from _beats(turn, contract, result)
        case _:
            assert_never(contract)
    if result.best is not None and not (isinstance(contract, Beats) and contract.overall):
        message = gettext_noop("{contract} has no overall unit to give.")
        yield problem("best-not-needed", "best", message, contract=contract.name)


def _counts(turn: Turn, contract: Counts, counts: Mapping[str, Mapping[Seat, int]]) -> Iterator[Problem]:
    items = {item.code: item for item in contract.items}
    for code in counts:
        if code not in items:
            message = gettext_noop("{contract} does not count “{item}”.")
            yield problem("unknown-item", code, message, contract=contract.name, item=code)
    short: list[Item] = []
    for item in contract.items:
        if item.code not in counts:
            message = gettext_noop("{name} is missing altogether.")
            yield problem("missing-result", item.code, message, name=item.name)
            continue
        taken = counts[item.code]
        for seat, number in taken.items():
            if number < 0:
                message = gettext_noop("{player} cannot have taken {given} {items}.")
                values = {"player": turn.name(seat), "given": figure(number), "items": item.many}
                yield problem("negative-count", item.code, message, **values)
        missing = item.in_play(len(turn.players)) - sum(taken.values())
        if item.may_be_short and missing == 1:
            short.append(item)
        elif missing < 0 or (missing > 0 and not item.left_over):
            yield _mismatch(turn, item, missing)
        if item.within is not None and item.within in counts:
            yield from _group(turn, item, items[item.within], counts)
    if short and not frozenset.intersection(*(item.card_set for item in short)):
        message = gettext_noop("One card may lie out of play, but no card is at once of the {items}, each one short.")
        yield problem("count-mismatch", short[-1].code, message, items=", ".join(item.many for item in short))
    left_over = [item for item in contract.items if item.left_over]
    if left_over and all(item.code in counts for item in left_over):
        out = [s for s in turn.seats if not any(counts[item.code].get(s, 0) for item in left_over)]
        if not out:
            message = gettext_noop("Every player has cards left, but a round ends when somebody has none.")
            yield problem("nobody-out", left_over[-1].code, message)


def _mismatch(turn: Turn, item: Item, missing: int) -> Problem:
    in_play = item.in_play(len(turn.players))
    values = {"entered": figure(in_play - missing), "in_play": in_play, "items": item.many, "item": item.one}
    if item.is_single:
        message = (
            gettext_noop("Nobody is named for the {item}.")
            if missing > 0
            else gettext_noop("{entered} are entered for the {item}; there is one.")
        )
    elif item.may_be_short and missing > 0:
        message = gettext_noop("{entered} {items} entered; there are {in_play}, and one of them may lie out of play.")
    elif item.left_over:
        message = gettext_noop("{entered} {items} entered; there are at most {in_play}. {over} too many.")
    elif missing > 0:
        message = gettext_noop("{entered} {items} entered; {in_play} were played. {missing} missing.")
    else:
        message = gettext_noop("{entered} {items} entered; {in_play} were played. {over} too many.")
    values |= {"missing": figure(missing), "over": figure(-missing)}
    return problem("count-mismatch", item.code, message, **values)


def _group(turn: Turn, item: Item, group: Item, counts: Mapping[str, Mapping[Seat, int]]) -> Iterator[Problem]:
    for seat, number in counts[item.code].items():
        count = counts[group.code].get(seat, 0)
        if number > 0 and count < number:
            message = gettext_noop("{player} took the {item} but has {count} {group}.")
            values = {
                "player": turn.name(seat),
                "item": item.one,
                "count": figure(count),
                "group": group.many,
            }
            yield problem("item-without-its-group", item.code, message, **values)


def _finish(turn: Turn, finish: tuple[Seat, ...]) -> Iterator[Problem]:
    missing = [turn.name(seat) for seat in turn.seats if seat not in finish]
    if missing:
        message = gettext_noop("The order of going out leaves out {players}.")
        yield problem("finish-not-everyone", "finish", message, players=", ".join(missing))
    if twice := _twice(finish):
        message = gettext_noop("{players} cannot go out twice.")
        yield problem("finish-not-everyone", "finish", message, players=", ".join(map(turn.name, twice)))


def _twice(seats: Iterable[Seat]) -> list[Seat]:
    return sorted(seat for seat, times in Counter(seats).items() if times > 1)


def _ravaged(turn: Turn, ravaged: tuple[Seat, ...]) -> Iterator[Problem]:
    if not ravaged:
        message = gettext_noop("Nobody is ravaged, but somebody holds most cards of one suit.")
        yield problem("ravaged-nobody", "ravaged", message)
    for seat in _twice(ravaged):
        message = gettext_noop("{player} is named twice among the ravaged.")
        yield problem("unknown-player", "ravaged", message, player=turn.name(seat))


def _beats(turn: Turn, contract: Beats, result: Result) -> Iterator[Problem]:
    beats = result.beats or {}
    for row in beats:
        if row not in ROWS:
            message = gettext_noop("There is no row “{row}”; rows are front, middle and back.")
            yield problem("unknown-item", row, message, row=row)
    sound = True
    for row in ROWS:
        if row not in beats:
            sound = False
            yield problem("missing-result", row, gettext_noop("The {row} row is missing altogether."), row=row)
            continue
        for seat, number in beats[row].items():
            if number < 0:
                message = gettext_noop("{player} cannot beat {given} opponents.")
                yield problem("negative-count", row, message, player=turn.name(seat), given=figure(number))
        units = tuple(sorted((beats[row].get(seat, 0) for seat in turn.seats), reverse=True))
        if units not in ROW_RANKINGS:
            sound = False
            message = gettext_noop("In the {row} row the four players cannot beat {units} opponents.")
            shown = ", ".join(map(figure, map(scoring.whole, units)))
            yield problem("beats-mismatch", row, message, row=row, units=shown)
    if sound and contract.overall:
        yield from _best(turn, scoring.beaten(result, len(turn.players)), result.best)


def _best(turn: Turn, units: tuple[float, ...], best: Seat | None) -> Iterator[Problem]:
    most = max(units)
    tied = [seat for seat in turn.seats if units[seat] == most]
    names = ", ".join(map(turn.name, tied))
    if len(tied) > 1 and best not in tied:
        message = gettext_noop("{players} tie for most units; the table names which of them takes the overall unit.")
        yield problem("best-needed", "best", message, players=names)
    elif len(tied) == 1 and best is not None:
        message = gettext_noop("{players} has most units and takes the overall unit; nobody is to be named.")
        yield problem("best-not-needed", "best", message, players=names)


def _beside(turn: Turn, hand: Hand) -> Iterator[Problem]:
    if hand.misdeals < 0:
        message = gettext_noop("A hand cannot be dealt again {given} times.")
        yield problem("negative-count", "misdeals", message, given=figure(hand.misdeals))
    for suit in hand.barbaras or ():
        if suit not in tuple(SUITS):
            message = gettext_noop("There is no suit “{given}”; suits are S, H, D and C.")
            yield problem("unknown-card", "barbaras", message, given=suit)
    if hand.adjustment is not None and (total := sum(hand.adjustment.points.values())):
        message = gettext_noop("The adjustment adds up to {total}; it must add up to zero.")
        yield problem("adjustment-not-zero", "adjustment", message, total=figure(total))
    longest = hand.longest or {}
    for seat, number in longest.items():
        if not 0 <= number <= len(turn.ruleset.deck.ranks_of(len(turn.players))):
            message = gettext_noop("{player} cannot hold {given} cards of one suit.")
            yield problem("count-mismatch", "longest", message, player=turn.name(seat), given=figure(number))
    ravaged = set((hand.result and hand.result.ravaged) or ()) & set(longest)
    if ravaged:
        most = max(longest.values())
        holders = {seat for seat, number in longest.items() if number == most}
        if ravaged != holders:
            message = gettext_noop("By their longest suits the ravaged are {players}, with {most} cards.")
            names = ", ".join(turn.name(seat) for seat in sorted(holders))
            yield problem("count-mismatch", "longest", message, players=names, most=most)
