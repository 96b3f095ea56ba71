"""A table with several matches, for the pages that look back; and its figures counted plainly from match files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import referee
from referee import matchfile
from referee.report import report
from scorekeeper.models import Hand, Match, Table

from .table import PLAYERS, new_key

Plain = dict[str, dict[Any, list[float]]]
"""Points by player's name and what they are points of."""


def new_table(name: str = "Ours") -> Table:
    return Table.objects.create(name=name, scorer_hash=Table.hash_of("-"))


def played(table: Table, match: referee.Match, names: Sequence[str] = PLAYERS) -> Match:
    """Store a match at a table, its seats taken by these people."""
    names = [*names, "Eve", "Fay"][: len(match.players)]
    stored = Match.start(
        ruleset=match.ruleset,
        names=names,
        first_declarer=match.first_declarer,
        key=new_key(),
        zone="UTC",
        table=table,
    )
    told = enumerate(map(referee.to_record, match.hands), start=1)
    Hand.objects.bulk_create(
        Hand(match=stored, number=n, revision=1, key=new_key(), action="enter", record=record, version=n)
        for n, record in told
    )
    return stored


def files(table: Table) -> Iterator[dict[str, Any]]:
    """The table's matches as files, read again."""
    for stored in table.matches.order_by("number"):
        state = stored.state()
        yield matchfile.to_data(matchfile.parse(matchfile.write(state.match).encode()).match)


def counted(table: Table) -> Plain:
    """Every figure as a list of points, gathered from the match files and their reports, hand by hand."""
    found: Plain = defaultdict(lambda: defaultdict(list))
    for data in files(table):
        match = matchfile.read(data).match
        told, code = report(match), match.ruleset.code
        for standing in told["standings"] if told["finished"] else ():
            name = standing["player"]
            found[name][code, "matches"].append(standing["score"])
            if name in told["winners"]:
                found[name][code, "won"].append(standing["score"])
            for other in told["standings"]:
                if other["place"] > standing["place"]:
                    found[name][code, "before", other["player"]].append(1)
                    found[other["player"]][code, "behind", name].append(1)
        for hand, said in zip(told["hands"], data["hands"], strict=True):
            if "total" not in hand:
                continue
            contract = hand["contract"] or match.ruleset.contracts[0].code
            for name in match.players:
                role = "declarer" if hand["declarer"] == name else "other"
                found[name][code, role, contract].append(hand["total"][name])
                found["all"][code, role, contract].append(hand["total"][name])
            for one, other in said.get("doubles", ()):
                won = hand["basic"][one] - hand["basic"][other]
                found[one][code, "doubled", other].append(won)
                found[other][code, "doubled by", one].append(-won)
    return found
