"""The tables of the match page, written piece by piece and kept: a page of 28 hands is mostly these, and after
another hand only a few of the pieces are new."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from referee import RuleSet, ScoredHand

from .templatetags.cards import signed, suit, tone, total, total_tone

if TYPE_CHECKING:
    from .page import Column

LINES_KEPT, CELLS_KEPT = 3000, 2000


class Same:
    """A scored hand as a key that is equal to itself only, which is quick to tell."""

    __slots__ = ("scored",)

    def __init__(self, scored: ScoredHand) -> None:
        self.scored = scored

    def __hash__(self) -> int:
        return id(self.scored)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.scored is other.scored


def joined(pieces: Iterable[str]) -> SafeString:
    """Pieces of a page one after the other; each is one already."""
    return mark_safe("".join(pieces))


def sheet_lines(hands: Iterable[ScoredHand], address: str, *, corrects: bool) -> SafeString:
    """Finished hands as rows of the sheet; ``address`` is their match's, ``corrects`` adds the way to correct them."""
    language = get_language()
    return joined(_sheet_line(Same(scored), address, corrects, language) for scored in hands)


@lru_cache(maxsize=LINES_KEPT)
def _sheet_line(same: Same, address: str, corrects: bool, _language: str) -> SafeString:
    scored = same.scored
    turn, hand, contract = scored.turn, scored.hand, scored.contract
    place = f"{address}hand/{scored.number}/"
    passed = _("passed out") if scored.passed_out else ""
    correct = ""
    if corrects:
        label = _("Correct hand {n}").format(n=scored.number)
        correct = format_html('<td><a href="{}correct/" aria-label="{}">✎</a></td>', place, label)
    names = [_(contract.name) if contract else "", passed, _("a penalty beside the score") if hand.adjustment else ""]
    return format_html(
        '<tr><th scope="row"><a href="{}" aria-label="{}"><span class="n">{}</span> <span>{}{}</span>{}</a>'
        '<span class="visually-hidden">{}</span></th>{}{}</tr>',
        place,
        _("Explain hand {n}").format(n=scored.number),
        scored.number,
        contract.short if contract else "",
        _signs(scored),
        format_html("<small>{}</small>", passed) if passed else "",
        ", ".join(filter(None, names)),
        format_html_join(
            "",
            '<td{}><b>{}</b><small class="{}">{}</small></td>',
            (
                (
                    _declares(seat == turn.declarer),
                    total(scored.running[seat], turn.ruleset),
                    tone(scored.total[seat], turn.ruleset),
                    signed(scored.total[seat]),
                )
                for seat in turn.seats
            ),
        ),
        correct,
    )


def _signs(scored: ScoredHand) -> SafeString:
    """The trump suit, and a sign for what else is to be known of a hand."""
    hand = scored.hand
    signs = [format_html(" {}", suit(hand.trump))] if hand.trump else []
    if scored.remarks:
        signs.append(format_html(' <i class="notice" title="{}">!</i>', _("played anyway")))
    if hand.adjustment:
        signs.append(format_html(' <i class="notice" title="{}">±</i>', _("a penalty beside the score")))
    if hand.note:
        signs.append(mark_safe(" <i>✎</i>"))
    return joined(signs)


def _declares(declares: bool) -> SafeString:
    return mark_safe(' class="declares"' if declares else "")


def _kept(write: Callable[..., SafeString]) -> Callable[..., SafeString]:
    """Keep what a writer of plain values wrote, in each language."""

    @lru_cache(maxsize=CELLS_KEPT)
    def written(_language: str, *values: Any) -> SafeString:
        return write(*values)

    return lambda *values: written(get_language(), *values)


def part(template: str, **values: Any) -> SafeString:
    """A part of a page that says the same on many pages, made of plain values."""
    return _part(template, tuple(values.items()))


@_kept
def _part(template: str, values: tuple[tuple[str, Any], ...]) -> SafeString:
    return render_to_string(template, dict(values))


def heads(columns: Iterable[Column]) -> SafeString:
    """The names over the standings."""
    return joined(_head(seat.name, seat.declares) for seat in columns)


@_kept
def _head(name: str, declares: bool) -> SafeString:
    html = '<th scope="col"{}><span class="name" dir="auto" title="{}">{}</span></th>'
    return format_html(html, _declares(declares), name, name)


def figures(columns: Iterable[Column], ruleset: RuleSet, *, duties: bool) -> SafeString:
    """The standings: each seat's total, its role, and where there are ``duties`` what it owes."""
    return joined(
        _figure(
            total(seat.score, ruleset),
            total_tone(seat.score, ruleset),
            "declares" if seat.declares else "deals" if seat.deals else "cuts" if seat.cuts else "",
            seat.owes if duties else None,
        )
        for seat in columns
    )


@_kept
def _figure(figure: str, colour: str, role: str, owes: int | None) -> SafeString:
    roles = {"declares": _("declares"), "deals": _("deals"), "cuts": _("cuts"), "": ""}
    owed = ""
    if owes is not None:
        owed = format_html('<span class="role owes">{}</span>', _("owes {n}").format(n=owes) if owes else "")
    return format_html(
        '<td{}><span class="figure {}{}">{}</span>\n<span class="role">{}</span>\n{}</td>',
        _declares(role == "declares"),
        colour,
        " long" if len(figure) > 5 else "",
        figure,
        roles[role],
        owed,
    )


def totals(columns: Iterable[Column], ruleset: RuleSet) -> SafeString:
    """The totals at the foot of the sheet."""
    return joined(_total(total(seat.score, ruleset), total_tone(seat.score, ruleset)) for seat in columns)


@_kept
def _total(figure: str, colour: str) -> SafeString:
    return format_html('<td><b class="{}">{}</b></td>', colour, figure)


@_kept
def sheet_head(name: str) -> SafeString:
    """A name over a column of the sheet."""
    return format_html('<th scope="col" dir="auto" title="{}"><span class="cut">{}</span></th>', name, name)


@_kept
def declarer_head(name: str, left: int) -> SafeString:
    """A declarer over a column of the duties, with how many hands he has still to declare."""
    html = '<th scope="col"><span class="cut" dir="auto">{}</span><small>{}</small></th>'
    return format_html(html, name, _("{n} left").format(n=left))


@_kept
def duty_line(name: str, cells: tuple[tuple[int | None, int, bool], ...]) -> SafeString:
    """What one player owes each declarer: how many doubles, how many he has made, whether this hand forces one.

    On the diagonal nothing can be owed, and None stands there.
    """
    html = '<tr><th scope="row" dir="auto"><span class="cut">{}</span></th>{}</tr>'
    return format_html(html, name, joined(_duty(*cell) for cell in cells))


def _duty(owed: int | None, made: int, forced: bool) -> SafeString:
    if owed is None:
        return mark_safe('<td><span class="quiet">·</span></td>')
    times = _("{n} made").format(n=made)
    if not owed:
        html = '<td><span class="met">✓<span class="visually-hidden">{}</span></span><small>{}</small></td>'
        return format_html(html, _("met"), times)
    after = _("now") if forced else times if made else ""
    html = "<td{}><b>{}</b><small>{}</small></td>"
    return format_html(html, mark_safe(' class="forced"') if forced else "", owed, after)


@_kept
def left_line(name: str, contracts: tuple[tuple[str, str], ...]) -> SafeString:
    """What one player has left to declare: each contract's short name and its whole one."""
    shown = format_html_join("", '<abbr title="{1}">{0}</abbr> ', ((short, _(whole)) for short, whole in contracts))
    return format_html('<div><dt dir="auto">{}</dt><dd>{}</dd></div>', name, shown or "–")
