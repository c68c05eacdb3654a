"""Settings that stand in environment variables: a refusal names the variable, its value and what is allowed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from math import isfinite
from pathlib import Path

from graphla.common.errors import InvalidOption

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def read_count(name: str) -> int | None:
    """A whole number from 1 on; None if the variable is not set, or empty."""
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit() and 0 < len(text.lstrip("0")) < 10:
        return int(text)
    raise refuse(name, "give a whole number from 1 on, or leave it out")


def read_seconds(name: str, default: float) -> float:
    """A number of seconds greater than 0; `default` if the variable is not set, or empty."""
    text = os.environ.get(name, "").strip()
    try:
        seconds = float(text or default)
    except ValueError:
        seconds = 0.0
    if isfinite(seconds) and seconds > 0:
        return seconds
    raise refuse(name, f"give a number of seconds greater than 0, or leave it out for {default:g}")


def read_switch(name: str, default: bool) -> bool:
    """Whether something is on; `default` if the variable is not set, or empty."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in SWITCHES:
        return SWITCHES[text]
    raise refuse(name, f"give 1 or 0 ({', '.join(SWITCHES)}), or leave it out for {int(default)}")


def read_size(name: str, default: str) -> int:
    """Bytes (``500M``, ``2G``); those of `default` if the variable is not set, or empty."""
    size = to_size(os.environ.get(name) or default)
    if size is not None:
        return size
    raise refuse(name, f"it is not a size: give 500M or 2G, 0 for no limit, or leave it out for {default}")


def to_size(text: str) -> int | None:
    """The bytes that a text such as ``500M`` means; None if it is no size."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)", text, re.ASCII)
    return int(float(size[1]) * UNITS[size[2]]) if size else None


def read_folder(name: str, default: str | Path) -> Path:
    """The absolute path of a folder; `default` if the variable is not set, or empty."""
    try:
        return Path(os.environ.get(name) or default).expanduser().absolute()
    except RuntimeError as error:  # of a user who has no home
        raise refuse(name, f"give a folder ({error})") from None


def read_choice(name: str, choices: Collection[str]) -> str | None:
    """One of some words; None if the variable is not set, or empty."""
    text = os.environ.get(name) or None
    if text is None or text in choices:
        return text
    raise refuse(name, f"there are {', '.join(map(repr, choices))}")


def refuse(name: str, way_out: str) -> InvalidOption:
    """The error for the value of a variable."""
    return InvalidOption(f"the environment variable {name}={os.environ[name]!r}: {way_out}")
