"""rustworkx: compiled loops on one core, some on all."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import NotSupported
from graphla.measuring.peers.peer import (
    Peer,
    Task,
    convert_components,
    convert_forest,
    list_upper,
    make_array,
    read_settings,
    require_undirected,
    scale_norm,
)
from graphla.storage import CompressedMatrix


def make_digraph(csr: CompressedMatrix) -> Any:
    """Make a directed PyDiGraph."""
    import rustworkx as rx

    g = rx.PyDiGraph()
    g.add_nodes_from(range(csr.nrows))
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    g.extend_from_edge_list(list(zip(tails.tolist(), csr.indices.tolist(), strict=True)))
    return g


def make_simple(csr: CompressedMatrix) -> Any:
    """Make an undirected PyGraph without loops, whose edges hold their weights."""
    import rustworkx as rx

    require_undirected(csr, "this task is of undirected graphs")
    g = rx.PyGraph()
    g.add_nodes_from(range(csr.nrows))
    g.extend_from_weighted_edge_list(list(zip(*(part.tolist() for part in list_upper(csr)), strict=True)))
    return g


def components(csr: CompressedMatrix, kind: str = "weak") -> Task:
    """`weakly_connected_components` or `strongly_connected_components`."""
    import rustworkx as rx

    g = make_digraph(csr)
    solve = rx.strongly_connected_components if kind == "strong" else rx.weakly_connected_components

    def answer(found: Any) -> Any:
        numbers = np.empty(csr.nrows, np.int64)
        for number, members in enumerate(found):
            numbers[list(members)] = number
        return convert_components(numbers)

    return Task(lambda: solve(g), answer)


def solve_eigenvector(csr: CompressedMatrix, **asked: Any) -> Task:
    """`eigenvector_centrality`, whose tolerance is of a vertex."""
    import rustworkx as rx

    s = read_settings("eigenvector", csr, asked)
    if s.tolerance is None or s.weighted:
        raise NotSupported("numbers of rounds and weights are compared among the others")
    g = make_digraph(csr)
    return Task(
        lambda: rx.eigenvector_centrality(g, max_iter=s.rounds, tol=s.tolerance),
        lambda found: scale_norm(make_array(csr.nrows, found, 0.0)),
    )


def solve_forest(csr: CompressedMatrix, kind: str = "minimum") -> Task:
    """`minimum_spanning_edges`, of the negated weights if the greatest is asked for."""
    import rustworkx as rx

    g, sign = make_simple(csr), -1 if kind == "maximum" else 1

    def answer(found: Any) -> Any:
        ends = np.array([(u, v) for u, v, _ in found], np.int64).reshape(-1, 2)
        return convert_forest(csr, *ends.T)

    return Task(lambda: rx.minimum_spanning_edges(g, weight_fn=lambda w: sign * float(w)), answer)


def solve_cores(csr: CompressedMatrix) -> Task:
    """`core_number`."""
    import rustworkx as rx

    g = make_simple(csr)
    return Task(lambda: rx.core_number(g), lambda found: make_array(csr.nrows, found, 0).astype(np.int32))


def solve_coloring(csr: CompressedMatrix) -> Task:
    """`graph_greedy_color`, the vertices of most neighbours first."""
    import rustworkx as rx

    g = make_simple(csr)
    return Task(lambda: rx.graph_greedy_color(g), lambda found: make_array(csr.nrows, found, -1).astype(np.int32))


def solve_dominators(csr: CompressedMatrix) -> Task:
    """`immediate_dominators`."""
    import rustworkx as rx

    g = make_digraph(csr)
    return Task(
        lambda source: {**rx.immediate_dominators(g, source), source: source},
        lambda found: make_array(csr.nrows, found, -1).astype(np.int32),
    )


tasks = {
    "components": components, "eigenvector": solve_eigenvector, "spanning_forest": solve_forest,
    "core_numbers": solve_cores, "coloring": solve_coloring, "dominators": solve_dominators,
}  # fmt: skip
peer = Peer("rustworkx", "rustworkx", "cpu", tasks)
