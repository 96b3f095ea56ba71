"""`manage.py serve`: which names the house answers to, what it says, and that it opens and closes."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError

from scorekeeper.management.commands import serve

ROOT = Path(__file__).parents[2]


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The networks that this machine stands in: from a neighbour's address to the machine's own."""
    there: dict[str, str] = {}
    monkeypatch.setattr(serve, "own_address", there.get)
    monkeypatch.setattr(serve, "named_addresses", list)
    return there


def test_a_phone_finds_the_machine_by_its_address_on_the_home_network(networks: dict[str, str]):
    networks |= {"192.168.0.1": "192.168.0.20", "10.0.0.1": "192.168.0.20"}
    assert serve.lan_addresses() == ["192.168.0.20"]


def test_a_machine_in_two_networks_has_two_addresses(networks: dict[str, str]):
    networks |= {"192.168.0.1": "192.168.0.20", "10.42.0.1": "10.42.0.1"}
    assert serve.lan_addresses() == ["192.168.0.20", "10.42.0.1"]


def test_without_a_route_the_machines_name_tells_its_address(networks: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serve, "named_addresses", lambda: ["127.0.1.1", "192.168.7.7"])
    assert serve.lan_addresses() == ["192.168.7.7"]


def test_without_a_network_there_is_no_address(networks: dict[str, str]):
    assert serve.lan_addresses() == []


def test_a_name_that_nobody_knows_has_no_addresses(monkeypatch: pytest.MonkeyPatch):
    def unknown(name: str) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "gethostbyname_ex", unknown)
    assert serve.named_addresses() == []


def test_it_asks_for_its_own_address_without_an_error():
    address = serve.own_address("127.0.0.1")
    assert address == "127.0.0.1"
    assert serve.own_address("no such neighbour.invalid") is None


@pytest.mark.parametrize("name", ["Kitchen", "kitchen.local"])
def test_the_house_answers_to_every_name_of_the_machine(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    hosts = serve.own_hosts(["192.168.0.20"])
    assert {"localhost", "127.0.0.1", "192.168.0.20", "kitchen.local"} <= set(hosts)
    assert name.lower() in hosts


def test_a_taken_port_is_refused_with_the_command_that_takes_another():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} is taken .* PORT={port + 1} make serve"):
            serve.listen("127.0.0.1", port)


def test_an_address_or_a_port_that_cannot_be_is_refused_in_words():
    with pytest.raises(CommandError, match=r"Cannot listen on 192\.0\.2\.1, port 8000"):
        serve.listen("192.0.2.1", 8000)
    with pytest.raises(CommandError, match=r"Cannot listen on 127\.0\.0\.1, port 70000"):
        serve.listen("127.0.0.1", 70000)


def test_the_code_for_the_camera_is_white_on_black_in_every_line():
    lines = serve.qr_code("http://192.168.0.20:8000/").splitlines()
    assert len(lines) > 10
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
    assert len({len(line) for line in lines}) == 1


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A house of its own, really opened, on a free port."""
    environment = os.environ | {"DATA_DIR": str(tmp_path_factory.mktemp("house"))}
    for name in ("DATABASE_URL", "SECRET_KEY", "DEBUG", "HTTPS", "ALLOWED_HOSTS"):
        environment.pop(name, None)
    with subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def port(house: subprocess.Popen[str]) -> int:
    """The port that the house says it is open at."""
    assert house.stdout
    for line in house.stdout:
        if found := re.search(r"http://localhost:(\d+)/", line):
            return int(found[1])
    raise AssertionError(house.stderr and house.stderr.read())


def get(port: int, path: str, host: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": f"{host}:{port}", "Accept-Encoding": "br"})
    return connection.getresponse()


def test_a_phone_on_the_home_network_is_let_in(port: int):
    for host in [*serve.lan_addresses(), "localhost", socket.gethostname()]:
        response = get(port, "/health/", host)
        assert (response.status, response.read()) == (200, b"ok")


def test_a_stranger_name_is_turned_away(port: int):
    assert get(port, "/health/", "cards.example").status == 400


def test_the_start_page_names_static_files_that_are_compressed_and_kept_for_good(port: int):
    page = get(port, "/", "localhost")
    assert page.status == 200
    names = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.read().decode())
    assert names
    for name in names:
        assert re.search(r"\.[0-9a-f]{12}\.(css|js)$", name)
        file = get(port, name, "localhost")
        assert file.status == 200
        assert file.headers["Content-Encoding"] == "br"
        assert "immutable" in file.headers["Cache-Control"]


def test_one_connection_carries_many_pages_and_heads(port: int):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for method, body in [("GET", b"ok"), ("HEAD", b""), ("GET", b"ok")]:
        connection.request(method, "/health/", headers={"Host": "localhost"})
        first = connection.sock
        assert connection.getresponse().read() == body
        assert connection.sock is first


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_it_closes_in_peace_when_it_is_told_to(house: subprocess.Popen[str], port: int):
    house.send_signal(signal.SIGTERM)
    said, complaints = house.communicate(timeout=20)
    assert house.returncode == 0
    assert said.endswith("Closed.\n")
    assert "Traceback" not in complaints
