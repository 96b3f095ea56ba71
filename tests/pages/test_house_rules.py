"""A table's own rules: made from any others, kept as versions, played, given away and taken in."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse, QueryDict
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sound_matches

import referee
from referee.rules import to_object
from scorekeeper.forms.own_rules import RulesForm
from scorekeeper.forms.rule_fields import LARGEST_FILE
from scorekeeper.models import Match, Table, TableRules, new_code

from .browser import values
from .no_jacks import NO_JACKS
from .table import let_in, problems, soup, words

pytestmark = pytest.mark.django_db


class Home:
    """A table and the phone that scores it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.table = Table.objects.create(name="Ours", scorer_hash="")
        let_in(client, self.table)

    def address(self, *parts: str) -> str:
        return "/".join(["/t", self.table.code, "rules", *parts, ""])

    def form(self, start: str = "barbu", change: str = "") -> dict[str, list[str]]:
        """The untouched form as a browser would send it."""
        address = self.address(change, "change") if change else f"{self.address('new')}?from={start}"
        return filled(self.client.get(address))

    def save(self, start: str = "barbu", change: str = "", **typed: Any) -> HttpResponse:
        """Fill in the form, with what is typed by the name of its field, ``_`` for ``-``, and save it."""
        sent = self.form(start, change) | {"rules-name": ["Ours"]} if not change else self.form(start, change)
        sent |= {{"name": "rules-name"}.get(name, name.replace("_", "-")): value for name, value in typed.items()}
        sent = {name: value for name, value in sent.items() if value is not None}
        address = self.address(change, "change") if change else f"{self.address('new')}?from={start}"
        return self.client.post(address, sent)

    def made(self, **typed: Any) -> referee.RuleSet:
        response = self.save(**typed)
        assert response.status_code == 302, problems(response)
        return TableRules.objects.latest("pk").game


@pytest.fixture
def home(client: Client) -> Home:
    return Home(client)


def filled(response: HttpResponse) -> dict[str, list[str]]:
    assert response.status_code in (200, 422), response.status_code
    form = soup(response).select_one("form#own")
    sent: dict[str, list[str]] = {}
    for name, value in values(form):
        sent.setdefault(name, []).append(value)
    for area in form.select("textarea"):
        sent[area["name"]] = [area.text.removeprefix("\n")]
    for select in form.select("select"):
        chosen = select.select_one("option[selected]")
        sent[select["name"]] = [chosen["value"] if chosen else ""]
    return sent


def wrong(response: HttpResponse) -> dict[str, str]:
    """What is refused, by the field that the list of problems leads to; each is said at the field too."""
    assert response.status_code == 422
    page = soup(response)
    links = page.select("section[aria-labelledby=problems] li a")
    for link in links:
        assert page.find(id=link["href"].removeprefix("#")), link["href"]
    return {link["href"].removeprefix("#"): link.text for link in links}


def sums(response: HttpResponse) -> str:
    return words(soup(response).select_one("#sums"))


# --- making them ---


@pytest.mark.parametrize("code", referee.names())
def test_a_form_saved_as_it_came_makes_the_same_rules_under_a_new_name(home: Home, code: str):
    made, start = to_object(home.made(start=code)), to_object(referee.load(code))
    assert made.pop("code") == "own-ours"
    assert made.pop("name") == "Ours"
    for dropped in ("chosen",):
        made.pop(dropped)
        start.pop(dropped)
    assert made == {key: value for key, value in start.items() if key not in ("code", "name")}


def test_the_queen_costs_eight_and_dominoes_are_left_out(home: Home):
    made = home.made(value_no_queens_queens="8", times_dominoes="0")
    assert made.contract("no-queens").items[0].each == -8
    assert made.contract("dominoes") is None
    assert made.hands_in_all(4) == 24
    assert made.adds_up_to(4) == -4 * 73


@pytest.mark.parametrize(
    ("start", "typed", "path", "value"),
    [
        ("barbu", {"rotation": "block"}, ["rotation"], "block"),
        ("barbu", {"direction": "counter-clockwise"}, ["direction"], "counter-clockwise"),
        ("barbu", {"dealer": "before"}, ["dealer"], "before"),
        ("barbu", {"doubling_who": "declarer"}, ["doubling", "who"], "declarer"),
        ("barbu", {"doubling_positives": "anyone"}, ["doubling", "positives"], "anyone"),
        ("barbu", {"doubling_compulsory": "7"}, ["doubling", "compulsory"], 7),
        ("barbu", {"doubling_who": "none"}, ["doubling", "compulsory"], 0),
        ("barbu", {"doubling_undoubled": "played"}, ["doubling", "undoubled"], "played"),
        ("barbu", {"hearts_lead": "free"}, ["play", "hearts_lead"], "free"),
        ("barbu", {"under_trump": "must"}, ["play", "under_trump"], "must"),
        ("barbu", {"void_penalty": "must"}, ["play", "void_penalty"], "must"),
        ("barbu", {"beat_trump_lead": "no"}, ["play", "beat_trump_lead"], False),
        ("barbu", {"king": "yes"}, ["play", "king_first_chance"], True),
        ("barbu", {"wins": "above-zero"}, ["wins"], "above-zero"),
        ("barbu", {"times_misere": "3"}, ["contracts", 0, "times"], 3),
        ("barbu", {"times_no_men": "1"}, ["contracts", 7, "code"], "no-men"),
        ("barbu", {"value_dominoes_4_2_minus": "1"}, ["contracts", 6, "places"], (45, -20, 5, -5)),
        ("barbu", {"quota_negative": "3", "quota_positive": "1"}, ["quotas", "negative"], 3),
        ("king", {"quota_negative": "", "quota_positive": ""}, ["quotas"], None),
        ("king", {"limit_misere": "4"}, ["contracts", 0, "times_in_match"], 4),
        ("ravage-city", {"value_ravage_city_penalty": "36"}, ["contracts", 7, "penalty"], -36),
        ("chinese-poker", {"value_chinese_poker_overall": "0"}, ["contracts", 8, "overall"], 0),
        ("get-barbara", {"ends_at": "150"}, ["ends_at"], 150),
        ("get-barbara", {"value_round_barbaras_all": "40"}, ["contracts", 0, "items", 0, "all_to_one"], -40),
        ("get-barbara", {"value_round_barbaras_all": ""}, ["contracts", 0, "items", 0, "all_to_one"], None),
        ("get-barbara", {"joker_blocked": "yes"}, ["play", "joker_to_blocked"], True),
        ("get-barbara", {"joker_bars": "yes"}, ["play", "joker_bars_suits"], True),
        ("coup-detat", {"purse": "5000"}, ["purse"], 5000),
        ("coup-detat", {"coup_failed": "900"}, ["coup_failed"], 900),
        ("coup-detat", {"value_queens_coup": "1200"}, ["contracts", 1, "coup"], 1200),
        ("coup-detat", {"value_tableau_3_3": "700"}, ["contracts", 5, "places_for", "3"], (0, 0, -700)),
    ],
)
def test_every_number_and_switch_can_be_changed(home: Home, start: str, typed: dict, path: list, value: Any):
    told: Any = to_object(home.made(start=start, **typed))
    for step in path:
        told = told[step]
    assert told == value


def test_a_special_move_is_added_and_another_taken_away(home: Home):
    seven = {"move_4_card": "7", "move_4_name": "Turn", "move_4_says": "Play turns round."}
    made = home.made(start="get-barbara", move_0_card="", move_0_name="", move_0_says="", **seven)
    assert [move.card for move in made.play.moves] == ["J", "K", "joker", "7"]
    assert made.play.moves[-1].says == "Play turns round."


def test_one_more_move_brings_an_empty_row_and_stores_nothing(home: Home):
    response = home.save(start="get-barbara", move_4_card="7", move_4_name="Turn", move_4_says="Round.", work="move")
    assert response.status_code == 200
    assert soup(response).find(id="move-5-card")
    assert not TableRules.objects.exists()


def test_worked_examples_are_scored_by_the_new_numbers(home: Home):
    made = home.made(value_no_queens_queens="8", times_misere="0")
    (queens,) = [example for example in made.examples if "No Queens" in example.says]
    assert queens.total == {"Ann": -16, "Bob": 32, "Cy": -16, "Dee": -32}
    assert not any("Misère" in example.says for example in made.examples)


# --- what it comes to ---


def test_the_untouched_form_says_what_each_contract_and_a_match_come_to(home: Home):
    response = home.client.get(f"{home.address('new')}?from=barbu")
    assert sums(response) == "28 hands · adds up to 0"
    assert soup(response).find(id="total-no-queens").text == "−24"


def test_worked_out_it_says_in_a_sentence_that_it_does_not_add_up_to_zero(home: Home):
    response = home.save(value_no_queens_queens="8", times_dominoes="0", times_misere="2", work="1")
    assert response.status_code == 200
    assert sums(response) == "28 hands · does not add up to zero: all scores together make −396"
    page = soup(response)
    assert page.find(id="total-no-queens").text == "−32"
    assert page.find(id="total-misere").text == "−26 × 2"
    assert page.find(id="total-dominoes").text == ""
    assert not TableRules.objects.exists()


def test_sums_are_worked_out_before_there_is_a_name_and_everything_wrong_is_told_at_once(home: Home):
    typed = {"name": "", "value_ravage_city_penalty": "25"}
    assert list(wrong(home.save(start="ravage-city", **typed, work="1"))) == ["value-ravage-city-penalty"]
    found = wrong(home.save(start="ravage-city", **typed))
    assert list(found) == ["rules-name", "value-ravage-city-penalty"]
    response = home.save(start="ravage-city", name="", work="1")
    assert sums(response) == "32 hands · adds up to 0"
    assert not TableRules.objects.exists()


def test_the_script_asks_for_the_sums_alone(home: Home):
    sent = home.form() | {"rules-name": ["x"], "value-no-queens-queens": ["8"], "work": "1"}
    address = f"{home.address('new')}?from=barbu"
    told = home.client.post(address, sent, headers={"X-In-Place": "1"}).json()
    assert told["total-no-queens"] == "−32"
    assert told["sums"] == "28 hands · does not add up to zero: all scores together make −32"
    assert told["adds_up"] is False


# --- what is refused ---


@pytest.mark.parametrize(
    ("start", "typed", "field", "says"),
    [
        ("barbu", {"name": " "}, "rules-name", "Name: nothing is entered."),
        ("barbu", {"name": "x" * 41}, "rules-name", "Name: 41 characters; at most 40 fit."),
        ("barbu", {"name": "a\x00b"}, "rules-name", "Name: it has characters that cannot be read."),
        ("barbu", {"name": "king (rıfkı)"}, "rules-name", "already. Take another name."),
        ("barbu", {"rules_about": "x" * 2001}, "rules-about", "2001 characters; at most 2000 fit."),
        (
            "barbu",
            {"value_misere_tricks": "two"},
            "value-misere-tricks",
            "“two” is not a whole number from 0",
        ),
        (
            "barbu",
            {"value_misere_tricks": ""},
            "value-misere-tricks",
            "Misère, Each trick: nothing is entered",
        ),
        ("barbu", {"value_misere_tricks": "9" * 400}, "value-misere-tricks", "to 1,000,000."),
        ("barbu", {"value_misere_tricks": "٣"}, "value-misere-tricks", "not a whole number"),
        ("barbu", {"value_misere_tricks": None}, "value-misere-tricks", "nothing came of this field"),
        ("barbu", {"value_misere_tricks": ["2", "3"]}, "value-misere-tricks", "this came twice"),
        ("barbu", {"value_trumps_tricks": "-5"}, "value-trumps-tricks", "“-5” is not a whole number"),
        ("barbu", {"times_misere": "17"}, "times-misere", "choose one of these."),
        ("barbu", {"rotation": None}, "rotation", "nothing came of this field"),
        ("barbu", {"rotation": "round"}, "rotation", "choose one of these."),
        (
            "barbu",
            {"doubling_compulsory": "8"},
            "doubling-compulsory",
            "8 doubles are owed to each declarer, but",
        ),
        ("barbu", {"quota_negative": "3"}, "quota-positive", "fill in both numbers, or neither."),
        ("barbu", {"quota_negative": "6", "quota_positive": "1"}, "quota-negative", "room for 20"),
        (
            "barbu",
            {"quota_negative": "0", "quota_positive": "0"},
            "quota-negative",
            "Nobody declares anything.",
        ),
        ("king", {"limit_misere": "1"}, "quota-negative", "which is 12"),
        ("king", {"quota_positive": "3"}, "quota-positive", "and for 2 of one player"),
        ("ravage-city", {"value_ravage_city_penalty": "25"}, "value-ravage-city-penalty", "24 and 36 can."),
        ("get-barbara", {"ends_at": "0"}, "ends-at", "from 1 to 1,000,000."),
        ("get-barbara", {"move_1_card": "A"}, "move-1-card", "this card has a move already."),
        ("get-barbara", {"move_1_card": ""}, "move-1-card", "choose one of these."),
        ("get-barbara", {"move_1_card": "1"}, "move-1-card", "choose one of these."),
        ("get-barbara", {"move_1_name": ""}, "move-1-name", "nothing is entered."),
        ("coup-detat", {"purse": "9999999999"}, "purse", "to 1,000,000,000."),
        ("barbu", {"key": "x"}, "rules-name", "The form came incomplete."),
    ],
)
def test_what_cannot_be_is_refused_at_its_field_in_words(home: Home, start: str, typed: dict, field: str, says: str):
    response = home.save(start=start, **typed)
    found = wrong(response)
    assert list(found) == [field]
    assert says in found[field]
    assert not TableRules.objects.exists()


def test_a_minus_sign_that_is_typed_all_the_same_is_understood(home: Home):
    assert home.made(value_misere_tricks="−3").contract("misere").items[0].each == -3


def test_everything_left_out_is_refused(home: Home):
    nothing = {f"times_{contract.code}": "0" for contract in referee.load("barbu").contracts}
    assert wrong(home.save(**nothing)) == {"contracts": "Every contract is left out. Keep at least one."}


def test_nothing_that_brings_points_is_refused(home: Home):
    zero = {f"value_round_{item}": "0" for item in ("barbaras", "fives", "ones")}
    assert "nobody ever reaches 100" in wrong(home.save(start="get-barbara", **zero))["ends-at"]


def test_what_was_typed_stays(home: Home):
    typed = {
        "value-misere-tricks": "two",
        "rules-name": "Our way",
        "rotation": "block",
        "times-dominoes": "0",
    }
    sent = home.form() | {name: [value] for name, value in typed.items()}
    response = home.client.post(f"{home.address('new')}?from=barbu", sent)
    shown = filled(response)
    del sent["csrfmiddlewaretoken"], shown["csrfmiddlewaretoken"]
    assert shown == sent


def test_what_is_left_out_is_not_asked_about_but_stays(home: Home):
    response = home.save(times_misere="0", value_misere_tricks="two", work="1")
    assert response.status_code == 200
    assert filled(response)["value-misere-tricks"] == ["two"]


@settings(max_examples=60)
@given(st.data())
def test_no_junk_brings_the_house_down(data: st.DataObject):
    code = data.draw(st.sampled_from(referee.names()))
    form = RulesForm(referee.load(code))
    fields = [one.name for one in form.fields]
    junk = st.one_of(st.text(max_size=30), st.integers().map(str), st.sampled_from(["yes", "none", "0", "-0", "1e9"]))
    changes = data.draw(st.dictionaries(st.sampled_from(fields), st.lists(junk, max_size=2), max_size=6))
    posted = RulesForm.posted(told(form, changes), referee.load(code))
    assert bool(posted.problems) == (posted.ruleset is None)
    assert posted.sums


def told(form: RulesForm, changes: dict[str, list[str]]) -> Any:
    """The form as a browser sends it, with these fields changed."""
    data = QueryDict(mutable=True)
    data["key"], data["rules-name"] = form.key, "Ours"
    for one in form.fields:
        if one.name != "rules-name":
            data[one.name] = one.typed
        if getattr(one, "turns", False) and one.minus:
            data[f"{one.name}-minus"] = "1"
    for name, sent in changes.items():
        data.setlist(name, sent)
    return data


@settings(max_examples=80)
@given(st.data())
def test_whatever_the_form_takes_can_be_played_to_its_end_and_adds_up_as_it_says(data: st.DataObject):
    start = referee.load(data.draw(st.sampled_from(referee.names())))
    form = RulesForm(start)
    changes: dict[str, list[str]] = {}
    for one in list(form.fields):
        if not data.draw(st.integers(0, 5)):
            if one.kind == "choice":
                changes[one.name] = [data.draw(st.sampled_from(sorted(one.options)))]
            elif one.kind == "number":
                changes[one.name] = [data.draw(st.sampled_from(["0", "1", "2", "3", "5", "12", "24", "60"]))]
    for one in form.fields:  # a move needs all of its parts
        if one.name.startswith("move-"):
            changes.pop(one.name, None)
    posted = RulesForm.posted(told(form, changes), start)
    if posted.ruleset is None:
        assert posted.problems
        return
    match = data.draw(sound_matches(posted.ruleset, complete=True))
    assert match.problems == ()
    assert match.is_over
    total = posted.ruleset.adds_up_to(len(match.players))
    if total is not None:
        assert sum(match.turn.running) + match.turn.bank == total
    for example in posted.ruleset.examples:
        assert example.total or example.refused


# --- versions ---


def test_the_same_form_sent_twice_makes_one_version(home: Home):
    sent = home.form() | {"rules-name": ["Ours"]}
    address = f"{home.address('new')}?from=barbu"
    assert home.client.post(address, sent).url == home.client.post(address, sent).url
    assert TableRules.objects.count() == 1


def test_going_back_and_changing_something_makes_the_next_version_of_the_same_rules(home: Home):
    sent = home.form() | {"rules-name": ["Ours"]}
    address = f"{home.address('new')}?from=barbu"
    first = home.client.post(address, sent)
    second = home.client.post(address, sent | {"value-misere-tricks": ["3"]})
    assert first.url == second.url
    assert list(TableRules.objects.values_list("code", "version")) == [("own-ours", 1), ("own-ours", 2)]


def test_a_change_is_another_version_and_a_change_of_nothing_is_none(home: Home):
    home.save()
    home.save(change="own-ours", value_misere_tricks="3", name="Ours, harder")
    home.save(change="own-ours")
    assert list(TableRules.objects.values_list("code", "version")) == [("own-ours", 1), ("own-ours", 2)]
    assert TableRules.objects.latest("pk").game.name == "Ours, harder"


def test_a_name_may_not_be_had_twice_and_a_like_one_has_a_code_of_its_own(home: Home):
    home.save()
    assert "there are rules called “OURS” already" in wrong(home.save(name="OURS"))["rules-name"]
    home.save(name="Ours!")
    home.save(name="Barbu-Quick")
    home.save(name="رُبّا")
    codes = set(TableRules.objects.values_list("code", flat=True))
    assert codes == {"own-ours", "own-ours-2", "own-barbu-quick", "own-rules"}


def said(game: str) -> dict[str, str]:
    names = {f"player-{number}": name for number, name in enumerate(("Ann", "Bob", "Cy", "Dee"), 1)}
    return {"key": new_code(), "game": game, "first": "1", **names}


def test_a_match_is_begun_by_them_and_keeps_them_whatever_happens_later(home: Home):
    home.save(value_no_queens_queens="8")
    new = f"/t/{home.table.code}/new/"
    page = soup(home.client.get(f"{new}?game=own-ours"))
    assert words(page.find(id="game-own-ours")) == "Ours"
    assert page.select_one("input[name=game][checked]")["value"] == "own-ours"
    home.client.post(new, said("own-ours"))
    home.save(change="own-ours", value_no_queens_queens="9")
    match = Match.objects.get()
    assert match.state().match.ruleset.contract("no-queens").items[0].each == -8
    shown = home.client.get(f"/t/{home.table.code}/1/rules/").content.decode()
    assert "−8 for each queen" in shown
    assert "−9 for each queen" in home.client.get(home.address("own-ours")).content.decode()
    assert home.client.get(f"/t/{home.table.code}/1/").status_code == 200
    again = soup(home.client.get(f"{new}?again=1"))
    assert again.select_one("input[name=game][checked]")["value"] == "own-ours"


def test_no_other_table_plays_by_them(home: Home):
    home.save()
    assert home.client.post("/new/", said("own-ours")).status_code == 422


def test_the_match_page_leads_to_its_rules_at_the_contract(home: Home):
    home.client.post(f"/t/{home.table.code}/new/", said("barbu"))
    page = soup(home.client.get(f"/t/{home.table.code}/1/"))
    assert page.find("a", href=f"/t/{home.table.code}/1/rules/")
    assert soup(home.client.get(f"/t/{home.table.code}/1/rules/")).find(id="no-queens")


# --- who may ---


def test_a_watcher_reads_them_and_makes_none(home: Home):
    home.save()
    watcher = Client()
    for address in (home.address(), home.address("own-ours"), home.address("own-ours", "file")):
        assert watcher.get(address).status_code == 200
    page = soup(watcher.get(home.address()))
    assert not page.select("form")
    for address in (f"{home.address('new')}?from=barbu", home.address("own-ours", "change")):
        assert watcher.get(address).status_code == 403
        assert watcher.post(address, {}).status_code == 403
    assert watcher.post(home.address("import"), {"text": "{}"}).status_code == 403


@pytest.mark.parametrize("asked", ["", "?from=", "?from=whist", "?from=own-none", "?from=%00"])
def test_rules_cannot_start_from_nothing(home: Home, asked: str):
    assert home.client.get(home.address("new") + asked).status_code == 404


def test_rules_that_are_none_are_not_found(home: Home):
    for parts in (("own-none",), ("own-none", "change"), ("own-none", "file")):
        assert home.client.get(home.address(*parts)).status_code == 404


def test_a_post_of_nothing_is_refused_in_words(home: Home):
    response = home.client.post(f"{home.address('new')}?from=barbu", {})
    assert len(wrong(response)) > 20


# --- alone, as a file ---


def test_rules_given_as_a_file_are_the_same_at_another_table(home: Home):
    home.save(value_no_queens_queens="8")
    file = home.client.get(home.address("own-ours", "file"))
    assert file["Content-Disposition"] == 'attachment; filename="own-ours.json"'
    there = Home(Client())
    upload = SimpleUploadedFile("own-ours.json", file.content)
    response = there.client.post(there.address("import"), {"key": new_code(), "file": upload})
    assert response.url == there.address("own-ours")
    assert there.table.rules.get().game == home.table.rules.get().game


def take(home: Home, text: object, **more: Any) -> HttpResponse:
    text = text if isinstance(text, str) else json.dumps(text)
    return home.client.post(home.address("import"), {"key": new_code(), "text": text} | more)


def test_rules_whose_name_is_taken_get_a_number(home: Home):
    take(home, to_object(referee.load("barbu")))
    assert [rules.game.name for rules in home.table.own_rules()] == ["Barbu 2"]


def test_rules_taken_twice_are_there_once(home: Home):
    home.save()
    text = home.client.get(home.address("own-ours", "file")).content.decode()
    assert take(home, text).url == home.address("own-ours")
    assert TableRules.objects.count() == 1


def plain(**changes: Any) -> dict[str, Any]:
    return to_object(referee.load("barbu")) | changes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Choose a file of rules, or paste its text."),
        ("barbu", "These are no rules. The file is not JSON"),
        ("[1]", "These are no rules. The file holds no rule set but a list."),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": 1, "a": 2}', "is there twice"),
        ("[" * 5000, "nested out of all reason"),
        ("{}", "These rules cannot be played. code is missing."),
        (plain(colour="red"), "there is no field “colour” here."),
        (plain(contracts=[]), "contracts: expected a list of length at least 1"),
        (plain(wins="never"), "“never” is none of the choices"),
        (plain(name="a\x07b"), "A name in these rules has characters that cannot be read."),
        (plain(about="a\x00b"), "characters that cannot be read."),
        ('{"name": "\\ud800"}', "These are no rules."),
        ("x" * (LARGEST_FILE + 1), "at most 100,000 are read."),
    ],
)
def test_what_cannot_be_taken_is_refused_whole_in_words(home: Home, text: object, says: str):
    response = take(home, text)
    (found,) = problems(response)
    assert says in found
    assert not TableRules.objects.exists()
    if isinstance(text, str) and len(text) < 100:
        assert soup(response).find(id="text").text.strip() == text


def test_examples_that_make_no_sense_are_left_behind(home: Home):
    strange = [{"says": "?", "hand": {"contract": 5}}, {"says": "!", "hand": {}, "total": {"Ann": 1}}]
    take(home, plain(examples=strange, name="Ours"))
    assert TableRules.objects.get().game.examples == ()
    assert home.client.get(home.address("own-ours")).status_code == 200


def test_a_file_that_is_no_text_is_refused(home: Home):
    response = take(home, "", file=SimpleUploadedFile("x.json", b"\xff\xfe\x00"))
    assert "is not UTF-8 text" in problems(response)[0]


def test_a_contract_of_a_known_kind_that_nobody_has_heard_of_can_be_taken_and_changed(home: Home):
    take(home, NO_JACKS)
    made = home.made(change="own-strange-things", value_no_jacks_jacks="7")
    assert made.contract("no-jacks").items[0].each == -7
    assert {type(contract).__name__ for contract in made.contracts} == {
        "Counts",
        "Finish",
        "Ravaged",
        "Beats",
    }


# --- to read ---


@pytest.mark.parametrize("code", referee.names())
def test_every_contract_says_how_it_is_entered(client: Client, code: str):
    page = BeautifulSoup(client.get(f"/rules/{code}/").content, "html.parser")
    for contract in referee.load(code).contracts:
        assert "To enter:" in page.find(id=contract.code).text


def test_passing_out_is_a_table(client: Client):
    page = BeautifulSoup(client.get("/rules/barbu/").content, "html.parser")
    rows = [[words(cell) for cell in row.select("th, td")] for row in page.select(".passed-out tr")]
    assert rows[0] == ["Contract", "Declarer", "Each other"]
    assert rows[1:] == [
        ["Misère", "+1", "−9"],
        ["No Hearts", "0", "−10"],
        ["No Queens", "0", "−8"],
        ["Barbu", "+1", "−7"],
        ["No Last Two", "0", "−10"],
    ]


def test_it_asks_little_of_the_database(home: Home, django_assert_max_num_queries: Any):
    for name in ("Ours", "Yours", "Theirs"):
        home.save(name=name)
    for address in (home.address(), home.address("own-ours"), f"{home.address('new')}?from=barbu"):
        with django_assert_max_num_queries(3):
            home.client.get(address)
