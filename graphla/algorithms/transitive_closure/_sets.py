"""Components and the arcs between them on a GPU, by kernels of one module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.containers.matrix import Matrix
from graphla.engine.cuda.blocks import make_launch
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import choose_index_dtype, expand_rows, make_full, make_row_pointers

Array = Any
KERNELS = Path(__file__).with_name("sets.cuh")
TOGETHER = (
    "look_at_vertices",
    "look_at_arcs",
    "pack_arcs<int>",
    "flag_first",
    "unpack_arcs<int>",
    "place_rows",
    "measure_entries",
)
launch = make_launch(KERNELS, TOGETHER)


def find_names(G: Any, label: Array) -> tuple[Array, Array]:
    """The vertices that name the components, and whether each of these has several vertices."""
    own, several = G.engine.xp.empty(G.n, bool), G.engine.xp.zeros(G.n, bool)
    launch(G.engine, "look_at_vertices", G.n, label, np.int32(G.n), own, several)
    return G.engine.lists.list_true(own, "int32"), several


def find_between(G: Any, label: Array) -> tuple[Array, Array, Array]:
    """The arcs between components as keys, these turned, and whether each vertex has a loop."""
    xp, arcs, heads = G.engine.xp, G.nvals, G.csr.indices
    tails, between, looped = expand_rows(G.csr), xp.empty(arcs, bool), xp.zeros(G.n, bool)
    launch(G.engine, "look_at_arcs", arcs, tails, heads, label, np.int64(arcs), between, looped)
    places = G.engine.lists.list_true(between, choose_index_dtype(arcs))
    keys, turned = (xp.empty(places.size, np.int64) for _ in range(2))
    name = f"pack_arcs<{G.engine.c_type(places)}>"
    launch(G.engine, name, places.size, places, tails, heads, label, np.int64(places.size), keys, turned)
    return keys, turned, looped


def make_graph(G: Any, keys: Array) -> Graph:
    """The graph of the arcs of keys, each once."""
    xp, engine, first = G.engine.xp, G.engine, G.engine.xp.empty(keys.size, bool)
    if keys.size:
        keys.sort()
    launch(engine, "flag_first", keys.size, keys, np.int64(keys.size), first)
    places = engine.lists.list_true(first, choose_index_dtype(keys.size))
    tails, heads = (xp.empty(places.size, np.int32) for _ in range(2))
    name = f"unpack_arcs<{engine.c_type(places)}>"
    launch(engine, name, places.size, places, keys, np.int64(places.size), tails, heads)
    values = make_full(xp, places.size, True, "bool")
    held = CompressedMatrix(G.n, G.n, make_row_pointers(xp, tails, G.n), heads, values)
    return Graph(Matrix._from_storage(held, engine))


def place_rows(G: Any, names: Array, levels: Array) -> tuple[Array, Array]:
    """The row of each component, and the levels of the rows."""
    row, held = G.engine.xp.empty(G.n, np.int32), G.engine.xp.empty(names.size, np.int32)
    launch(G.engine, "place_rows", names.size, names, levels, np.int32(names.size), row, held)
    return row, held


def measure_entries(
    G: Any, label: Array, row: Array, counts: Array, several: Array, looped: Array, reflexive: bool
) -> tuple[Array, Array]:
    """Whether each vertex reaches itself, and how many it reaches."""
    itself, lengths = G.engine.xp.empty(G.n, bool), G.engine.xp.empty(G.n, np.int64)
    given = label, row, counts, several, looped, np.bool_(reflexive), np.int32(G.n)
    launch(G.engine, "measure_entries", G.n, *given, itself, lengths)
    return itself, lengths
