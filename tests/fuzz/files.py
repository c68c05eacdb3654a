"""Mutated graph files: reading ends in a graph or in an error of ours that names the file, within five seconds.

A crash ends the process, so a run of many cases belongs into a process of its own.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import graphla as gl
from graphla.common.errors import GraphlaError
from graphla.graphs.io import formats, write_coo
from graphla.storage import Coo

LIMIT = 5.0
"""Seconds of the processor within which a file is read or refused."""
COMPRESS = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}
NUMBERS = ("0", "-1", "2147483646", "2147483647", "4294967296", "9" * 30, "9" * 5000, "1e400", "nan", "1_0", "1.5", "")


@dataclass(frozen=True)
class Case:
    """A file: its name and its bytes."""

    name: str
    data: bytes


def make(rng: random.Random) -> Case:
    """Draw a good file, change it, perhaps compress it, perhaps damage that."""
    name, data = rng.choice(make_originals())
    for _ in range(rng.randint(1, 3)):
        data = rng.choice(CHANGES)(rng, data)
    ending = rng.choice(["", "", *COMPRESS])
    data = COMPRESS[ending](data)
    return Case(name + ending, rng.choice([flip, cut, lambda _, d: d])(rng, data) if ending else data)


@cache
def make_originals() -> list[tuple[str, bytes]]:
    """Good files of every format, and of every layout of .npz."""
    rows, cols = np.array([0, 1, 1, 2, 3, 4]), np.array([1, 0, 2, 1, 4, 3])
    found = []
    for form in formats().values():
        values = None if form.name == "pace" else np.array([5, 5, 7, 7, 1, 1])
        stream = io.BytesIO()
        write_coo(stream, Coo(5, 5, rows, cols, values), form.name)
        found += [(f"a{suffix}", stream.getvalue()) for suffix in form.suffixes]
    matrix = scipy.sparse.coo_array((np.arange(1.0, 7), (rows, cols)), shape=(6, 6))
    for layout in ("csr", "csc", "bsr", "dia"):
        stream = io.BytesIO()
        scipy.sparse.save_npz(stream, matrix.asformat(layout), compressed=False)
        found.append(("a.npz", stream.getvalue()))
    return found


def flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def change_number(rng: random.Random, data: bytes) -> bytes:
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(NUMBERS).encode()
    return b" ".join(words)


def change_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    place = rng.randrange(len(lines))
    lines[place : place + 1] = [lines[place]] * rng.choice([0, 2, 3])
    return b"\n".join(lines)


CHANGES = (flip, cut, change_number, change_line)


def check(seed: int, engine: Any) -> None:
    """Read the file of a seed; a fault is raised with the smallest file that shows one."""
    case = make(random.Random(seed))
    fault = find_fault(case, engine)
    if fault is None:
        return
    smaller = find_smaller(case, engine)
    while smaller is not None:
        case, fault = smaller
        smaller = find_smaller(case, engine)
    raise AssertionError(f"{fault}\n{case!r}")


def find_smaller(case: Case, engine: Any) -> tuple[Case, str] | None:
    """Return a smaller file that shows a fault, too, or None."""
    return next(((smaller, fault) for smaller in shrink(case) if (fault := find_fault(smaller, engine))), None)


def find_fault(case: Case, engine: Any) -> str | None:
    """Read the file as a graph, and say what is wrong with how that ended."""
    with tempfile.TemporaryDirectory() as folder, gl.config.set(memory_limit=1 << 30):
        path = Path(folder) / case.name
        path.write_bytes(case.data)
        began, said = time.process_time(), None
        try:
            gl.read(path, engine=engine)
        except GraphlaError as error:
            said = None if str(path) in str(error) else f"no name of the file in {error}"
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        took = time.process_time() - began
    return said or (f"it took {took:.1f} s" if took > LIMIT else None)


def shrink(case: Case) -> Iterator[Case]:
    """Leave out parts, the largest first."""
    size = len(case.data) // 2
    while size:
        for start in range(0, len(case.data), size):
            yield replace(case, data=case.data[:start] + case.data[start + size :])
        size //= 2
