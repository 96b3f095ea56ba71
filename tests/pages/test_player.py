"""A player's page: figures that a plain count of the match files gives too, each with its hands behind it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec import structs

import referee
import referee.figures
from referee.explain import signed
from scorekeeper import figures
from scorekeeper.models import Player, Table
from scorekeeper.templatetags.figures import average, average_score
from tests.referee.strategies import random_match

from .looking_back import counted, new_table, played
from .table import ANN, BOB, CY, PLAYERS, Phone, soup, table_of, words

pytestmark = pytest.mark.django_db

HOSTILE = ("<b>x</b>", "O'Brien & Zoë", "أحمد", "Bartholomew the Younger of Kirkcaldy-on-X")


@pytest.fixture(autouse=True)
def a_new_process() -> None:
    figures.memory.clear()


def person(table: Table, name: str = "Ann") -> Player:
    return table.players.get(name=name)


def address(player: Player, *parts: str) -> str:
    return "/".join(["/t", player.table.code, "players", player.code, *parts, ""])


def see(player: Player, query: str = "", *parts: str) -> BeautifulSoup:
    response = Client().get(address(player, *parts) + query)
    assert response.status_code == 200
    return soup(response)


def results(page: BeautifulSoup) -> dict[str, str]:
    """The figures of the matches, by their names."""
    return {words(found.dt): words(found.dd) for found in page.select(".results > div")}


def behind(link: Tag) -> list[float]:
    """The points of all the hands behind a figure, over all pages."""
    found: list[float] = []
    href: str | None = str(link["href"])
    path = urlsplit(str(href)).path
    while href:
        page = soup(Client().get(href))
        found += [number(words(line)) for line in page.select(".behind a > .num")]
        later = page.select_one('.pages [rel="next"]')
        href = path + str(later["href"]) if later else None
    return found


def number(shown: str) -> float:
    return float(shown.replace("−", "-").replace("+", "").replace(",", "").split()[0])


def mean(points: list[float]) -> float:
    return sum(points) / len(points)


def table_with(code: str, matches: int = 6) -> Table:
    """A table with some whole matches of a game, and one that is not over."""
    table = new_table()
    for seed in range(matches):
        played(table, random_match(code, seed))
    played(table, random_match(code, 99, hands=2))
    return table


@pytest.mark.parametrize("code", referee.names())
def test_every_figure_of_a_game_is_what_the_match_files_say(code: str):
    table = table_with(code)
    plain, ruleset = counted(table), referee.load(code)
    for name in ("Ann", "Cy"):
        page, mine = see(person(table, name)), plain[name]
        scores = mine[code, "matches"]
        shown = results(page)
        assert shown["matches"] == str(len(scores))
        assert shown["won"] == str(len(mine[code, "won"]))
        assert shown["average"] == average_score(mean(scores), referee.figures.game(ruleset))
        assert number(shown["best"]) == (min if ruleset.wins == "lowest" else max)(scores)
        rows = table_of(page, "Points a hand")[1:]
        roles = ("declarer", "other") if ruleset.has_declarer else ("other",)
        assert len(rows) == len([c for c in ruleset.contracts if any(mine.get((code, role, c.code)) for role in roles)])
        for row in rows:
            [contract] = [c for c in ruleset.contracts if c.name == row[0]]
            for role, cell in zip(roles, row[1:], strict=True):
                points, everyone = mine[code, role, contract.code], plain["all"][code, role, contract.code]
                if not points:
                    assert cell == "–"
                    continue
                hands = f"{len(points)} hand" + ("s" if len(points) > 1 else "")
                compared = f" all {average(mean(everyone))}" if len(points) >= 5 else ""
                assert cell == f"{average(mean(points))} {hands}{compared}"


@pytest.mark.parametrize("code", [code for code in referee.names() if referee.load(code).doubling.who != "none"])
def test_doubling_is_what_the_match_files_say(code: str):
    table = table_with(code)
    mine = counted(table)["Ann"]
    page = see(person(table))
    for other, *cells in table_of(page, "Doubling with each player")[1:]:
        sums = [mine[code, "doubled", other], mine[code, "doubled by", other]]
        for points, cell in zip(sums, cells[:2], strict=True):
            assert cell == (f"{signed(sum(points))} {len(points)} ×" if points else "–")
        assert number(cells[2]) == sum(map(sum, sums))
    kinds = {row[0]: row[1:] for row in table_of(page, "Doubles")[1:]}
    own = [points for (_code, what, *_), found in mine.items() if what == "doubled" for points in found]
    others = [points for (_code, what, *_), found in mine.items() if what == "doubled by" for points in found]
    assert sum(int(kinds[kind][0]) for kind in ("By choice", "Forced", "Doubled back")) == len(own) > 0
    assert kinds["By the others"] == [str(len(others)), average(mean(others)), signed(sum(others))]
    assert kinds["Together"][2] == signed(sum(own) + sum(others))


def test_before_and_behind_others_is_what_the_match_files_say():
    table = table_with("barbu")
    mine = counted(table)["Ann"]
    for other, before, level, after in table_of(see(person(table)), "Finished matches by place")[1:]:
        assert int(before) == len(mine["barbu", "before", other])
        assert int(after) == len(mine["barbu", "behind", other])
        assert int(before) + int(level) + int(after) == len(mine["barbu", "matches"])


@pytest.mark.parametrize("code", ["barbu", "king", "get-barbara", "coup-detat", "chinese-poker"])
def test_every_figure_opens_the_hands_behind_it(code: str):
    table = table_with(code, matches=1 if code == "chinese-poker" else 3)
    page = see(person(table))
    for cell in page.select(".averages td"):
        if link := cell.a:
            points = behind(link)
            assert words(link.b) == average(mean(points))
            assert words(link.small) == f"{len(points)} hand" + ("s" if len(points) > 1 else "")
    for row in page.select(".doubles tbody tr"):
        times, _average, together = row.select("td")
        if times.a:
            listed = see(person(table), "?" + urlsplit(str(times.a["href"])).query, "hands")
            assert words(listed.select_one("main > p")).startswith(f"{words(times)} double")
            assert sum(behind(times.a)) == number(words(together))
    for link in page.select(".pairs-won td > a"):
        assert sum(behind(link)) == number(words(link))
    for link in page.select(".when td a"):
        assert len(behind(link)) == int(words(link))
    for link in [*page.select(".against td a"), page.select_one(".results a")]:
        assert len(behind(link)) == int(words(link))
    for link in page.select("#doubling ~ p a, section:has(#doubling) > p a"):
        assert len(behind(link)) == int(words(link))


def test_every_line_behind_a_figure_leads_to_its_hand():
    table = table_with("barbu", 1)
    line = see(person(table), "?as=declarer&contract=misere", "hands").select_one(".behind a")
    response = Client().get(line["href"])
    assert response.status_code == 200
    assert "Misère" in soup(response).h1.text
    assert f"hand {line['href'].split('/')[-2]}" in words(line)


def test_a_line_says_when_by_whom_and_who_doubled():
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN), (CY, BOB), (ANN, BOB)], tricks=(2, 3, 5, 3))
    phone.record("no-queens", [])
    passed_out, misere = map(words, see(person(table), "", "hands").select(".behind a"))
    assert passed_out.startswith("No Queens by Bob")
    assert "passed out" in passed_out
    assert "match 1, hand 1 Bob ⇄ Ann, Cy → Bob" in misere
    assert misere.endswith("0")


def test_thirty_hands_a_page():
    table = table_with("barbu", 2)
    first = see(person(table), "", "hands")
    assert len(first.select(".behind li")) == 30
    assert words(first.select_one(".pages span")) == "Page 1 of 2"
    assert parse_qs(first.select_one('[rel="next"]')["href"].lstrip("?")) == {"page": ["2"]}
    assert len(see(person(table), "?page=2", "hands").select(".behind li")) == 28
    assert len(see(person(table), "?page=nonsense", "hands").select(".behind li")) == 30


def test_a_correction_in_an_old_match_moves_every_figure_at_once():
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN)], tricks=(0, 0, 0, 13))
    played(table, random_match("barbu", 1))

    def misere(name: str) -> list[float]:
        return behind(see(person(table, name)).select_one(".averages td a"))[-1:]

    assert (misere("Ann"), misere("Dee")[-1:]) == ([0], misere("Dee"))
    before = see(person(table, "Bob"))
    phone.correct(1, "misere", [(BOB, ANN)], tricks=(13, 0, 0, 0))
    assert misere("Ann") == [-52]
    assert (
        number(table_of(see(person(table, "Bob")), "Doubles")[-1][3]) == number(table_of(before, "Doubles")[-1][3]) + 26
    )
    phone.undo()
    hands = see(person(table), "?contract=misere&as=declarer", "hands")
    assert len(hands.select(".behind a")) == 1


def test_who_never_finished_a_match_sees_his_hands_all_the_same():
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    page = see(person(table))
    assert "No match is finished yet" in words(page.main)
    assert "1 match is not over: its hands count below, but not here" in words(page.main)
    assert table_of(page, "Points a hand")[1] == ["Misère", "−2.0 1 hand", "–"]
    assert "Too little to compare yet: with 5 hands" in words(page.main)
    assert not page.select("svg, .results, .against")


def test_before_the_first_hand_the_page_says_so():
    table = new_table()
    played(table, referee.Match(referee.load("barbu"), PLAYERS))
    assert "No hand has been played to its end yet." in words(see(person(table)).main)


def test_who_never_sat_down_has_a_page_too():
    table = new_table()
    table.player("Gus")
    assert "Gus has not sat down to a match at this table yet." in words(see(person(table, "Gus")).main)


def test_who_is_gone_keeps_the_page():
    table = table_with("barbu", 1)
    person(table).remove()
    page = see(person(table))
    assert "Plays no longer." in words(page.main)
    assert results(page)["match"] == "1"


def test_games_stand_apart_the_most_played_first():
    table = new_table()
    played(table, random_match("barbu", 1))
    played(table, random_match("king", 1))
    played(table, random_match("king", 2))
    page = see(person(table))
    assert [words(tab) for tab in page.select(".tabs a")] == ["King (Rıfkı) 2", "Barbu 1"]
    assert words(page.select_one(".tabs [aria-current]")) == "King (Rıfkı) 2"
    other = see(person(table), "?game=barbu")
    assert results(other)["match"] == "1"
    assert "Dominoes" in words(other.main)
    assert "Dominoes" not in words(page.main)
    followed = soup(Client().get(page.select(".tabs a")[1]["href"]))
    assert words(followed.select_one(".tabs [aria-current]")) == "Barbu 1"


def test_a_changed_price_under_the_same_name_is_told():
    table, rules = new_table(), referee.rules.to_object(referee.load("barbu"))
    dear = {**rules["contracts"][3], "items": [{**rules["contracts"][3]["items"][0], "each": -30}]}
    contracts = [dear if contract["code"] == "barbu" else contract for contract in rules["contracts"]]
    dearer = referee.rules.from_object({**rules, "contracts": contracts, "examples": []})
    match = random_match("barbu", 1, hands=0)
    played(table, match)
    assert "points were changed" not in words(see(person(table)).main)
    barbu = referee.Hand(contract="barbu", doubles=())
    for ruleset in (match.ruleset, dearer):
        played(table, referee.Match(ruleset, PLAYERS, hands=(barbu,)))
    assert "points were changed" in words(see(person(table)).main)


def test_a_chart_says_the_same_as_the_table_in_figures_and_in_words():
    table = table_with("barbu", 8)
    page = see(person(table))
    charts = page.select("figure svg")
    assert [words(chart.title) for chart in charts] == [
        "Points a hand as declarer",
        "Points a hand when others declare",
    ]
    ids = [tag["id"] for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    rows = table_of(page, "Points a hand")[1:]
    for column, chart in enumerate(charts, start=1):
        assert chart["role"] == "img"
        assert [chart["aria-labelledby"], chart["aria-describedby"]] == [chart.title["id"], chart.desc["id"]]
        drawn = [words(text) for text in chart.select("text")]
        told = [[row[0], row[column].split()[0], row[column].split()[-1]] for row in rows if "all" in row[column]]
        assert drawn == [cell for row in told for cell in row]
        assert words(chart.desc) == words(chart.find_parent("figure").select_one("p"))
        apart = {row[0]: number(row[1]) - number(row[2]) for row in told}
        assert f"best in {max(apart, key=apart.get)}" in words(chart.desc) or "nowhere above" in words(chart.desc)


def test_names_that_look_like_markup_are_names():
    table = new_table()
    names = tuple(name[:40] for name in HOSTILE)
    for seed in range(3):
        played(table, random_match("barbu", seed), names=names)
    for name in names:
        page = see(person(table, name))
        assert page.h1.text == name
        assert {row[0] for row in table_of(page, "Finished matches by place")[1:]} == set(names) - {name}
        listed = see(person(table, name), "?doubled=any&doubled_by=1&with=" + person(table, names[0]).code, "hands")
        assert not listed.select("main b b, h1 *")


def test_a_watcher_sees_it_and_the_table_is_remembered():
    table = table_with("barbu", 1)
    client = Client()
    assert client.get(address(person(table))).status_code == 200
    assert "tables" in client.cookies


@pytest.mark.parametrize("parts", [(), ("hands",)])
def test_strangers_and_players_of_other_tables_are_not_found(parts: tuple[str, ...]):
    table, other = table_with("barbu", 1), table_with("barbu", 1)
    theirs = person(other)
    for path in (
        f"/t/{table.code}/players/{theirs.code}/",
        f"/t/{table.code}/players/nobody/",
        f"/t/no/players/{theirs.code}/",
    ):
        assert Client().get("/".join([path.rstrip("/"), *parts, ""])).status_code == 404


NONSENSE = [
    "game=chess",
    "game=barbu:Whist",
    "contract=whist",
    "contract=",
    "as=dealer",
    "declaration=0",
    "declaration=8",
    "declaration=٣",
    "declaration=" + "9" * 400,
    "doubled=twice",
    "doubled_by=maybe",
    "with=nobody",
    "match=lost",
    "passed_out=perhaps",
    "coup=2",
    "chance=-1",
    "with=%00",
    "contract=<script>",
]


@pytest.mark.parametrize("query", NONSENSE)
def test_a_figure_that_there_is_not_is_not_found(query: str):
    table = table_with("barbu", 1)
    response = Client().get(address(person(table), "hands") + "?" + query)
    assert response.status_code == 404
    assert soup(response).h1.text == "There is no such figure."


def test_a_game_that_was_not_played_is_not_found():
    table = table_with("barbu", 1)
    response = Client().get(address(person(table)) + "?game=king")
    assert response.status_code == 404
    assert "Ann has not played this game here." in words(soup(response).main)


def test_hands_of_who_never_sat_down_are_not_found():
    table = new_table()
    gus = table.player("Gus")
    assert Client().get(address(gus, "hands")).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "coup=1",
        "match=shared&with={ann}",
        "doubled=forced&with={ann}",
        "declaration=7&contract=misere&as=other&passed_out=1&doubled=any",
    ],
)
def test_a_figure_with_nothing_behind_it_says_so(query: str):
    table = new_table()
    phone = Phone(played(table, referee.Match(referee.load("barbu"), PLAYERS)))
    phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3))
    page = see(person(table), "?" + query.format(ann=person(table).code), "hands")
    assert words(page.main.select_one(".card")) in ("No hand is like that.", "No match is like that.")


@pytest.mark.parametrize("parts", [(), ("hands",)])
@pytest.mark.parametrize("query", ["", "?match=finished"])
def test_more_matches_cost_no_more_queries(parts: tuple[str, ...], query: str):
    asked = []
    for matches in (2, 20):
        table = new_table()
        for seed in range(matches):
            played(table, random_match("barbu", seed, hands=5))
        ann = person(table)
        for _process in ("new", "warm"):
            with CaptureQueriesContext(connection) as queries:
                assert Client().get(address(ann, *parts) + query).status_code == 200
            asked.append(len(queries))
    assert asked[:2] == asked[2:]
    assert max(asked) <= 6


@pytest.mark.parametrize("path", ["", "hands/"])
def test_it_takes_no_post(path: str):
    table = table_with("barbu", 1)
    assert Client().post(address(person(table)) + path).status_code == 405


def test_no_key_of_the_database_is_on_the_pages():
    table = table_with("barbu", 1)
    for page in (see(person(table)), see(person(table), "", "hands")):
        for link in page.select("main a"):
            path = urlsplit(link["href"]).path.split("/")
            assert len(path) < 4 or path[3] in ("players", "1", "2")


def test_a_contract_that_newer_rules_leave_out_is_still_there_with_its_hands():
    table = new_table()
    old = structs.replace(referee.load("barbu"), code="own-ours", name="Ours", examples=(), rulings=())
    less = tuple(contract for contract in old.contracts if contract.code != "misere")
    played(table, random_match(old, 1))
    played(table, random_match(structs.replace(old, contracts=less), 2))
    rows = table_of(page := see(person(table)), "Points a hand")[1:]
    assert [row[0] for row in rows][-1] == "Misère"
    links = page.select(".averages td > a")
    assert sum(len(behind(link)) for link in links) == 28 + 24
    numbers = [words(found) for found in page.select(".when thead th")]
    assert numbers == list("1234567")
