"""The form of a penalty that the table agrees on: who pays and who gets how many points, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import QueryDict

from referee import Adjustment, Problem, Turn
from referee.hands import Seat
from referee.problems import gettext_noop, problem

MOST = 1_000_000
REASON_LONGEST = 200


@dataclass(frozen=True)
class Row:
    """One player in the form: pays or gets, and how many points, as typed."""

    seat: Seat
    name: str
    pays: bool
    points: str


@dataclass(frozen=True)
class PenaltyForm:
    """What stands in the form, right or wrong, and what it says."""

    rows: tuple[Row, ...]
    reason: str = ""
    adjustment: Adjustment | None = None
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, turn: Turn, adjustment: Adjustment | None) -> PenaltyForm:
        """The form of a penalty that is stored, or a blank one in which nobody pays anything yet."""
        points = adjustment.points if adjustment else {}
        rows = (
            Row(seat, turn.players[seat], points.get(seat, 0) < 0, str(abs(points[seat])) if points.get(seat) else "")
            for seat in turn.seats
        )
        return cls(tuple(rows), adjustment.reason if adjustment else "", adjustment)

    @classmethod
    def posted(cls, turn: Turn, data: QueryDict) -> PenaltyForm:
        """The form as it was sent. Nobody types a sign: a choice says who pays and who gets."""
        rows, points, problems = [], dict[Seat, int](), list[Problem]()
        for seat in turn.seats:
            typed, sign = data.get(f"points-{seat}", ""), data.get(f"sign-{seat}", "")
            row = Row(seat, turn.players[seat], sign == "pays", typed)
            rows.append(row)
            number = int(typed) if re.fullmatch(r"\s*[0-9]{1,7}\s*", typed, re.ASCII) else None
            if typed.strip() and (number is None or number > MOST):
                message = gettext_noop("Points of {player}: “{given}” is not a whole number from 0 to {most}.")
                values = {"player": row.name, "given": typed[:40], "most": MOST}
                problems.append(problem("not-understood", f"points-{seat}", message, **values))
            elif number and sign not in ("pays", "gets"):
                message = gettext_noop("Say whether {player} pays or gets the {points} points.")
                problems.append(problem("not-understood", f"points-{seat}", message, player=row.name, points=number))
            elif number:
                points[seat] = -number if row.pays else number
        reason = data.get("reason", "").strip()
        adjustment = Adjustment(points=points, reason=reason) if points else None
        if not problems and (total := sum(points.values())):
            message = (
                gettext_noop("{given} more points are got than paid; what some pay the others must get.")
                if total > 0
                else gettext_noop("{given} more points are paid than got; what some pay the others must get.")
            )
            problems.append(problem("adjustment-not-zero", "adjustment", message, given=abs(total)))
        problems += _reason_problems(reason, bool(points))
        return cls(tuple(rows), reason, adjustment, tuple(problems))


def _reason_problems(reason: str, is_needed: bool) -> list[Problem]:
    if len(reason) > REASON_LONGEST:
        message = gettext_noop("The reason has {given} characters; at most {longest} are kept.")
        return [problem("not-understood", "reason", message, given=len(reason), longest=REASON_LONGEST)]
    if {"\x00", "\N{REPLACEMENT CHARACTER}"} & set(reason):
        return [problem("not-understood", "reason", gettext_noop("The reason has a character that cannot be kept."))]
    if is_needed and not reason:
        return [problem("not-understood", "reason", gettext_noop("Say why: a penalty has a reason."))]
    return []
