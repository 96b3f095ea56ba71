"""What DEPLOYMENT.md tells an operator to type, to set and to copy is there, and works as far as a test can see."""

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "DEPLOYMENT.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SETTINGS = (ROOT / "scorekeeper" / "settings.py").read_text()


def block(kind: str, holds: str) -> str:
    """The one example of this kind that holds these words."""
    [found] = [text for named, text in BLOCKS if named == kind and holds in text]
    return found


def typed() -> list[list[str]]:
    """Every `manage.py` command of the page, as words."""
    lines = [line for _kind, text in BLOCKS for line in text.splitlines() if "manage.py" in line]
    assert len(lines) > 8
    return [shlex.split(line.partition("manage.py ")[2]) for line in lines]


def test_the_readme_leads_there():
    assert "(DEPLOYMENT.md)" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("words", typed(), ids=" ".join)
def test_every_command_is_one_and_knows_its_options(words: list[str]):
    name, *arguments = words
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    given = [word.strip("[]") for word in arguments]
    known = {option for action in parser._actions for option in action.option_strings}
    assert {word for word in given if word.startswith("--")} <= known


def test_every_variable_that_is_set_is_read_by_the_settings():
    lines = [line for kind, text in BLOCKS if kind == "ini" for line in text.splitlines()]
    told = re.findall(r"`([A-Z_]+)=", PAGE) + re.findall(r"\b([A-Z]+_?[A-Z]+)=(?:/srv|postgres)", PAGE)
    names = {found[1] for line in lines if (found := re.match(r"([A-Z_]+)=", line))} | set(told)
    assert {"DATA_DIR", "HTTPS", "HSTS", "DATABASE_URL", "SECRET_KEY"} <= names
    assert [name for name in names if f'"{name}"' not in SETTINGS] == []


def test_the_unit_is_whole_and_starts_what_is_there():
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str
    unit.read_string(block("ini", "[Unit]"))
    assert unit.sections() == ["Unit", "Service", "Install"]
    service = unit["Service"]
    assert service["ExecStart"].startswith(service["WorkingDirectory"])
    assert service["ProtectSystem"] == "strict"
    environment = block("ini", "ALLOWED_HOSTS=")
    assert f"DATA_DIR={service['ReadWritePaths']}\n" in environment
    assert service["EnvironmentFile"] == "/srv/tafferan/environment"


def test_the_unit_waits_longer_than_the_house_takes_to_close():
    from scorekeeper.closing import GRACE

    assert int(re.findall(r"TimeoutStopSec=(\d+)", PAGE)[0]) > GRACE + 5
    assert f"for up to {GRACE} seconds" in PAGE


def test_both_proxies_tell_the_house_what_it_must_know():
    for header in ("Host $host", "X-Forwarded-Proto $scheme", "X-Forwarded-For", "X-Request-ID"):
        assert f"proxy_set_header {header}" in block("nginx", "server {")
    assert "header_up X-Request-ID" in block("", "reverse_proxy")


def test_no_log_of_the_proxy_holds_a_tables_link():
    form = re.search(r"log_format without_links '(.*)';", block("nginx", "server {"))
    assert form
    assert not {"$request", "$request_uri", "$uri", "$http_referer", "$args", "$http_cookie"} & set(form[1].split())


def test_both_proxies_let_through_what_the_house_takes():
    from scorekeeper.sizes import LARGEST

    for found in re.findall(r"(?:max_size|client_max_body_size) (\d+)[mM]", PAGE):
        assert int(found) * 1_000_000 >= LARGEST
    assert f"{50_000_000 // 1_000_000} MB of disk free" in PAGE


def test_the_limits_that_are_told_are_those_of_the_house():
    from scorekeeper.sizes import ORDINARY
    from scorekeeper.views.health import LEAST_FREE

    served = (ROOT / "scorekeeper" / "management" / "commands" / "serve.py").read_text()
    assert f"more than {ORDINARY // 1_000_000} MB for an ordinary page" in PAGE
    assert "more than 32 kB of\nheaders" in PAGE
    assert "max_request_header_size=32_768" in served
    assert "more than 200 connections" in PAGE
    assert "connection_limit=200" in served
    assert f"{LEAST_FREE // 1_000_000} MB of disk free" in PAGE


def test_nginx_takes_its_example(tmp_path: Path):
    """Where nginx is at hand it reads the example itself; anywhere else its braces and semicolons are counted."""
    text = re.sub(r"ssl_certificate.*\n", "", block("nginx", "server {"))
    nginx = shutil.which("nginx")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert [line for line in lines if line[-1] not in "{};"] == []
    assert text.count("{") == text.count("}")
    if nginx:
        text = text.replace(" ssl http2", "").replace("/var/log/nginx", str(tmp_path))
        text = re.sub(r"listen .*443;", "listen 8443;", re.sub(r"listen .*80;", "listen 8080;", text))
        whole = tmp_path / "nginx.conf"
        whole.write_text(f"pid {tmp_path}/pid; events {{}} http {{ {text} }}")
        read = subprocess.run([nginx, "-t", "-p", tmp_path, "-c", whole], capture_output=True, text=True)
        assert read.returncode == 0, read.stderr
