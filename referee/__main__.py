"""The command line: ``python -m referee score match.json``, ``judge question.json``, ``rules king``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from . import jsontext, matchfile
from .explain import rules_text
from .problems import NotAMatch
from .report import problem_list, report
from .rules import load, names
from .rulings import answer

USAGE = """\
usage: python -m referee score FILE [FILE ...]   work out matches ("-" reads standard input)
       python -m referee judge FILE [FILE ...]   settle questions about play: what is allowed, and why not
       python -m referee rules [NAME]            list the rule sets, or explain one
"""


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0 sound, 1 cannot have happened, 2 not a match file."""
    try:
        return _run(arguments)
    except OSError as error:
        _complain(f"The answer cannot be written: {error.strerror}.\n")
        return 2


def _run(arguments: Sequence[str]) -> int:
    match list(arguments):
        case ["score", *files] if files:
            return _each(files, _score)
        case ["judge", *files] if files:
            return _each(files, _judge)
        case ["rules"]:
            for name in names():
                _print(f"{name:18} {load(name).name}\n")
            return 0
        case ["rules", name] if name in names():
            _print(rules_text(load(name)))
            return 0
        case ["rules", name]:
            _complain(f"There is no rule set “{name}”; there are: {', '.join(names())}.\n")
            return 2
        case ["-h" | "--help"]:
            _print(USAGE)
            return 0
        case _:
            _complain(USAGE)
            return 2


def _each(files: Sequence[str], work_out: Callable[[bytes], tuple[int, dict[str, Any]]]) -> int:
    worst = 0
    for name in files:
        try:
            code, told = work_out(_read(name))
        except NotAMatch as error:
            wrong = {"hand": error.hand, "code": "not-a-match", "where": error.where, "says": error.says}
            code, told = 2, {"problems": [wrong]}
        worst = max(worst, code)
        _print(json.dumps(told, ensure_ascii=False, indent=None if len(files) > 1 else 2) + "\n")
    return worst


def _score(text: bytes) -> tuple[int, dict[str, Any]]:
    file = matchfile.parse(text)
    if file.match is None or file.problems:
        return 1, problem_list(file.problems)
    return 0, report(file.match, file.ruleset_name)


def _judge(text: bytes) -> tuple[int, dict[str, Any]]:
    question = matchfile.parse_question(text)
    told = question if isinstance(question, tuple) else answer(question)
    return (1, problem_list(told)) if isinstance(told, tuple) else (0, told)


def _read(name: str) -> bytes:
    """A file's bytes, at most one more than a match file may have, so that an endless one ends."""
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            return file.read(jsontext.LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise NotAMatch(f"{'Standard input' if name == '-' else name} cannot be read: {why}.") from None


def _print(text: str) -> None:
    _write(1, text)


def _complain(text: str) -> None:
    with suppress(OSError):
        _write(2, text)


def _write(descriptor: int, text: str) -> None:
    """Write UTF-8 whatever the terminal speaks; a reader who has gone away is no fault.

    Bytes of a file's name that are no text become “?”.
    """
    with suppress(BrokenPipeError), open(descriptor, "wb", closefd=False) as output:
        output.write(text.encode("utf-8", "replace"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
