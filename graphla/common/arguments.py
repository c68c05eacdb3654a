"""Check the arguments that users give: a refusal names the argument, its value and what was expected."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.errors import DomainMismatch, GraphlaError, InvalidOption

SHOWN = 80
"""Characters of a value that a message shows."""


def show(value: Any) -> str:
    """The first line of what a value looks like, cut to `SHOWN` characters."""
    try:
        line = (repr(value).splitlines() or [""])[0]
    except Exception:  # the repr of an object that is not ours: its type has to do
        line = f"a {type(value).__name__}"
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def suggest(name: Any, known: Collection[str]) -> str:
    """``"; did you mean 'source'?"`` if a known name is much like one that is unknown, else nothing."""
    close = get_close_matches(str(name), known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def find_int(value: Any) -> int | None:
    """A whole number of Python, NumPy or a Scalar as an int; None of a truth and of anything else."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except (TypeError, GraphlaError):
        return None


def to_int(
    value: Any,
    what: str,
    low: int | None = None,
    high: int | None = None,
    error: Callable[[str], GraphlaError] = InvalidOption,
) -> int:
    """Convert a whole number to an int; refuse anything else, and what lies outside ``low … high``.

    Parameters
    ----------
    value : object
        What the user gave.
    what : str
        The name of the argument.
    low, high : int, optional
        The smallest and the largest number that is allowed.
    error : type
        The error that is raised.
    """
    number = find_int(value)
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        ends = "" if low is None else f" from {low}" + (" on" if high is None else f" to {high}")
        raise error(f"{what}={show(value)}: {'give a whole number' if number is None else 'it goes'}{ends}")
    return number


def speaks(value: Any, name: str) -> bool:
    """Whether a value, and not a class of such values, has an attribute: a protocol that it speaks."""
    return not isinstance(value, type) and hasattr(value, name)


def to_bool(value: Any, what: str) -> bool:
    """Convert a truth of Python or NumPy (or 0 and 1) to a bool; refuse anything else."""
    if value is False or value is True:
        return value
    if isinstance(value, bool | np.bool_) or find_int(value) in (0, 1):
        return bool(value)
    raise InvalidOption(f"{what}={show(value)}: give True or False")


def is_wanted(value: Any, what: str) -> bool:
    """Whether an optional part of a result is requested: None is False, as in python-graphblas."""
    return value is not None and to_bool(value, what)


def to_real(value: Any, what: str, low: float = float("-inf")) -> float:
    """Convert a real number to a float; refuse anything else, NaN, and what is less than `low`."""
    held = value.item() if isinstance(value, np.number) else value
    if isinstance(held, int | float) and not isinstance(held, bool) and low <= held <= 1.8e308:
        return float(held)
    ends = "" if low == float("-inf") else f" from {low:g} on"
    raise InvalidOption(f"{what}={show(value)}: give a real number{ends}")


def to_choice(
    value: Any, what: str, choices: Collection[str], error: Callable[[str], GraphlaError] = InvalidOption
) -> str:
    """The value itself if it is one of the texts; refuse anything else."""
    if isinstance(value, str) and value in choices:
        return value
    raise error(f"{what}={show(value)}: there are {', '.join(map(repr, choices))}")


def to_text(value: Any, what: str, error: Callable[[str], GraphlaError] = InvalidOption) -> str:
    """The value itself if it is a text; refuse anything else."""
    if isinstance(value, str):
        return value
    raise error(f"{what}={show(value)}: give a text")


def to_path(value: Any, what: str, error: Callable[[str], GraphlaError] = InvalidOption) -> Path:
    """Convert the name of a file, a text or a path, to a path; refuse anything else."""
    if isinstance(value, str) and not value:
        raise error(f"{what}='': it names no file")
    if isinstance(value, str | PathLike) and not isinstance(value, type):
        return Path(value)
    raise error(f"{what}={show(value)}: give the name of a file (a text or a path)")


def to_list(value: Any, what: str, of: str, error: Callable[[str], GraphlaError] = DomainMismatch) -> list[Any]:
    """Convert a sequence or another iterable to a list; refuse a text and what cannot be iterated over.

    Parameters
    ----------
    value : object
        What the user gave.
    what : str
        The name of the argument.
    of : str
        What the sequence is to hold, for the message.
    error : type
        The error that is raised.
    """
    if not isinstance(value, str | bytes | type):
        try:
            return list(value)
        except (TypeError, GraphlaError):
            pass
    raise error(f"{what}={show(value)}: give a sequence of {of}")


def to_array(
    convert: Callable[[Any], Any], value: Any, what: str, error: Callable[[str], GraphlaError] = DomainMismatch
) -> Any:
    """Convert numbers to an array by a function of NumPy or CuPy; refuse what it cannot convert.

    Parameters
    ----------
    convert : callable (value) -> array
        Such as ``engine.asarray``.
    value : object
        What the user gave.
    what : str
        The name of the argument.
    error : type
        The error that is raised.
    """
    try:
        return convert(value)
    except GraphlaError:
        raise
    except (TypeError, ValueError, OverflowError, AttributeError) as reason:
        why = (str(reason).splitlines() or [type(reason).__name__])[0]
        raise error(f"{what}={show(value)} is no array of numbers: {why}") from None
