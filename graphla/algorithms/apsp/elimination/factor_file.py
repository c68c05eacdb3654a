"""A file of a factor: an archive of arrays with a digest of them all, so that damage is found before use."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import numpy as np

from graphla.algorithms.apsp.elimination.arithmetic import choose_arithmetic
from graphla.algorithms.apsp.elimination.closed import Coding, code
from graphla.algorithms.apsp.elimination.eliminate import Panels
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.common.errors import GraphlaError
from graphla.common.files import replace_file
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph

VERSION = "graphla factor 2"
GRAPH = ("indptr", "indices", "values")
PARTS = ("up panels", "down panels")


def write(path: Path, coding: Coding, panels: Panels) -> None:
    """Write a factor and its graph, with the values that were given."""
    G = coding.given
    arrays = {name: np.asarray(G.engine.to_host(getattr(G.csr, name))) for name in GRAPH}
    arrays |= {field.name: np.asarray(getattr(panels.structure, field.name)) for field in fields(Structure)}
    arrays |= dict(zip(PARTS, (panels.up, panels.down), strict=True))
    arrays["dtype"], arrays["semiring"] = np.array(coding.dtype.name), np.array(coding.name)
    with replace_file(path) as file:
        cast("Any", np).savez(file, digest=np.array(compute_digest(arrays)), **arrays)


def read(path: Path, engine: Any) -> tuple[Coding, Panels]:
    """Read a graph and its factor; raise `GraphlaError` if the file is none, or damaged."""
    arrays = read_arrays(path)
    digest = str(arrays.pop("digest", ""))
    wanted = {*GRAPH, *PARTS, "dtype", "semiring", *(field.name for field in fields(Structure))}
    if arrays.keys() != wanted or digest != compute_digest(arrays):
        raise GraphlaError(f"path={str(path)!r}: it is no factor, or damaged: Factor.save writes one")
    n = arrays["indptr"].size - 1
    csr = tuple(arrays[name] for name in GRAPH)
    G = Graph(Matrix.from_csr(*csr, nrows=n, ncols=n, engine=engine))
    structure = Structure(**{field.name: arrays[field.name] for field in fields(Structure)})
    coding = code(G, str(arrays["semiring"]), np.dtype(str(arrays["dtype"])))
    arithmetic = choose_arithmetic(coding.graph, coding.cells, coding.core)
    return coding, Panels(structure, arithmetic, *(arrays[part] for part in PARTS))


def read_arrays(path: Path, argument: str = "path", kind: str = "a factor") -> dict[str, Any]:
    """Read the arrays of an archive of some kind, which an argument names."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        why = error if isinstance(error, OSError) else "it is no archive of arrays (.npz), or damaged"
        raise GraphlaError(f"{argument}={str(path)!r}: it cannot be read as {kind}: {why}") from None


def compute_digest(arrays: dict[str, Any]) -> str:
    """Compute a hash of names, dtypes and contents."""
    digest = hashlib.sha256(VERSION.encode())
    for name in sorted(arrays):
        held = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {held.dtype.str} {held.shape}".encode())
        digest.update(held.tobytes())
    return digest.hexdigest()
