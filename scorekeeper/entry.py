"""What the one form of a hand shows: contracts, doubles in speaking order, the result's controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from referee import Beats, Contract, Counts, Finish, Problem, Ravaged, Turn
from referee.cards import RANK_NAMES, RANKS, SUIT_NAMES
from referee.doubling import only_declarer
from referee.explain import price, signed
from referee.hands import Seat
from referee.rules import ROWS, Item
from referee.scoring import passed_out

from .forms.hand import CONTRACT, DOUBLES, NOBODY, RESULT, HandForm, panel
from .models import State
from .templatetags.cards import isolated, says


@dataclass(frozen=True)
class ContractButton:
    """A contract as a button; ``why_not`` says why it cannot be declared any more."""

    code: str
    name: str
    price: str
    label: str
    why_not: str
    needs: str | None
    chosen: bool


@dataclass(frozen=True)
class Chip:
    """A double that a player may say: a checkbox ``Bob doubles Cy``."""

    value: str
    name: str
    label: str
    checked: bool
    to_declarer: bool
    duty: str


@dataclass(frozen=True)
class DoublesRow:
    """A player's turn to double, in speaking order; the declarer's comes last and only answers."""

    seat: Seat
    name: str
    is_declarer: bool
    chips: tuple[Chip, ...]
    duty: str


@dataclass(frozen=True)
class Entry:
    """One player's place in a result panel."""

    seat: Seat
    name: str
    field: str
    value: str
    problem: str


@dataclass(frozen=True)
class ItemControl:
    """What one item of a contract is entered with."""

    item: Item
    entries: tuple[Entry, ...]
    in_play: int
    problem: str
    nobody: bool


@dataclass(frozen=True)
class RowControl:
    """One row of three-row poker: who is placed in it so far, best first; ``tied`` with the one before."""

    code: str
    name: str
    placed: tuple[tuple[Seat, str, bool], ...]
    problem: str


@dataclass(frozen=True)
class Panel:
    """The entry control of all contracts that ask for the same."""

    id: str
    key: str
    kind: str
    items: tuple[ItemControl, ...]
    entries: tuple[Entry, ...]
    order: tuple[tuple[Seat, str], ...]
    active: bool
    longest: tuple[Entry, ...] = ()
    rows: tuple[RowControl, ...] = ()
    fouls: tuple[Entry, ...] = ()
    overall: tuple[Entry, ...] = ()
    tied: bool = False


def contract_buttons(turn: Turn, form: HandForm, declared: Mapping[str, int]) -> list[ContractButton]:
    """The declarer's contracts; ``declared`` names the hand in which each used one went."""
    buttons = []
    for contract in (contract for contract in turn.ruleset.contracts if contract.times):
        barred = turn.barred(turn.declarer, contract) if turn.declarer is not None else None
        used = declared.get(contract.code)
        if used and contract.times == 1:
            label = _("{contract}, declared in hand {number}").format(contract=_(contract.name), number=used)
            why_not = _("hand {number}").format(number=used)
        elif used or barred:
            label = f"{_(contract.name)}, {_quota_words(turn, contract)}"
            why_not = _quota_words(turn, contract)
        else:
            label, why_not = _(contract.name), ""
        buttons.append(
            ContractButton(
                code=contract.code,
                name=_(contract.name),
                price=price_words(contract, len(turn.players)),
                label=label,
                why_not=why_not,
                needs=contract.needs,
                chosen=form.contract is not None and form.contract.code == contract.code,
            )
        )
    return buttons


def price_words(contract: Contract, players: int) -> str:
    """What a contract costs, in a few signs that break only between things: "−2 a heart · A♥ −6"."""
    return " · ".join(says(part).replace(" ", "\N{NO-BREAK SPACE}") for part in price(contract, players))


def _quota_words(turn: Turn, contract: Contract) -> str:
    everywhere = sum(1 for _number, _who, code in turn.declared if code == contract.code)
    mine = sum(1 for _number, code in turn.declared_by(turn.declarer or 0) if code == contract.code)
    if everywhere >= (contract.times_in_match or everywhere + 1) or mine >= contract.times:
        times = max(mine, everywhere if contract.times_in_match else 0)
        return _("declared twice already") if times == 2 else _("declared {n} times already").format(n=times)
    return _("no more negative ones") if contract.is_negative else _("no more positive ones")


def declared_elsewhere(state: State, number: int) -> dict[str, int]:
    """Contracts that the declarer of a hand has declared in another hand, where each may be had only once."""
    turn = state.match.turn_of(number)
    found: dict[str, int] = {}
    for scored in state.match.finished_hands:
        other, contract = scored.turn, scored.contract
        if contract is None or other.number == number or not turn.ruleset.has_declarer:
            continue
        same = other.round == turn.round if turn.ruleset.rotation == "round" else other.declarer == turn.declarer
        if same:
            found.setdefault(contract.code, 0)
            found[contract.code] += 1
    used = {}
    for contract in turn.ruleset.contracts:
        if 0 < contract.times <= found.get(contract.code, 0):
            used[contract.code] = max(
                scored.number
                for scored in state.match.finished_hands
                if scored.contract == contract
                and scored.number != number
                and (turn.ruleset.rotation == "round" or scored.turn.declarer == turn.declarer)
            )
    return used


def duty_words(turn: Turn, seat: Seat) -> str:
    """Why a double is compulsory: "owes Cy 2, Cy declares 2 more"."""
    if turn.declarer is None or seat not in turn.forced:
        return ""
    return _("owes {declarer} {owed}, {declarer} declares {left} more").format(
        declarer=isolated(turn.players[turn.declarer]),
        owed=turn.owed(seat, turn.declarer),
        left=turn.declarations_left(turn.declarer),
    )


def doubles_rows(turn: Turn, form: HandForm) -> list[DoublesRow]:
    """A row per player in speaking order, with all whom the player may ever double."""
    if turn.ruleset.doubling.who == "none" or turn.declarer is None:
        return []
    rows = []
    for seat in turn.speaking_order:
        duty = duty_words(turn, seat)
        others = [other for other in turn.speaking_order if other != seat]
        if turn.ruleset.doubling.who == "declarer" and seat != turn.declarer:
            others = [turn.declarer]
        chips = tuple(
            Chip(
                value=f"{seat}-{other}",
                name=turn.players[other],
                label=_("{who} doubles {whom}").format(who=turn.players[seat], whom=turn.players[other]),
                checked=(seat, other) in form.doubles
                if form.doubles is not None
                else bool(duty) and other == turn.declarer,
                to_declarer=other == turn.declarer,
                duty=duty if other == turn.declarer else "",
            )
            for other in sorted(others)
        )
        rows.append(DoublesRow(seat, turn.players[seat], seat == turn.declarer, chips, duty))
    return rows


def panels(turn: Turn, form: HandForm, wrong: Mapping[str, str]) -> list[Panel]:
    """The entry controls of the result, one for each kind of question the rule set's contracts ask."""
    found: dict[str, Panel] = {}
    active = panel(form.contract) if form.contract else None
    for contract in turn.ruleset.contracts:
        key = panel(contract)
        if key in found:
            continue
        items: tuple[ItemControl, ...] = ()
        if isinstance(contract, Counts):
            items = tuple(_item_control(turn, form, item, wrong) for item in contract.items)
        found[key] = Panel(
            id=f"panel-{len(found)}",
            key=key,
            kind=type(contract).__name__.lower(),
            items=items,
            entries=_entries(turn, "ravaged", form.ravaged),
            order=tuple((seat, turn.players[seat]) for seat in form.finish),
            active=key == active,
            **_ravaged_parts(turn, form, wrong, contract),
            **_beats_parts(turn, form, wrong, contract),
        )
    return list(found.values())


def _entries(turn: Turn, field: str, chosen: Sequence[Seat]) -> tuple[Entry, ...]:
    return tuple(Entry(seat, name, field, "1" if seat in chosen else "", "") for seat, name in enumerate(turn.players))


def _ravaged_parts(turn: Turn, form: HandForm, wrong: Mapping[str, str], contract: Contract) -> dict[str, Any]:
    if not isinstance(contract, Ravaged):
        return {}
    fields = ((seat, f"longest-{seat}") for seat in turn.seats)
    longest = (
        Entry(seat, turn.players[seat], field, form.longest.get(seat, ""), wrong.get(field, ""))
        for seat, field in fields
    )
    return {"longest": tuple(longest)}


def _beats_parts(turn: Turn, form: HandForm, wrong: Mapping[str, str], contract: Contract) -> dict[str, Any]:
    if not isinstance(contract, Beats):
        return {}
    names = {"front": _("Front"), "middle": _("Middle"), "back": _("Back")}
    return {
        "rows": tuple(
            RowControl(
                code=row,
                name=names[row],
                placed=tuple(
                    (seat, turn.players[seat], tied)
                    for group in form.order[row]
                    for seat, tied in zip(group, [False] + [True] * len(group), strict=False)
                ),
                problem=wrong.get(row, ""),
            )
            for row in ROWS
        ),
        "fouls": _entries(turn, "foul", form.fouls),
        "overall": _entries(turn, "best", [] if form.best is None else [form.best]) if contract.overall else (),
        "tied": bool(form.overall_tie),
    }


def _item_control(turn: Turn, form: HandForm, item: Item, wrong: Mapping[str, str]) -> ItemControl:
    return ItemControl(
        item=item,
        entries=tuple(
            Entry(
                seat=seat,
                name=turn.players[seat],
                field=item.code if item.is_single else f"{item.code}-{seat}",
                value=form.counts.get((item.code, seat), ""),
                problem=wrong.get(f"{item.code}-{seat}", ""),
            )
            for seat in turn.seats
        ),
        in_play=item.in_play(len(turn.players)),
        problem=wrong.get(item.code, ""),
        nobody=bool(form.counts.get((item.code, NOBODY))),
    )


def rules_for_script(turn: Turn, form: HandForm) -> dict[str, Any]:
    """What the script needs to walk through a hand and show its score before it is saved."""
    ruleset = turn.ruleset
    contracts = {}
    for contract in ruleset.contracts:
        contracts[contract.code] = {
            "panel": panel(contract),
            "needs": contract.needs,
            "name": _(contract.name),
            "onlyDeclarer": only_declarer(ruleset.doubling, contract),
            "pass": pass_out_label(turn, contract),
            "coup": contract.coup,
            "score": _score_data(turn, contract),
        }
    return {
        "players": turn.players,
        "declarer": turn.declarer,
        "doubling": ruleset.doubling.who != "none",
        "payment": ruleset.payment,
        "lowest": ruleset.wins == "lowest",
        "coupFailed": ruleset.coup_failed,
        "contracts": contracts,
        "texts": {
            "for": _("{items} for {player}"),
            "missing": _("{n} {items} missing"),
            "over": _("{n} {items} too many"),
            "who": _("Who took the {item}?"),
            "whoWon": _("Who won the {item}?"),
            "needs": _("{player} took the {item} but has no {group}"),
            "out": _("{n} still to go out"),
            "ravaged": _("Who was ravaged?"),
            "place": _("Who is next in the row {row}?"),
            "best": _("Who takes the overall unit?"),
            "coupMade": _("Was the coup made?"),
            "nobodyOut": _("Somebody must have no card left"),
            "rows": {"front": _("Front"), "middle": _("Middle"), "back": _("Back")},
            "trump": _("Which suit is trumps?"),
            "start": _("Which rank starts?"),
            "owes": _("{players} must double {declarer}, or tick Played anyway"),
        },
    }


def _score_data(turn: Turn, contract: Contract) -> dict[str, Any]:
    match contract:
        case Counts():
            return {
                "kind": "counts",
                "items": [
                    {
                        "code": item.code,
                        "name": _(item.name),
                        "one": _(item.one),
                        "many": _(item.many),
                        "each": item.each,
                        "count": item.in_play(len(turn.players)),
                        "single": item.is_single,
                        "within": item.within,
                        "allToOne": item.all_to_one,
                        "leftOver": item.left_over,
                        "short": item.may_be_short,
                        "faceUp": item.face_up,
                        "exact": not (item.left_over or item.may_be_short),
                    }
                    for item in contract.items
                ],
            }
        case Finish():
            return {"kind": "finish", "places": contract.pays(len(turn.players))}
        case Ravaged():
            return {"kind": "ravaged", "penalty": contract.penalty}
        case Beats():
            return {"kind": "beats", "unit": contract.unit, "overall": contract.overall}


def pass_out_label(turn: Turn, contract: Contract) -> str:
    """What the button says that passes a hand out, with the points; empty where that cannot be."""
    if turn.declarer is None or not turn.can_be_passed_out(contract):
        return ""
    points = passed_out(contract, turn.declarer, len(turn.players))
    other = points[(turn.declarer + 1) % len(turn.players)]
    return _("Nobody doubles: pass out ({declarer} / {others})").format(
        declarer=signed(points[turn.declarer]), others=signed(other)
    )


def hand_form_context(
    turn: Turn, form: HandForm, declared: Mapping[str, int], problems: Sequence[Problem]
) -> dict[str, Any]:
    """All that the one form of a hand needs, on the match page and on a correction."""
    wrong = {problem.where: says(problem) for problem in reversed(problems) if problem.hand in (None, turn.number)}
    return {
        "problems": problems,
        "wrong": wrong,
        "form": form,
        "turn": turn,
        "buttons": contract_buttons(turn, form, declared),
        "suits": SUIT_NAMES,
        "ranks": [
            (rank, "10" if rank == "T" else rank, RANK_NAMES[rank])
            for rank in sorted(turn.ruleset.deck.ranks_of(len(turn.players)), key=RANKS.index)
        ],
        "coups": turn.ruleset.has_coups,
        "barbaras": [
            (suit, name, [(seat, player, form.barbaras.get(suit) == seat) for seat, player in enumerate(turn.players)])
            for suit, name in SUIT_NAMES.items()
        ]
        if any(contract.face_up for contract in turn.ruleset.contracts)
        else [],
        "rows": doubles_rows(turn, form),
        "panels": panels(turn, form, wrong),
        "someone_forced": bool(turn.forced),
        "first_speaker": turn.players[turn.speaking_order[0]] if turn.speaking_order else "",
        "pass_label": pass_out_label(turn, form.contract) if form.contract else "",
        "only_declarer": form.contract is not None and only_declarer(turn.ruleset.doubling, form.contract),
        "script_rules": rules_for_script(turn, form),
        "steps": {"contract": CONTRACT, "doubles": DOUBLES, "result": RESULT},
    }
