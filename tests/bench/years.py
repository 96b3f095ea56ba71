"""A table with a thousand matches beside one with twenty: queries, and time as a ratio, page by page."""

import io
from collections.abc import Callable
from statistics import median
from time import process_time

from django.core.cache import caches
from django.core.management import call_command
from django.urls import reverse

from .inside import House
from .phone import Phone

FEW, MANY = 20, 1000
ROUNDS = 15
AIMS = {"table": 1.1, "player": 3}


def pages(matches: int) -> dict[str, str]:
    """Make a table with so many matches; its pages that look back, by what they are called in the urls."""
    from scorekeeper.models import Table

    told = io.StringIO()
    call_command("make_trial_table", matches=matches, stdout=told)
    table = Table.objects.get(code=told.getvalue().split("/")[-2])
    player = table.players.get(name="Ann").code
    hands = reverse("player_hands", args=[table.code, player])
    return {
        "table": reverse("table", args=[table.code]),
        "session": reverse("session", args=[table.code, matches]),
        "people": reverse("people", args=[table.code]),
        "player": reverse("player", args=[table.code, player]),
        "hands declared": f"{hands}?contract=barbu&as=declarer",
        "hands doubled": f"{hands}?doubled=any&doubled_by=1",
    }


def measure(house: House, phone: Phone, say: Callable[[str], None]) -> None:
    """Each page of both tables in turn; then the player's page where not everything is kept."""
    from scorekeeper import figures

    def milliseconds(path: str) -> float:
        began = process_time()
        house.ask(phone, path)
        return (process_time() - began) * 1000

    few, many = pages(FEW), pages(MANY)
    say(f"\nPages of a table with {MANY} matches against one with {FEW}: queries, milliseconds of processor time")
    say(f"  {'':28}{'queries':>12}{FEW:>10}{MANY:>10}{'ratio':>10}")
    for page in many:
        asked = [house.queries(phone, paths[page]) for paths in (few, many)]
        times = [(milliseconds(few[page]), milliseconds(many[page])) for _ in range(ROUNDS)]
        ratio = median(large / small for small, large in times)
        line = f"  {page:28}{' and '.join(map(str, asked)):>12}{median(small for small, _ in times):10.1f}"
        line += f"{median(large for _, large in times):10.1f}{ratio:10.2f}"
        aim = AIMS.get(page)
        say(line + (f" (aim {aim}{', MISSED' if ratio > aim else ''})" if aim else ""))
    forgets = {
        "player, after a change": one_match_changes,
        "player, new process": figures.memory.clear,
        "player, and no folder": lambda: (figures.memory.clear(), caches["figures"].clear()),
    }
    for when, forget in forgets.items():
        times = []
        for paths in (few, many):
            forget()
            times.append(milliseconds(paths["player"]))
        say(f"  {when:28}{'':12}{times[0]:10.1f}{times[1]:10.1f}{times[1] / times[0]:10.2f}")


def one_match_changes() -> None:
    """The last match of every table is not what it was."""
    from scorekeeper.models import Match, new_mark

    for number in (FEW, MANY):
        for match in Match.objects.filter(number=number):
            Match.objects.filter(pk=match.pk).update(mark=new_mark())
