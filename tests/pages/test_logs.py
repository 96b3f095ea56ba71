"""What the log tells the operator, and what it never tells anybody."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory

from scorekeeper import logs
from scorekeeper.views import match, start

from .table import ANN, BOB, Phone, begin

NAME, NOTE = "Wilhelmina", "she cheated again"
SECRET_ID = "evening-42"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every line that any logger has to say, however little it matters, as it would stand in the log."""
    told: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(logs.Line().format(record))

    handler, root = Handler(), logging.getLogger()
    loggers = [root, *(logger for logger in root.manager.loggerDict.values() if isinstance(logger, logging.Logger))]
    for logger in loggers:
        monkeypatch.setattr(logger, "level", logging.DEBUG)
        monkeypatch.setattr(logger, "disabled", False)
        logger.manager._clear_cache()
    root.addHandler(handler)
    yield told
    root.removeHandler(handler)
    for logger in loggers:
        logger.manager._clear_cache()


@pytest.fixture
def phone(db: None, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """A phone at a table where every word is a secret; what breaks is answered as a server answers it."""
    monkeypatch.setattr(Client, "store_exc_info", lambda _client, **_: None)
    phone = begin(players=(NAME, "Bob", "Cy", "Dee"))
    phone.match.table.name = "The Conspirators"
    phone.match.table.save()
    return phone


def raising(error: Exception) -> Any:
    def fail(*_arguments: Any, **_how: Any) -> None:
        raise error

    return fail


def test_a_request_is_one_line_with_the_name_of_its_page(phone: Phone, lines: list[str]):
    phone.client.get(phone.address() + "?x=1", headers={"X-Request-ID": SECRET_ID})
    [line] = [line for line in lines if "scorekeeper.access" in line]
    assert line.split(" ", 2)[2].startswith("INFO scorekeeper.access [evening-42] GET match 200 ")
    assert line.endswith(" bytes")


@pytest.mark.parametrize(("path", "page"), [("/", "start"), ("/nowhere/at/all/", "-"), ("/static/none.css", "static")])
@pytest.mark.django_db
def test_what_is_no_page_of_a_table_has_a_name_too(client: Client, lines: list[str], path: str, page: str):
    client.get(path)
    assert any(f" GET {page} " in line for line in lines)


def test_the_answer_carries_the_proxys_id_or_a_new_one(client: Client):
    given = client.get("/rules/", headers={"X-Request-ID": "3f2a-Evening"})
    assert given["X-Request-ID"] == "3f2a-Evening"
    made = {client.get("/rules/")["X-Request-ID"] for _ in range(2)}
    assert len(made) == 2
    assert all(logs.SANE_ID.fullmatch(one) for one in made)


@pytest.mark.parametrize("strange", ["short", "x" * 65, "with space", "<b>bold</b>", "line\nbreak", "ünïcödé-id"])
def test_an_id_that_looks_strange_is_not_taken(rf: RequestFactory, strange: str):
    answer = logs.follow(lambda _request: HttpResponse())
    assert logs.SANE_ID.fullmatch(answer(rf.get("/", headers={"X-Request-ID": strange}))["X-Request-ID"])


def test_a_fault_is_told_with_its_place_and_its_requests_id(
    phone: Phone, lines: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(match, "match_page", raising(ValueError(f"no place for {NAME}")))
    response = phone.client.get(phone.address(), headers={"X-Request-ID": SECRET_ID})
    assert response.status_code == 500
    [line] = [line for line in lines if "django.request" in line]
    head, *trace = line.splitlines()
    assert head.endswith("ERROR django.request [evening-42] Internal Server Error: /…")
    assert any("views/match.py" in place for place in trace)
    assert trace[-1] == "builtins.ValueError"


def test_what_the_machine_says_is_told_whole(phone: Phone, lines: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(match, "match_page", raising(OperationalError("database or disk is full")))
    assert phone.client.get(phone.address()).status_code == 503
    assert "django.db.utils.OperationalError: database or disk is full" in "\n".join(lines)


def test_what_came_before_an_exception_is_told_with_it(lines: list[str]):
    try:
        try:
            raise OSError(28, "No space left on device")
        except OSError as error:
            raise KeyError(NAME) from error
    except KeyError:
        logging.getLogger("any").exception("A fault at https://cards.example/t/abc/1/ and /t/abc?x=%s", NAME)
    assert "No space left on device" in lines[-1]
    assert lines[-1].splitlines()[0].endswith("A fault at /… and /…")
    assert "and then" in lines[-1]
    assert NAME not in lines[-1]


def test_one_line_cannot_be_made_to_look_like_two(lines: list[str]):
    logging.getLogger("any").warning("one\nERROR django.request [x] two")
    assert len(lines[-1].splitlines()) == 1


def everything_that_goes_wrong(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ask for every kind of page, error and refusal there is; the statuses."""
    table, address = phone.match.table, phone.address()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = phone.client.cookies
    asked = [
        phone.client.get(address),
        phone.client.get(f"/t/{table.code}/?q={NAME}"),
        phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 3), note=NOTE),
        phone.record("misere", [(BOB, ANN)], tricks=(2, 3, 5, 4), note=NOTE),
        phone.client.get(f"/t/{table.code}"),
        phone.client.get(f"/t/{table.code}x/"),
        phone.client.get(f"/T/{table.code}/"),
        phone.client.put(address),
        Client().post(phone.address("hand", 2), {"note": NOTE}),
        Client().get(f"/t/{table.code}/new/"),
        strict.post(phone.address("hand", 2), {"note": NOTE}),
        strict.post(
            phone.address("hand", 2), headers={"Referer": f"http://elsewhere.example{address}?{NAME}"}, secure=True
        ),
        phone.client.get(address, headers={"Host": "elsewhere.example"}),
        phone.client.post(phone.address("hand", 2), {f"field-{n}": NOTE for n in range(2000)}),
        phone.client.post(address, json.dumps({"note": NOTE}), content_type="application/json"),
        phone.client.get(f"/rules/{NAME}/"),
    ]
    for error in (
        ValueError(f"{NAME} {table.code}"),
        KeyError(table.code),
        OperationalError("database is locked"),
        SuspiciousOperation(f"Strange things at {address}"),
        PermissionDenied(NAME),
    ):
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(match, "match_page", raising(error))
            asked.append(phone.client.get(f"{address}?name={NAME}"))
            meanwhile.setattr(start, "tables_seen", raising(error))
            asked.append(phone.client.get(f"/?name={NAME}"))
    return [response.status_code for response in asked]


def test_no_secret_stands_in_any_line_whatever_happens(
    phone: Phone, lines: list[str], monkeypatch: pytest.MonkeyPatch, settings: Any
):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    statuses = everything_that_goes_wrong(phone, monkeypatch)
    assert {200, 301, 302, 400, 403, 404, 405, 422, 500, 503} <= set(statuses)
    cookies = [morsel.value for morsel in phone.client.cookies.values()]
    table = phone.match.table
    secrets = [table.code, table.seed, table.key, table.scorer_hash, table.name, NAME, NOTE, settings.SECRET_KEY]
    said = "\n".join(lines)
    assert len(lines) > 30
    assert [secret for secret in [*secrets, *cookies] if secret in said] == []


def test_the_test_above_sees_a_secret_where_there_is_one(
    phone: Phone, lines: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(logs.Line, "format", logging.Formatter().format)
    everything_that_goes_wrong(phone, monkeypatch)
    said = "\n".join(lines)
    assert phone.match.table.code in said
    assert NAME in said


def test_a_stranger_name_for_this_house_is_told(client: Client, lines: list[str]):
    client.get("/", headers={"Host": "elsewhere.example"})
    assert any("Invalid HTTP_HOST header: 'elsewhere.example'" in line for line in lines)


def test_a_page_that_was_answered_from_memory_has_its_name_too(rf: RequestFactory):
    assert logs.page(rf.get("/t/abc/1/")) == "match"
