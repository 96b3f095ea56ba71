"""What README says of the house is true, and the rooms keep apart."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = {
    canonicalize_name(requirement.name): requirement.specifier
    for requirement in map(Requirement, (ROOT / "constraints.txt").read_text().splitlines())
}
NEEDED = [
    Requirement(line)
    for group in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for line in group
    if not line.startswith(PROJECT["name"])
]


def mapped() -> list[str]:
    """The paths of the map in README: two spaces deeper means inside, a name's end or a gap ends the path."""
    drawn = re.search(r"^## The map of the house$.*?^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert drawn
    paths, inside = [], ""
    for line in drawn[1].splitlines():
        names = re.match(r"( *)(\S+(?: \S+)*)", line)
        assert names, line
        if not names[1]:
            inside = ""
        paths += [inside + name for name in names[2].split()]
        if not names[1] and names[2].endswith("/"):
            inside = names[2]
    return paths


@pytest.mark.parametrize("path", mapped())
def test_every_place_on_the_map_exists(path: str):
    assert list(ROOT.glob(path.rstrip("/")))


@pytest.mark.parametrize("room", ["referee", "scorekeeper"])
def test_every_module_of_a_room_is_on_the_map(room: str):
    modules = {f"{room}/{file.name}" for file in (ROOT / room).glob("*.py") if file.stem != "__init__"}
    assert modules <= set(mapped())


@pytest.mark.parametrize("command", ["make serve", "make test"])
def test_the_readme_names_both_commands(command: str):
    assert command in README


def test_the_readme_names_every_environment_variable():
    code = (ROOT / "scorekeeper" / "settings.py").read_text()
    names = re.findall(r"""(?:environ\.get|flag|words)\("([A-Z_]+)\"""", code)
    assert "ALLOWED_HOSTS" in names
    assert [name for name in names if f"`{name}`" not in README] == []


def test_the_referee_knows_neither_django_nor_the_pages():
    code = (
        "import pkgutil, sys, referee\n"
        "for module in pkgutil.walk_packages(referee.__path__, 'referee.'):\n"
        "    __import__(module.name)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert "referee" in loaded
    assert {"django", "scorekeeper"}.isdisjoint(loaded)


@pytest.mark.parametrize("requirement", NEEDED, ids=str)
def test_everything_that_the_house_needs_is_pinned_to_one_version(requirement: Requirement):
    pin = PINNED[canonicalize_name(requirement.name)]
    assert re.fullmatch(r"==[\w.]+", str(pin))
    assert requirement.specifier.contains(str(pin).removeprefix("=="))


def test_no_file_names_a_place_on_one_machine():
    if not (ROOT / ".git").exists():
        pytest.skip("only a git checkout tells which files belong to the house")
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    place = re.compile(rb"(?<![\w.~}>])/(?:work|home|root|Users|farm|tmp|opt)/\w")
    texts = {name: (ROOT / name).read_bytes() for name in files if (ROOT / name).is_file()}
    assert [name for name, text in texts.items() if place.search(text)] == []
