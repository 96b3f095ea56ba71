"""A JSON text of somebody else, read with care: whole, of a bearable size, and with one meaning only.

Nothing is read that could not be written again, or that one reader takes for this and another for that.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from .problems import NotAMatch

LARGEST = 100_000_000
"""Bytes of text that are read at most; a match of 28 hands has some 10,000."""

DEEPEST = 100
"""Levels of objects and lists inside each other that are read at most; a match of our own has 6."""

LONGEST = 100
"""Digits of a whole number that are read at most, so that sums of such numbers can still be shown."""

PLAIN, INSIDE = (int, float), (list, dict)
"""What has nothing in it, and what has."""

Path = tuple[str | int, ...]
"""The way to a value through the file, ``("hands", 0, "result")``."""


class _Misfit(msgspec.Struct, frozen=True):
    """Stands where the text has something that no file may have; says what."""

    says: str


def load_object(text: bytes, what: str = "match") -> dict[str, Any]:
    """Read a text that holds one object, a ``what``.

    Raises :class:`NotAMatch` with what is wrong with it, and where.
    """
    data = load_value(text)
    if not isinstance(data, dict):
        raise NotAMatch(f"The file holds no {what} but {shown(data)}.")
    return data


def load_value(text: bytes) -> Any:
    """Read a text that holds anything.

    Raises :class:`NotAMatch` when it is too long, not UTF-8, not JSON, nested out of reason, or when it has NaN,
    a number out of reason, half a character, or a key twice in one object.
    """
    if len(text) > LARGEST:
        raise NotAMatch(f"The file has more than {LARGEST:,} bytes.")
    try:
        data = json.loads(
            text.decode("utf-8-sig"),
            object_pairs_hook=_object_once,
            parse_constant=_no_number,
            parse_float=_fraction,
            parse_int=_whole_number,
        )
    except UnicodeDecodeError as error:
        raise NotAMatch(f"The file is not UTF-8 text: byte {error.start + 1} fits nowhere.") from None
    except json.JSONDecodeError as error:
        why = f"{error.msg}, line {error.lineno}, column {error.colno}" if text.strip() else "it is empty"
        raise NotAMatch(f"The file is not JSON: {why}.") from None
    except RecursionError:
        raise NotAMatch("The file is nested out of all reason.") from None
    _refuse_misfits(data, ())
    return data


def _object_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any] | _Misfit:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return _Misfit(f"“{cut(twice)}” is there twice in one object")


def _no_number(constant: str) -> _Misfit:
    return _Misfit(f"{constant} is no number")


def _fraction(digits: str) -> float | _Misfit:
    number = float(digits)
    return number if math.isfinite(number) else _Misfit(f"{cut(digits)} is a number out of all reason")


def _whole_number(digits: str) -> int | _Misfit:
    if len(digits) > LONGEST:
        return _Misfit(f"a number of {len(digits)} digits is out of all reason")
    return int(digits)


def _refuse_misfits(value: Any, at: Path) -> None:
    """Go through the whole file, fields that nobody reads included, since they are kept and written again."""
    if isinstance(value, str):
        _refuse_half_characters(value, at)
    elif isinstance(value, _Misfit):
        refuse(value.says, at)
    elif isinstance(value, INSIDE):
        if len(at) >= DEEPEST:
            refuse("nested out of all reason", at[:3])
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str):
                _refuse_half_characters(key, at)
            # Whatever is empty, and any number, is sound; there may be millions of them.
            if inner and not isinstance(inner, PLAIN):
                _refuse_misfits(inner, (*at, key))


def _refuse_half_characters(text: str, at: Path) -> None:
    """A lone surrogate, which JSON can escape, is no character and cannot be written as UTF-8."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        refuse("half a character (a lone surrogate) is no text", at)


def refuse(says: str, at: Path) -> NoReturn:
    """Say that a value at a place is not what it should be, in words that name the hand and the place."""
    hand, rest = (int(at[1]) + 1, at[2:]) if at[:1] == ("hands",) and len(at) > 1 else (None, at)
    where = re.sub(
        r"\.(?=\d+\b)", " ", ".".join(str(step + 1) if isinstance(step, int) else cut(step) for step in rest)
    )
    place = ", ".join(part for part in (f"hand {hand}" if hand else "", where) if part)
    raise NotAMatch(
        f"{place}: {says}." if place else f"{says}.", where=where or ("hand" if hand else "file"), hand=hand
    )


def cut(text: str) -> str:
    """A text of the file, short enough to be shown, and on one line."""
    printable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:41]
    )
    return printable if len(printable) <= 40 else printable[:39] + "…"


def shown(value: Any) -> str:
    """A value of the file as it is named in a sentence."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"“{cut(value)}”" if isinstance(value, str) else cut(json.dumps(value))


def has_nul(value: Any) -> bool:
    """Somewhere in it is the character NUL, which JSON can escape and databases cannot keep."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if "\0" in one:
                return True
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False
