"""`manage.py make_trial_table`: a table with years of matches by chance, to see how the pages bear it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec.structs import replace

import referee
from referee.rules import to_object
from referee.trial import Character, play

from ...models import Hand, Match, Player, Seat, Table

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou")
DIFFERENT = 60
"""So many matches are played by chance; beyond that they come again, on other evenings."""

A_WEEK, A_HAND = timedelta(days=7), timedelta(minutes=4)
MATCHES_AN_EVENING = 2


class Command(BaseCommand):
    """Make a table for trials, with finished matches week after week until now."""

    help = _("Make a table for trials with many finished matches.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many matches, of how many players, of which game; the same seed plays the same."""
        parser.add_argument("--matches", type=int, default=1000, help=_("how many matches (1000)"))
        parser.add_argument("--players", type=int, default=6, help=_("how many people sit down in turn (6)"))
        parser.add_argument("--game", default="barbu", choices=referee.names(), help=_("which game (barbu)"))
        parser.add_argument("--seed", type=int, default=1, help=_("another number, other matches (1)"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the table and say where it is."""
        matches, people, random = options["matches"], options["players"], Random(options["seed"])
        ruleset = referee.load(options["game"])
        if not 1 <= matches <= 10_000:
            raise CommandError(_("A table for trials has 1 to 10,000 matches."))
        if not ruleset.players[0] <= people <= len(NAMES):
            message = _("{game} at a table for trials takes {least} to {most} people.")
            raise CommandError(message.format(game=ruleset.name, least=ruleset.players[0], most=len(NAMES)))
        with transaction.atomic():
            table = make_table(ruleset, matches, NAMES[:people], random)
        self.stdout.write(_("A table for trials, with {n} matches by chance:").format(n=matches))
        self.stdout.write(reverse("table", args=[table.code]))


def make_table(ruleset: referee.RuleSet, matches: int, names: tuple[str, ...], random: Random) -> Table:
    """A table of these people, with as many finished matches on the evenings up to now."""
    table = Table(name=_("Trial, {n} matches").format(n=matches))
    table.scorer_hash = Table.hash_of(Table.secret_for(table.seed))
    table.save()
    people = [Player(table=table, name=name, name_key=referee.name_key(name)) for name in names]
    players = Player.objects.bulk_create(people)
    characters = [Character.drawn(random) for _name in names]
    evenings = [_evening(random, ruleset, characters) for _ in range(min(matches, DIFFERENT))]
    data, now = to_object(ruleset), timezone.now().replace(hour=19, minute=0, second=0, microsecond=0)
    made, seats, hands = list[Match](), list[Seat](), list[Hand]()
    for number in range(1, matches + 1):
        seated, rows, first = evenings[number - 1] if number <= len(evenings) else random.choice(evenings)
        weeks, on_that_evening = divmod(matches - number, MATCHES_AN_EVENING)
        began = now - A_WEEK * (weeks + 1) - timedelta(hours=2, minutes=30) * on_that_evening
        match = Match(table=table, number=number, game=ruleset.code, ruleset=data, first_declarer=first, began=began)
        match.version = len(rows)
        made.append(match)
        seats += [Seat(match=match, place=place, player=players[person]) for place, person in enumerate(seated)]
        hands += [_row(match, deed, row, began) for deed, row in enumerate(rows, start=1)]
    Match.objects.bulk_create(made, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=2000)
    Hand.objects.bulk_create(hands, batch_size=2000)
    return table


Row = tuple[int, int, str, dict[str, Any] | None]
"""A stored step: the hand's number, its revision, the deed, and the record."""


def _evening(random: Random, ruleset: referee.RuleSet, characters: list[Character]) -> tuple[list[int], list[Row], int]:
    """A match by chance: who sat where, every step of every hand, and who declared first."""
    seats = random.choice([number for number in ruleset.players if number <= len(characters)])
    seated = random.sample(range(len(characters)), seats)
    first = random.randrange(seats) if ruleset.has_declarer else 0
    match = play(ruleset, [characters[person] for person in seated], random, first)
    rows = [row for number, hand in enumerate(match.hands, start=1) for row in _steps(number, hand, random)]
    return seated, rows, first


def _steps(number: int, hand: referee.Hand, random: Random) -> Iterator[Row]:
    """How a hand comes in: declared, doubled, counted; now and then taken back and brought again, or corrected."""
    steps = [replace(hand, doubles=None, result=None, coup=None), replace(hand, result=None, coup=None), hand]
    told = [step for place, step in enumerate(steps) if step.contract and step not in steps[:place]] or [hand]
    deeds: list[tuple[str, referee.Hand | None]] = [(Hand.Action.ENTER, step) for step in told]
    if random.random() < 0.03:
        deeds += [(Hand.Action.UNDO, None), (Hand.Action.REDO, hand)]
    if random.random() < 0.03:
        deeds.append((Hand.Action.CORRECT, replace(hand, note=_("counted again"))))
    for revision, (action, step) in enumerate(deeds, start=1):
        yield number, revision, action, None if step is None else referee.to_record(step)


def _row(match: Match, deed: int, row: Row, began: datetime) -> Hand:
    number, revision, action, record = row
    return Hand(
        match=match,
        number=number,
        revision=revision,
        key=f"trial-{number}-{revision}",
        action=action,
        record=record,
        version=deed,
        at=began + A_HAND * number + timedelta(seconds=20) * revision,
    )
