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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np

from graphla.algorithms.shared.distance_range import WIDER
from graphla.common.errors import GraphlaError, OutOfMemory, Overflow
from graphla.common.files import lock_file, name_failures, replace_file, reserve, sync
from graphla.problem import Option
from semirings.dtypes import lookup


def find_fault_of_path(value: Any) -> str | None:
    """What is wrong with an output; None of one that names a file in a folder."""
    if value is None:
        return None
    if not isinstance(value, str | os.PathLike) or isinstance(value, type) or not str(value):
        return "give the name of a .npy file (a text or a path)"
    if not Path(value).absolute().parent.is_dir():
        return f"there is no folder {Path(value).absolute().parent}: make it first"
    return "this is a folder: name a file in it" if Path(value).is_dir() else None


def find_fault_of_progress(value: Any) -> str | None:
    """What is wrong with a function of the progress."""
    return None if value is None or callable(value) else "give a function of (done, all)"


OUTPUT = Option(
    None,
    check=find_fault_of_path,
    text="a path: write the distances to this .npy file; with dense=True the call returns a memory map of it",
)
ALONE = (
    "output takes the distances alone: leave out next_hops, or leave out output and save both (numpy.savez), "
    "if they fit in memory"
)
PROGRESS = Option(
    None, check=find_fault_of_progress, text="a function, called with (done, all) after each finished part"
)


@dataclass(frozen=True, eq=False)
class Unfinished:
    """An open file of n² distances.

    `begun` is the number of rows, or pivots, that an earlier run has finished; 0 means that the file holds the weights,
    None that it is empty. `lock` is the open file, which other processes cannot take: until a ``with`` block ends.
    """

    path: Path
    rows: Any
    run: dict[str, Any]
    begun: int | None
    lock: BinaryIO

    def record_progress(self, parts: int) -> None:
        """Flush the rows to the disk, then record that so many rows, or pivots, are finished."""
        with name_failures(self.path):
            self.rows.flush()
            sync(make_working_path(self.path))
            write_note(make_note_path(self.path), {**self.run, "done": parts})

    def delete(self) -> None:
        """Delete the file and its note."""
        make_working_path(self.path).unlink(missing_ok=True)
        make_note_path(self.path).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, *_: object) -> None:
        """Give the file free for other processes; delete it if distances do not fit its dtype."""
        if isinstance(error, Overflow):
            self.delete()
        self.lock.close()

    def finish(self) -> Any:
        """Rename the finished file; return a read-only memory map of it."""
        with name_failures(self.path):
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
        If there is an unfinished file of another run, a damaged one, one that is none of ours, or if another process
        writes it.
    CannotWrite
        If the system does not let it be written.
    Overflow
        If it is of this run, with the wider dtype that it turned out to need.
    OutOfMemory
        If a new file does not fit on the disk.
    """
    path = Path(output)
    working, fresh = make_working_path(path), not make_working_path(path).exists()
    lock = take(path)
    try:
        return open_locked(path, lock, fresh, G, dtype, method)
    except BaseException:
        if fresh and working.exists() and is_empty(working):
            working.unlink()
        lock.close()
        raise


def take(path: Path) -> BinaryIO:
    """Open the working file for this process alone; refuse one that is no run's, or that another process writes."""
    working = make_working_path(path)
    if working.exists() and not (working.is_file() and (is_empty(working) or make_note_path(path).exists())):
        raise refuse(path, working, "has no note of a run beside it, so that it is of no run of apsp")
    with name_failures(path):
        lock = lock_file(working)
    if lock is None:
        raise GraphlaError(
            f"output={str(path)!r}: another process writes {working} now: wait for it, or name a new file"
        )
    return lock


def is_empty(path: Path) -> bool:
    """Whether a file has no bytes: one that was made a moment ago, or by a run that ended then."""
    return path.stat().st_size == 0


def open_locked(path: Path, lock: BinaryIO, fresh: bool, G: Any, dtype: np.dtype[Any], method: str) -> Unfinished:
    """Do so when no other process can; `fresh` says that there was no working file before."""
    run = {"method": method, "n": G.n, "dtype": dtype.name, "graph": compute_fingerprint(G)}
    before = read_note(path)
    if before is not None and not fresh:
        differing = {key for key, value in run.items() if before.get(key) != value}
        if differing == {"dtype"} and before["dtype"] == find_wider_name(dtype):
            raise Overflow(f"output={str(path)!r}: a run before found that distances do not fit {dtype.name}")
        if differing:
            raise GraphlaError(
                f"output={str(path)!r}: {make_note_path(path)} belongs to another run: delete it, or name a new file"
            )
        if before["done"] is not None:
            return Unfinished(path, open_rows(path, dtype, G.n), run, before["done"], lock)
    require_disk(path, G.n, dtype)
    write_note(make_note_path(path), {**run, "done": None})
    return Unfinished(path, make_rows(path, lock, dtype, G.n), run, None, lock)


def make_rows(path: Path, lock: BinaryIO, dtype: np.dtype[Any], n: int) -> Any:
    """Map a new working file into memory, and take its bytes of the disk; leave none if that fails."""
    working = make_working_path(path)
    try:
        with name_failures(path):
            rows = np.lib.format.open_memmap(working, mode="w+", dtype=dtype, shape=(n, n))
            reserve(lock, rows.offset + rows.nbytes)
            return rows
    except BaseException:
        working.unlink()
        make_note_path(path).unlink()
        raise


def read_note(path: Path) -> dict[str, Any] | None:
    """Read the note of an unfinished run, None if there is none; raise if it is damaged."""
    note = make_note_path(path)
    if not note.exists():
        return None
    try:
        found = json.loads(note.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise refuse(path, note, f"cannot be read: {error}") from None
    facts = found if isinstance(found, dict) else {}
    types = {"method": str, "n": int, "dtype": str, "graph": str, "done": int | None}
    if facts.keys() != types.keys() or not all(isinstance(facts[key], kind) for key, kind in types.items()):
        raise refuse(path, note, f"is no note of a run, which has {', '.join(types)}")
    if facts["done"] is not None and not 0 <= facts["done"] <= facts["n"]:
        raise refuse(path, note, f"tells of {facts['done']} finished of {facts['n']} vertices")
    return facts


def open_rows(path: Path, dtype: np.dtype[Any], n: int) -> Any:
    """Map the working file of an unfinished run into memory; raise if it is damaged."""
    working = make_working_path(path)
    try:
        rows = np.load(working, mmap_mode="r")  # "r+" would lengthen a file that was cut short
    except (OSError, ValueError, EOFError) as error:
        raise refuse(path, working, f"is no whole .npy file: {error}") from None
    if not isinstance(rows, np.memmap) or rows.shape != (n, n) or rows.dtype != dtype or not rows.flags.c_contiguous:
        raise refuse(path, working, f"holds {rows.dtype} of shape {rows.shape}, and not {dtype} of shape {(n, n)}")
    if (rows.diagonal() > 0).any():
        raise refuse(path, working, "has a positive number on its diagonal, and no distances")
    return np.load(working, mmap_mode="r+")


def refuse(path: Path, file: Path, why: str) -> GraphlaError:
    """The error for a file that a run cannot go on with."""
    return GraphlaError(f"output={str(path)!r}: {file} {why}: delete it and the like of it, or name a new file")


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
    """Replace the note, after its bytes are on the disk."""
    with replace_file(path, durable=True) as file:
        file.write(json.dumps(facts).encode())
