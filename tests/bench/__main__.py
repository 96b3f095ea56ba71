"""Measure everything once and print it. Other work on the machine moves the figures; ratios less so."""

import os
import sys
import tempfile
from collections import Counter
from platform import python_version
from random import Random
from statistics import median
from time import process_time

import django
from msgspec.structs import replace

from referee import Match
from referee import load as load_rules
from referee.play import follow
from tests.prove.play import deal, play_tricks, trick_rules
from tests.referee.strategies import random_match

from . import server
from .phone import Phone

HANDS = 28
PREFIX = "/cold"
"""Below it each page is made as the first one after another hand; see `cold.py`."""

ROUNDS, SECONDS, TIMES = 4, 2, 100
EVERY = 3
AIMS = {"nothing new": 0.95, "watched": 0.85, "watched, made anew": 0.3}
AIM_QUERIES, AIM_MARKUP, AIM_VISIT, AIM_MEMORY = 5, 14, 30, 200


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def aimed(figure: float, unit: str, aim: int) -> str:
    """A figure beside its aim."""
    return f"{figure:.3g}{unit} (aim {aim}{', MISSED' if figure > aim else ''})"


def an_evening() -> Match:
    """A whole match, told with nothing but what the page asks for."""
    match = random_match("barbu", seed=HANDS)
    return match.with_hands([replace(hand, declarer=None, misdeals=0, adjustment=None) for hand in match.hands])


def fold(match: Match) -> None:
    """How long the referee takes to work out a match."""

    def milliseconds(hands: int) -> float:
        found = []
        for _ in range(TIMES):
            fresh = match.with_hands(match.hands[:hands])
            began = process_time()
            assert fresh.turn.number == hands + 1
            found.append((process_time() - began) * 1000)
        return median(found)

    one, whole = milliseconds(1), milliseconds(HANDS)
    say(f"\nFolding {HANDS} hands: {whole:.2f} ms, {whole / one:.1f} times one hand ({one:.3f} ms)")


def judge() -> None:
    """How long the referee takes to settle a trick, and to follow a hand card by card."""
    random, barbu = Random(HANDS), load_rules("barbu")
    rules = trick_rules(barbu, "trumps", random)
    found: dict[str, list[float]] = {"a trick": [], "a hand of 13 tricks": []}
    for _ in range(TIMES):
        hands = deal(random)
        tricks = play_tricks(rules, hands, 0, random, lambda trick, hand, _: rules.ruling(trick, hand).legal)
        began = process_time()
        rules.ruling(tricks[0].cards[:3], hands[3])
        found["a trick"].append((process_time() - began) * 1000)
        began = process_time()
        assert follow(rules, 0, tricks, "NESW".__getitem__).result
        found["a hand of 13 tricks"].append((process_time() - began) * 1000)
    told = (f"{what} in {median(times):.3f} ms" for what, times in found.items())
    say(f"Judging {', '.join(told)}")


def browse(visit: str, phone: Phone, path: str, seen: set[str]) -> None:
    """What a browser loads with a page, without what it has; the touch icon only goes to a home screen."""
    say(f"\n{visit}: compressed bytes, and with the answer's head")
    answers = {path: phone.get(path)}
    page = answers[path].page
    links = page.select("link[rel=stylesheet], link[rel=icon], link[rel=manifest]")
    files = {link["href"] for link in links} | {file["src"] for file in page.select("script[src], img[src]")}
    answers |= {file: phone.get(file) for file in sorted(files - seen)}
    seen |= files
    for file, answer in answers.items():
        shown = "/t/…/" + path.split("/", 3)[3] if file == path and path.startswith("/t/") else file
        size, coding = len(answer.body), answer.headers["Content-Encoding"] or "as it is"
        say(f"  {shown:40}{size:8}{size + answer.head:8}  {coding}")
    sizes = {file: len(answer.body) / 1000 for file, answer in answers.items()}
    markup = sum(size for file, size in sizes.items() if file == path or file.endswith(".css"))
    say(f"  in all {aimed(sum(sizes.values()), ' kB', AIM_VISIT)}")
    say(f"  HTML and CSS {aimed(markup, ' kB', AIM_MARKUP)}")


def load(process: int, arms: dict[str, tuple[Phone, str]]) -> int:
    """Pages per second and what they cost, the arms in turn; how many pages were asked for."""
    say(f"\n{ROUNDS} rounds of {SECONDS} s in turn, {server.LOADED_BY}; medians, and against the empty page:")
    say("pages per second, milliseconds of processor time for a page, how they were answered")
    rates: dict[str, list[float]] = {name: [] for name in arms}
    costs: dict[str, list[float]] = {name: [] for name in arms}
    answers: dict[str, Counter[str]] = {name: Counter() for name in arms}
    for _ in range(ROUNDS):
        for name, (phone, path) in arms.items():
            before = server.processor_time(process)
            rate, answered = server.load(phone, path, SECONDS)
            rates[name].append(rate)
            costs[name].append((server.processor_time(process) - before) * 1000 / answered.total())
            answers[name] += answered
    for name in arms:
        line = f"  {name:24}"
        for found in (rates, costs):
            base = zip(found[name], found["empty page"], strict=True)
            ratio = median(own / (other or 1) for own, other in base)
            line += f"{median(found[name]):9.2f} ({ratio:5.2f} ×)"
            if found is rates and name in AIMS:
                line += f" aim {AIMS[name]:.2f}{', MISSED' if ratio < AIMS[name] else ''}"
        say(line + "   " + ", ".join(f"{number} {how}" for how, number in answers[name].items()))
    carried = median(rates["nothing new"]) * EVERY
    say(f"Watchers that this server carries, each asking every {EVERY} seconds: {carried:.0f}")
    return sum(answered.total() for answered in answers.values())


def look_inside(scorer: Phone, watcher: Phone, stranger: Phone, matches: dict[int, str]) -> None:
    """Where the time of the match page goes, and the queries of each page."""
    from . import years
    from .inside import House

    house = House()
    columns = {f"{n} hands": house.split(scorer, PREFIX + path, TIMES) for n, path in matches.items()}
    columns["watched"] = house.split(watcher, PREFIX + matches[HANDS - 1], TIMES)
    say("\nThe match page, made anew, without the server: milliseconds of processor time, medians")
    say(f"  {'':24}" + "".join(f"{name:>12}" for name in columns))
    for part in columns["watched"]:
        say(f"  {part:24}" + "".join(f"{column[part]:12.2f}" for column in columns.values()))

    table = matches[HANDS].rsplit("/", 2)[0] + "/"
    asked = {path: house.queries(stranger, path) for path in ("/", "/new/", "/rules/", "/rules/barbu/")}
    asked["/, where a table is known"] = house.queries(scorer, "/")
    asked |= {f"/t/…/{page}": house.queries(scorer, table + page) for page in ("", "new/")}
    for page, place in {"match": "", "explain": "hand/1/", "correct": "hand/1/correct/"}.items():
        asked |= {f"{page}, {n} hands": house.queries(scorer, PREFIX + path + place) for n, path in matches.items()}
    asked["match, kept"] = house.queries(scorer, matches[HANDS - 1])
    asked["match, watched and kept"] = house.queries(watcher, matches[HANDS - 1])
    scorer.undo(matches[HANDS])
    asked["match, a hand taken back"] = house.queries(scorer, PREFIX + matches[HANDS])
    say("\nQueries for a page")
    for page, number in asked.items():
        say(f"  {page:28}{aimed(number, '', AIM_QUERIES)}")
    years.measure(house, watcher, say)


def main() -> None:
    """One evening, measured from all sides."""
    for name in ("ALLOWED_HOSTS", "DATABASE_URL", "DEBUG", "HTTPS", "LOG_LEVEL", "SECRET_KEY"):
        os.environ.pop(name, None)
    say(f"Python {python_version()}, Django {django.__version__}, {os.cpu_count()} processors")
    match = an_evening()
    fold(match)
    judge()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
        with server.served() as (process, port):
            scorer, watcher, stranger = Phone(port), Phone(port), Phone(port)
            opened, kind = server.memory(process)
            whole = scorer.play(match)
            played, _ = server.memory(process)
            new = whole.rsplit("/", 2)[0] + "/new/"
            matches = {n: scorer.play(match.with_hands(match.hands[:n]), new) for n in (3, HANDS - 1)}
            matches[HANDS] = whole

            seen = set[str]()
            browse("A first visit, to the start", stranger, "/", seen)
            browse("From there to a new match", stranger, "/new/", seen)
            browse(f"From there to the match, {HANDS - 1} hands", scorer, matches[HANDS - 1], seen)
            browse(f"A watcher's first visit, to the match, {HANDS} hands", watcher, whole, set())

            arms = {"empty page": (stranger, "/empty/"), "start, first visit": (stranger, "/")}
            match_page = matches[HANDS - 1]
            arms |= {"nothing new": (watcher.following(match_page), match_page)}
            for who, phone in {"watched": watcher, "scored": scorer}.items():
                arms |= {who: (phone, match_page), f"{who}, made anew": (phone, PREFIX + match_page)}
            pages = load(process, arms | {"over, made anew": (watcher, PREFIX + whole)})
            held, _ = server.memory(process)
            say(f"\nMemory of the server ({kind}): {opened:.0f} MB when it opened, {played:.0f} MB after")
            say(f"an evening, {aimed(held, ' MB', AIM_MEMORY)} after {pages} pages more")
            look_inside(scorer, watcher, stranger, matches)


if __name__ == "__main__":
    main()
