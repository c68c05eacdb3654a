"""A file of distances whose name shows whether it is finished.

During a run the rows are in `name.npy.unfinished`, and `name.npy.unfinished.json` (the note) records which run they
belong to and its progress. At the end the file is renamed. The note is written after the rows that it refers to are on
the disk, and replaced atomically, so that a run that is killed at any time can be resumed.
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
    """An open file of n² distances.

    `begun` is the number of rows, or pivots, that an earlier run has finished; 0 means that the file holds the weights,
    None that it is empty.
    """

    path: Path
    rows: Any
    run: dict[str, Any]
    begun: int | None

    def record_progress(self, parts: int) -> None:
        """Flush the rows to the disk, then record that so many rows, or pivots, are finished."""
        self.rows.flush()
        sync(make_working_path(self.path))
        write_note(make_note_path(self.path), {**self.run, "done": parts})

    def delete(self) -> None:
        """Delete the file and its note."""
        make_working_path(self.path).unlink()
        make_note_path(self.path).unlink()

    @contextmanager
    def delete_on_overflow(self) -> Iterator[None]:
        """Delete the file if the ``with`` block finds that distances do not fit its dtype."""
        try:
            yield
        except Overflow:
            self.delete()
            raise

    def finish(self) -> Any:
        """Rename the finished file; return a read-only memory map of it."""
        self.rows.flush()
        sync(make_working_path(self.path))
        make_working_path(self.path).replace(self.path)
        make_note_path(self.path).unlink()
        sync(self.path.parent)
        return np.load(self.path, mmap_mode="r")


def make_working_path(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished")


def make_note_path(path: Path) -> Path:
    return path.with_name(path.name + ".unfinished.json")


def open_output(output: Any, G: Any, dtype: np.dtype[Any], method: str) -> Unfinished:
    """Open a new file, or the unfinished file of the same run.

    Raises
    ------
    GraphlaError
        If there is an unfinished file of another run.
    Overflow
        If it is of this run, with the wider dtype that it turned out to need.
    OutOfMemory
        If a new file does not fit on the disk.
    """
    path = Path(output)
    run = {"method": method, "n": G.n, "dtype": dtype.name, "graph": compute_fingerprint(G)}
    if make_note_path(path).exists() and make_working_path(path).exists():
        before = json.loads(make_note_path(path).read_text("utf-8"))
        differing = {key for key, value in run.items() if before.get(key) != value}
        if differing == {"dtype"} and before["dtype"] == find_wider_name(dtype):
            raise Overflow(f"output={str(path)!r}: a run before found that distances do not fit {dtype.name}")
        if differing:
            raise GraphlaError(
                f"output={str(path)!r}: {make_note_path(path)} belongs to another run: delete it, or name a new file"
            )
        if before["done"] is not None:
            return Unfinished(path, np.load(make_working_path(path), mmap_mode="r+"), run, before["done"])
    make_working_path(path).unlink(missing_ok=True)
    require_disk(path, G.n, dtype)
    write_note(make_note_path(path), {**run, "done": None})
    rows = np.lib.format.open_memmap(make_working_path(path), mode="w+", dtype=dtype, shape=(G.n, G.n))
    return Unfinished(path, rows, run, None)


def require_disk(path: Path, n: int, dtype: np.dtype[Any]) -> None:
    """Raise `OutOfMemory` if the file does not fit on the disk; a memory map would only fail later, while in use."""
    needed, free = n * n * dtype.itemsize, shutil.disk_usage(path.absolute().parent).free
    if needed > free:
        raise OutOfMemory(
            f"output={str(path)!r}: apsp of {n:,} vertices as {dtype.name} needs {needed:,} bytes, and {free:,} are "
            "free on that disk: name a file on a larger one, or ask gl.sssp for the sources that matter"
        )


def compute_fingerprint(G: Any) -> str:
    """Compute a hash of the arcs and their weights; wider dtypes of the weights give the same hash."""
    indptr, indices, values = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
    widest = {"f": np.float64, "u": np.uint64}.get(values.dtype.kind, np.int64)
    digest = hashlib.sha256()
    for part in (indptr, indices, values.astype(widest, copy=False)):
        digest.update(np.ascontiguousarray(part).view(np.uint8).data)
    return digest.hexdigest()


def find_wider_name(dtype: np.dtype[Any]) -> str | None:
    """Return NumPy's name of the wider dtype for distances that do not fit `dtype`, or None."""
    return str(lookup(WIDER[dtype.name]).numpy) if dtype.name in WIDER else None


def write_note(path: Path, facts: dict[str, Any]) -> None:
    """Replace the note atomically, after its bytes are on the disk."""
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
