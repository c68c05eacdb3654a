"""Distances in a file that says of itself whether it is finished.

While a run goes on, the rows stand in `name.npy.unfinished` and `name.npy.unfinished.json` tells which run they belong
to and how far it came. The last act is to give the file its name. The note is written after the rows that it
vouches for have reached the disk, and replaced in one step, so that a kill at any moment leaves a state to go on from.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.sssp._range import WIDER
from graphla.errors import GraphlaError, OutOfMemory, Overflow
from graphla.problem import Option
from semirings.dtypes import lookup

OUTPUT = Option(
    None, text="a path: write the distances to this .npy file; with dense=True the call returns a memory map of it"
)
ALONE = (
    "output takes the distances alone: leave out next_hops, or leave out output and save both (numpy.savez), "
    "if they fit in memory"
)
PROGRESS = Option(None, text="a function, called with (done, all) after each finished part")


@dataclass(frozen=True, eq=False)
class Unfinished:
    """An open file of n² distances; `begun` rows, or pivots, of it were finished by an earlier run
    (0: it holds the weights; None: nothing yet)."""

    path: Path
    rows: Any
    run: dict[str, Any]
    begun: int | None

    def done(self, parts: int) -> None:
        """Say that so many rows, or pivots, are finished, once they are on the disk."""
        self.rows.flush()
        sync(working(self.path))
        write_note(note(self.path), {**self.run, "done": parts})

    def drop(self) -> None:
        """Delete it, for there is no answer to go on to."""
        working(self.path).unlink()
        note(self.path).unlink()

    @contextmanager
    def dropped_by_overflow(self) -> Iterator[None]:
        """Delete it if its distances turn out not to fit its dtype."""
        try:
            yield
        except Overflow:
            self.drop()
            raise

    def finish(self) -> Any:
        """Give the file its name; a read-only memory map of it."""
        self.rows.flush()
        sync(working(self.path))
        working(self.path).replace(self.path)
        note(self.path).unlink()
        sync(self.path.parent)
        return np.load(self.path, mmap_mode="r")


def working(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished")


def note(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished.json")


def opened(output: Any, G: Any, dtype: np.dtype[Any], method: str) -> Unfinished:
    """A new file, or the unfinished one of the same run.

    Raises
    ------
    GraphlaError
        If an unfinished file of another run stands there.
    Overflow
        If it is of this run, with the wider dtype that it turned out to need.
    OutOfMemory
        If the disk has no room for a new file.
    """
    path = Path(output)
    run = {"method": method, "n": G.n, "dtype": dtype.name, "graph": fingerprint(G)}
    if note(path).exists() and working(path).exists():
        before = json.loads(note(path).read_text("utf-8"))
        differing = {key for key, value in run.items() if before.get(key) != value}
        if differing == {"dtype"} and before["dtype"] == wider(dtype):
            raise Overflow(f"output={str(path)!r}: a run before found that distances do not fit {dtype.name}")
        if differing:
            raise GraphlaError(
                f"output={str(path)!r}: {note(path)} tells of another run: delete it, or name a new file"
            )
        if before["done"] is not None:
            return Unfinished(path, np.load(working(path), mmap_mode="r+"), run, before["done"])
    working(path).unlink(missing_ok=True)
    require_disk(path, G.n, dtype)
    write_note(note(path), {**run, "done": None})
    rows = np.lib.format.open_memmap(working(path), mode="w+", dtype=dtype, shape=(G.n, G.n))
    return Unfinished(path, rows, run, None)


def require_disk(path: Path, n: int, dtype: np.dtype[Any]) -> None:
    """Refuse a file that the disk has no room for; a map of it would be made all the same, and fail while in use."""
    needed, free = n * n * dtype.itemsize, shutil.disk_usage(path.absolute().parent).free
    if needed > free:
        raise OutOfMemory(
            f"output={str(path)!r}: apsp of {n:,} vertices as {dtype.name} needs {needed:,} bytes, and {free:,} are "
            "free on that disk: name a file on a larger one, or ask gl.sssp for the sources that matter"
        )


def fingerprint(G: Any) -> str:
    """A hash of the arcs and their weights, the same for wider dtypes of the weights."""
    indptr, indices, values = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
    widest = {"f": np.float64, "u": np.uint64}.get(values.dtype.kind, np.int64)
    digest = hashlib.sha256()
    for part in (indptr, indices, values.astype(widest, copy=False)):
        digest.update(np.ascontiguousarray(part).view(np.uint8).data)
    return digest.hexdigest()


def wider(dtype: np.dtype[Any]) -> str | None:
    """The name in NumPy of the dtype that distances get which do not fit this one."""
    return str(lookup(WIDER[dtype.name]).numpy) if dtype.name in WIDER else None


def write_note(path: Path, facts: dict[str, Any]) -> None:
    """Replace the note in one step, after its bytes have reached the disk."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(facts), "utf-8")
    sync(temporary)
    temporary.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
