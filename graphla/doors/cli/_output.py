"""Output files of commands: checked to be writable before the work, and written completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import click
import numpy as np

from graphla.common.files import open_beside, replace_file
from graphla.doors.cli._work import run_interruptibly
from graphla.graphs.io import Coo
from graphla.problem.answer import to_singular

KINDS = (".npz", ".npy", ".csv", ".txt")


def is_stdout(path: Path | None) -> bool:
    """Whether an output is the standard output."""
    return str(path) == "-"


def write_graph(path: Path, coo: Coo, format: str | None) -> None:
    """Write a graph to a file, or for ``-`` to the standard output."""
    to_stdout = is_stdout(path)

    from graphla.graphs.reading import build_graph, write_arcs
    from graphla.graphs.reading.saved import SUFFIX, save

    def put() -> None:
        if path.suffix == SUFFIX and format is None:
            save(build_graph(coo, dup="error", name="", engine="cpu"), path)
            return
        write_arcs(sys.stdout.buffer if to_stdout else path, coo, format)
        if to_stdout:
            sys.stdout.flush()

    run_interruptibly(f"writing {path}", put)


class Target(click.ParamType):
    """A path with one of the given suffixes that can be written."""

    name = "path"

    def __init__(self, *suffixes: str, stdout: bool = False) -> None:
        self.suffixes, self.stdout = suffixes, stdout

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        path = Path(value)
        if self.stdout and str(value) == "-":
            return path
        if self.suffixes and path.suffix.lower() not in self.suffixes:
            self.fail(f"{value}: the suffix must be one of {', '.join(self.suffixes)}", param, ctx)
        problem = find_write_problem(path)
        if problem:
            self.fail(f"{value} cannot be written: {problem}", param, ctx)
        return path


def find_write_problem(path: Path) -> str | None:
    """Return why `path` cannot be written, or None. Tries to create a file beside it."""
    if path.is_dir():
        return "it is a folder"
    if path.exists() and not os.access(path, os.W_OK):
        return "it exists and must not be overwritten"
    try:
        with open_beside(path):
            return None
    except OSError as error:
        return error.strerror


def write(path: Path, put: Callable[[BinaryIO], object]) -> None:
    """Let `put` write a file that stands under its name when it is whole."""
    with replace_file(path) as stream:
        put(stream)


def write_arrays(path: Path, arrays: dict[str, Any], absent: Any, labels: Any = None) -> None:
    """Write arrays of one shape: as they are (.npz, .npy), or a line where the first is not `absent` (others)."""
    write_table(path, arrays, lambda: list_rows(arrays, absent), labels)


def write_entries(path: Path, columns: dict[str, Any], labels: Any = None) -> None:
    """Write arrays of one length: as they are (.npz), or a line for each index (.csv, .txt, -)."""
    write_table(path, columns, lambda: columns, labels)


def write_table(path: Path, arrays: dict[str, Any], find_rows: Callable[[], dict[str, Any]], labels: Any) -> None:
    """Write arrays, or the rows that are made of them; the labels of vertices stand beside their numbers."""
    kind = path.suffix.lower()
    if is_stdout(path):
        write_rows(sys.stdout.buffer, add_labels(find_rows(), labels), ",")
        sys.stdout.flush()
    elif kind == ".npz":
        held = arrays if labels is None else {**arrays, "names": list_names(labels)}
        write(path, lambda stream: np.savez(stream, **held))
    elif kind == ".npy":
        write(path, lambda stream: np.save(stream, next(iter(arrays.values()))))
    else:
        between = "," if kind == ".csv" else " "
        write(path, lambda stream: write_rows(stream, add_labels(find_rows(), labels), between))


def list_rows(arrays: dict[str, Any], absent: Any) -> dict[str, Any]:
    """The columns of a table with a row for each place at which the first array holds something: indices and values."""
    indices = np.nonzero(next(iter(arrays.values())) != absent)
    heads = ["vertex"] if len(indices) == 1 else ["from", "to"]
    values: dict[str, Any] = {}
    for name, array in arrays.items():
        several = {f"{to_singular(name)}_{k}": row for k, row in enumerate(array)} if array.ndim > len(indices) else {}
        values |= {each: row[indices] for each, row in (several or {to_singular(name): array}).items()}
    return dict(zip(heads, indices, strict=True)) | values


def add_labels(columns: dict[str, Any], labels: Any) -> dict[str, Any]:
    """The columns with the labels of vertices after their numbers, if they have any."""
    if labels is None:
        return columns
    names, ends = (
        np.array([quote(str(label)) for label in labels.tolist()]),
        [end for end in ("vertex", "from", "to") if end in columns],
    )
    return {end: columns[end] for end in ends} | {f"{end}_name": names[columns[end]] for end in ends} | columns


def quote(name: str) -> str:
    """A name as one cell of a line."""
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ', "\r\n') else name


def list_names(labels: Any) -> Any:
    """Labels as an array of texts."""
    return np.array([str(label) for label in labels.tolist()])


def write_rows(stream: BinaryIO, columns: dict[str, Any], between: str) -> None:
    """Write a header line with the names of columns, then one line for each of their rows."""
    stream.write((("" if between == "," else "# ") + between.join(columns) + "\n").encode())
    for row in zip(*(part.tolist() for part in columns.values()), strict=True):
        stream.write((between.join(map(str, row)) + "\n").encode())
