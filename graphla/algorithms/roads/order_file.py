"""A file of an order of elimination: what is known of a graph from its arcs, without weights."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import numpy as np

from graphla.algorithms.apsp.elimination.factor_file import compute_digest, read_arrays
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.common.errors import GraphlaError
from graphla.common.files import replace_file

NAMES = [field.name for field in fields(Structure)]


def write(path: Path, G: Any, structure: Structure) -> None:
    """Write the structure of a graph, with digests of itself and of the arcs."""
    arrays = {name: np.asarray(getattr(structure, name)) for name in NAMES}
    with replace_file(path) as file:
        digests = {"digest": np.array(compute_digest(arrays)), "arcs": np.array(digest_arcs(G))}
        cast("Any", np).savez(file, **digests, **arrays)


def read(path: Path, G: Any) -> Structure:
    """Read the structure of a graph; raise `GraphlaError` if the file is none, is damaged or belongs to other arcs."""
    arrays = read_arrays(path, "order", "an order")
    digest, arcs = (str(arrays.pop(name, "")) for name in ("digest", "arcs"))
    if arrays.keys() != set(NAMES) or digest != compute_digest(arrays):
        raise GraphlaError(f"order={str(path)!r}: it is no order, or damaged: Roads.save_order writes one")
    if arcs != digest_arcs(G):
        raise GraphlaError(f"order={str(path)!r}: it belongs to a graph with other arcs, or to other turns")
    return Structure(**arrays)


def digest_arcs(G: Any) -> str:
    """Compute a hash of the arcs."""
    parts = (np.asarray(G.engine.to_host(part)).astype(np.int64) for part in (G.csr.indptr, G.csr.indices))
    return compute_digest(dict(zip(("indptr", "indices"), parts, strict=True)))
