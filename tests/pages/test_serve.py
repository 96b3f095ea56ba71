"""`manage.py serve`: which names the house answers to, what it says, and that it opens and closes."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
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


def opened(folder: Path, told: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """A house of its own, really opened, on a free port."""
    environment = os.environ | {"DATA_DIR": str(folder)}
    for name in ("DATABASE_URL", "SECRET_KEY", "DEBUG", "HTTPS", "ALLOWED_HOSTS"):
        environment.pop(name, None)
    return subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment | (told or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def port_of(house: subprocess.Popen[str]) -> int:
    """The port that the house says it is open at."""
    assert house.stdout
    for line in house.stdout:
        if found := re.search(r"http://localhost:(\d+)/", line):
            return int(found[1])
    raise AssertionError(house.stderr and house.stderr.read())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A house for the tests of this file."""
    with opened(tmp_path_factory.mktemp("house")) as process:
        yield process
        process.kill()


@pytest.fixture(scope="module")
def port(house: subprocess.Popen[str]) -> int:
    """Where its door is."""
    return port_of(house)


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


SLOW_SETTINGS = """
from scorekeeper.settings import *

ROOT_URLCONF = "slow_pages"
"""

SLOW_PAGES = """
import time
from django.conf import settings
from django.http import HttpResponse
from django.urls import include, path

PAGE = b"a card " * 3_000_000

def slow(request):
    open(settings.DATA_DIR / "asked", "w").close()
    while not (settings.DATA_DIR / "go on").exists():
        time.sleep(0.01)
    return HttpResponse(PAGE)

urlpatterns = [path("slow/", slow), path("", include("scorekeeper.urls"))]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
class TestClosing:
    """How a house closes while somebody is waiting for a page."""

    @pytest.fixture
    def slow(self, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
        """A house with a page that waits until it is told to go on."""
        (tmp_path / "slow_pages.py").write_text(SLOW_PAGES)
        (tmp_path / "slow_settings.py").write_text(SLOW_SETTINGS)
        told = {"DJANGO_SETTINGS_MODULE": "slow_settings", "PYTHONPATH": str(tmp_path)}
        with opened(tmp_path, told) as process:
            yield process
            process.kill()

    def ask(self, port: int, folder: Path) -> http.client.HTTPConnection:
        """A request that is being answered by now."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/slow/", headers={"Host": "localhost"})
        until((folder / "asked").exists)
        return connection

    def test_who_is_being_answered_gets_the_whole_answer(self, slow: subprocess.Popen[str], tmp_path: Path):
        port = port_of(slow)
        beside = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        beside.request("GET", "/ready/", headers={"Host": "localhost"})
        assert beside.getresponse().read() == b"ok"
        waiting = self.ask(port, tmp_path)
        slow.send_signal(signal.SIGTERM)
        until(lambda: not lets_in(port))
        beside.request("GET", "/ready/", headers={"Host": "localhost"})
        assert beside.getresponse().read() == b"The server is closing."
        (tmp_path / "go on").touch()
        response = waiting.getresponse()
        assert (response.status, len(response.read())) == (200, len(b"a card ") * 3_000_000)
        said, complaints = slow.communicate(timeout=20)
        assert (slow.returncode, said[-8:]) == (0, "Closed.\n")
        assert "Traceback" not in complaints

    def test_a_second_signal_goes_at_once(self, slow: subprocess.Popen[str], tmp_path: Path):
        port = port_of(slow)
        waiting = self.ask(port, tmp_path)
        slow.send_signal(signal.SIGTERM)
        until(lambda: not lets_in(port))
        slow.send_signal(signal.SIGTERM)
        slow.communicate(timeout=15)
        assert slow.returncode == 1
        with pytest.raises(http.client.HTTPException):
            waiting.getresponse()


def lets_in(port: int) -> bool:
    """Somebody new finds the door open."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except ConnectionError:
        return False
    return True


def until(so: Callable[[], bool]) -> None:
    """Wait until it is so."""
    latest = time.monotonic() + 30
    while not so():
        assert time.monotonic() < latest
        time.sleep(0.01)


def test_headers_without_end_are_refused(port: int):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/health/", headers={"Host": "localhost", "Cookie": "x" * 40_000})
    assert connection.getresponse().status == 431


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_it_closes_in_peace_when_it_is_told_to(house: subprocess.Popen[str], port: int):
    house.send_signal(signal.SIGTERM)
    said, complaints = house.communicate(timeout=20)
    assert house.returncode == 0
    assert said.endswith("Closed.\n")
    assert "Traceback" not in complaints
