"""Files that a command writes: found writable before the work, whole or not there at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

KINDS = (".npz", ".npy", ".csv", ".txt")


class Target(click.ParamType):
    """A path with one of the given suffixes, in a folder that can be written to."""

    name = "path"

    def __init__(self, *suffixes: str) -> None:
        self.suffixes = suffixes

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        path = Path(value)
        if self.suffixes and path.suffix.lower() not in self.suffixes:
            self.fail(f"{value}: the suffix must be one of {', '.join(self.suffixes)}", param, ctx)
        problem = why_not_writable(path)
        if problem:
            self.fail(f"{value} cannot be written: {problem}", param, ctx)
        return path


def why_not_writable(path: Path) -> str | None:
    """Why a file cannot be put there, or None; found by making one beside it."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not os.access(path, os.W_OK):
        return "it is there and must not be overwritten"
    try:
        with beside(path):
            return None
    except OSError as error:
        return error.strerror


@contextmanager
def beside(path: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """An open file beside `path`, gone at the end unless it was moved."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            yield part, stream
    finally:
        part.unlink(missing_ok=True)


def write(path: Path, put: Callable[[BinaryIO], None]) -> None:
    """Let `put` write a file, which becomes `path` once it is whole."""
    with beside(path) as (part, stream):
        put(stream)
        stream.close()
        part.replace(path)


def write_columns(path: Path, columns: dict[str, Any], absent: Any) -> None:
    """Arrays of one shape: as they are (.npz, .npy), or a line for each place that is not `absent` (.csv, .txt)."""
    kind = path.suffix.lower()
    if kind == ".npz":
        write(path, lambda stream: np.savez(stream, **columns))
    elif kind == ".npy":
        write(path, lambda stream: np.save(stream, next(iter(columns.values()))))
    else:
        write(path, lambda stream: put_lines(stream, columns, absent, "," if kind == ".csv" else " "))


def put_lines(stream: BinaryIO, columns: dict[str, Any], absent: Any, between: str) -> None:
    """Indices and values, with a line of headings in front."""
    first = next(iter(columns.values()))
    places = np.nonzero(first != absent)
    heads = ["vertex"] if len(places) == 1 else ["from", "to"]
    table = [*places, *(column[places] for column in columns.values())]
    singular = [name.removesuffix("s") for name in columns]
    stream.write((("" if between == "," else "# ") + between.join([*heads, *singular]) + "\n").encode())
    for row in zip(*(part.tolist() for part in table), strict=True):
        stream.write((between.join(map(str, row)) + "\n").encode())
