"""Several phones change a table's people at the same moment, with real threads: nobody is lost, no name doubled."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from scorekeeper.models import Player, Table, new_code

from .table import let_in
from .test_people import CAST, change, named, seats, sit

pytestmark = pytest.mark.django_db(transaction=True)

Deed = Callable[[Client], int]


@pytest.fixture
def table() -> Table:
    table = Table.objects.create(name="Harbour", zone="Europe/Vienna", scorer_hash="-")
    sit(table, ("Ana", "Bert", "Cy", "Dee"))
    sit(table)
    return table


def at_once(table: Table, *deeds: Deed) -> Counter[int]:
    """Each deed on a phone of its own, all at the same time; how often each status came back."""
    together, scorer = Barrier(len(deeds)), Client()
    let_in(scorer, table)

    def one(deed: Deed) -> int:
        try:
            phone = Client()
            phone.cookies.update(scorer.cookies)
            together.wait()
            return deed(phone)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return Counter(pool.map(one, deeds))


def renaming(player: Player, name: str) -> Deed:
    return lambda phone: change(phone, player, "rename", name=name).status_code


def merging(player: Player, into: Player) -> Deed:
    return lambda phone: change(phone, player, "merge", into=into.code, sure="yes").status_code


def test_a_name_wanted_by_four_is_had_by_one(table: Table):
    wanted = [renaming(named(table, name), "Zoë") for name in CAST]
    assert at_once(table, *wanted) == {302: 1, 422: 3}
    assert table.players.filter(name="Zoë").count() == 1
    assert table.players.count() == 5


def test_two_names_made_one_in_both_directions_are_one(table: Table):
    bert, bob = named(table, "Bert"), named(table, "Bob")
    answers = at_once(table, *[merging(bert, bob), merging(bob, bert)] * 3)
    assert answers.keys() <= {302, 404, 422}  # whoever came later finds one of the two gone
    assert table.players.count() == 4
    assert [len(seats(match)) for match in table.matches.all()] == [4, 4]


def test_a_match_with_both_and_their_merging_never_meet_half_way(table: Table):
    bert, bob = named(table, "Bert"), named(table, "Bob")
    names = {f"player-{number}": name for number, name in enumerate(("Bert", "Bob", "Cy", "Dee"), start=1)}

    def begin(phone: Client) -> int:
        form = {"key": new_code(), "game": "barbu", "first": "1", **names}
        return phone.post(f"/t/{table.code}/new/", form).status_code

    assert at_once(table, merging(bert, bob), begin).keys() <= {302, 422}
    # Whichever came first: the match has its four people, by the names that were asked for.
    assert seats(table.matches.latest("number")) == ["Bert", "Bob", "Cy", "Dee"]
    assert [len(seats(match)) for match in table.matches.all()] == [4, 4, 4]
