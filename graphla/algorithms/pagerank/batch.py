"""Ranks of many seed sets at once: a row of a matrix for each, a block of them in one pass over the arcs per round."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.distribution import Distribution, make_distribution, to_weights
from graphla.algorithms.pagerank.highest import keep_top_listed, keep_top_of_all, point
from graphla.algorithms.pagerank.push import keeps_few, push_many
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.common.errors import NotSupported
from graphla.common.memory import require_large
from graphla.containers.labels import Column, Names
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.storage import CompressedMatrix, FullMatrix
from semirings.dtypes import FP64

ROWS_BYTES, MOST_ROWS = 1 << 28, 32
"""Of all ranks that are held until the highest are chosen: so many bytes, or so many rows if these are more."""


def rank_many(G: Graph, problem: Problem, arguments: Mapping[str, Any]) -> Matrix:
    """The ranks of each distribution of teleports that a call of the problem lists, a row each."""
    asked, options = {name: arguments[name] for name in problem.defaults}, arguments["options"]
    names = [f"personalization[{k}]" for k in range(len(asked["personalization"]))]
    asked["personalization"] = [
        make_distribution(G, to_weights(each, name), name)
        for name, each in zip(names, asked["personalization"], strict=True)
    ]
    settings = [Settings.resolve(G, {**asked, "personalization": each}) for each in asked["personalization"]]
    chosen = problem.choose(G, arguments["method"], {**asked, **options})
    if chosen.name != "push" and arguments["method"] is not None:
        raise NotSupported("personalization= of several seed sets: method='push', or leave it out")
    if asked["start"] is not None:
        raise NotSupported("start= with personalization= of several seed sets: give one of them")
    if G.engine.name == "mpi":
        raise NotSupported("personalization= of several seed sets: rank them one by one on many processes")
    if chosen.name == "push":
        rows = push_from_all(G, settings)
    else:
        rows = rank_all(G, settings, may_refine=asked["dtype"] is None)
    ranks = Matrix._from_storage(rows, G.engine)
    return ranks._name_columns(Names((Column("query"), Column("vertex", G._labels), Column("rank"))))


def push_from_all(G: Graph, settings: list[Settings]) -> CompressedMatrix:
    """Rows of what is near to each seed set."""
    s = settings[0]
    graph = scale_rows(G.plain, FP64) if s.weighted else G.plain
    rows = push_many(graph, s, [each.seeds for each in settings])
    return rows if s.top is None or keeps_few(G, s) else keep_top_listed(G.engine, rows, s.top)


def rank_all(G: Graph, settings: list[Settings], may_refine: bool) -> Any:
    """All ranks of each seed set; or the highest, of some rows after others, for all at once may be too many."""
    s, count = settings[0], len(settings)
    step = count if s.top is None else min(count, max(MOST_ROWS, ROWS_BYTES // (8 * max(1, G.n))))
    require_large(8 * step * G.n, "the ranks of {:,} seed sets", step)
    rank, pieces = choose_rank(G, s), [settings[k : k + step] for k in range(0, count, step)]
    rows, residual = rank_pieces(rank, G, s, pieces)
    if may_refine and not s.has_converged(residual):
        s = replace(s, dtype=FP64)
        rows, residual = rank_pieces(rank, G, s, pieces)
    s.require_convergence(residual)
    return rows[0] if len(rows) == 1 else join_rows(G.engine, rows)


def rank_pieces(rank: Any, G: Graph, s: Settings, pieces: list[list[Settings]]) -> tuple[list[Any], float]:
    """The rows that are kept of each piece, and how much the last round changed any; it ends with one that fails."""
    kept, residual = [], 0.0
    for piece in pieces:
        ranks, last = rank(G, s, piece)
        residual = max(residual, last)
        if not s.has_converged(residual):
            break
        kept.append(FullMatrix(ranks) if s.top is None else keep_top_of_all(G.engine, ranks, s.top))
    return kept, residual


def join_rows(engine: Any, rows: list[CompressedMatrix]) -> CompressedMatrix:
    """One matrix of the rows of several, on the host: they are few."""
    parts = [[engine.to_host(part) for part in (each.indptr, each.indices, each.values)] for each in rows]
    lengths, indices, values = (
        np.concatenate(each) for each in zip(*((np.diff(p), i, v) for p, i, v in parts), strict=True)
    )
    return CompressedMatrix(lengths.size, rows[0].ncols, *map(engine.asarray, (point(np, lengths), indices, values)))


def choose_rank(G: Any, s: Settings) -> Any:
    """Blocks of rankings side by side: on the host sweeps of a small graph, rounds of another; on a device rounds."""
    if G.engine.name != "cpu":
        from graphla.algorithms.pagerank._columns_cuda import rank_columns

        return lambda G, s, piece: rank_columns(G, s, [each.seeds for each in piece])
    from graphla.algorithms.pagerank._blocks_cpu import run_sweeps
    from graphla.algorithms.pagerank._sweeps_cpu import can_sweep

    if can_sweep(G, s):
        return lambda G, s, piece: run_sweeps(G, s, [each.seeds for each in piece])
    return lambda G, s, piece: (run_rounds(G, piece), 0.0)


def run_rounds(G: Any, settings: list[Settings]) -> Any:
    """The ranks of all, one block after the other, each by all threads in FP64."""
    from graphla.algorithms.pagerank._batch_cpu import WIDTH
    from graphla.algorithms.pagerank._blocks_cpu import list_entering

    s = replace(settings[0], dtype=FP64)
    arcs = list_entering(G, s)
    out = np.empty((len(settings), G.n), settings[0].dtype.numpy)
    for begin in range(0, len(settings), WIDTH):
        block = settings[begin : begin + WIDTH]
        out[begin : begin + WIDTH] = rank_block(*arcs, s, block)[:, : len(block)].T
    return out


def rank_block(rows: Any, values: Any, inverse: Any, s: Settings, block: list[Settings]) -> Any:
    """The ranks of a block, a column each; columns that are left repeat the first one."""
    from graphla.algorithms.pagerank._batch_cpu import WIDTH, iterate

    padded = block + block[:1] * (WIDTH - len(block))
    teleport = stack([each.seeds for each in padded])
    alike = all(each.sinks is each.seeds for each in block)
    share = teleport if alike else stack([each.sinks for each in padded])
    ranks, residual = iterate(rows, values, inverse, s, teleport, share)
    s.require_convergence(float(residual.max()))
    return ranks


def stack(distributions: list[Distribution]) -> Any:
    """The shares of all vertices, a column for each distribution; none keeps its own."""
    out = np.zeros((distributions[0].n, len(distributions)))
    for j, each in enumerate(distributions):
        out[slice(None) if each.vertices is None else each.vertices, j] = each.shares
    return out
