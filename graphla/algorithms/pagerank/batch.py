"""Ranks of many seed sets at once: a row of a matrix for each, a block of them in one pass over the arcs per round."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.highest import keep_top_listed, keep_top_of_all
from graphla.algorithms.pagerank.push import keeps_few, push_many
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.common.memory import require_large
from graphla.containers.labels import Column, Names
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.storage import CompressedMatrix, FullMatrix
from semirings.dtypes import FP64


def rank_many(G: Graph, problem: Problem, arguments: Mapping[str, Any]) -> Matrix:
    """The ranks of each distribution of teleports that a call of the problem lists, a row each."""
    asked, options = {name: arguments[name] for name in problem.defaults}, arguments["options"]
    asked["personalization"] = [to_weights(each) for each in asked["personalization"]]
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
    """All ranks of each seed set, or the highest; again in FP64 if that is free to choose and FP32 does not settle."""
    require_large(8 * len(settings) * G.n, "the ranks of {:,} seed sets", len(settings))
    ranks = (rank_on_cpu if G.engine.name == "cpu" else rank_on_cuda)(G, settings, may_refine)
    top = settings[0].top
    return FullMatrix(ranks) if top is None else keep_top_of_all(G.engine, ranks, top)


def to_weights(seeds: Any) -> Any:
    """The weights of seeds: those that are given, or one for each vertex of a list."""
    if not isinstance(seeds, list | tuple | set | frozenset):
        return seeds
    try:
        return dict.fromkeys(seeds, 1)
    except TypeError:
        raise InvalidGraph(f"personalization={show(seeds)}: a seed is a vertex, by number or by label") from None


def rank_on_cpu(G: Any, settings: list[Settings], may_refine: bool) -> Any:
    """Blocks of rankings side by side: sweeps of a small graph, rounds of another one."""
    from graphla.algorithms.pagerank._blocks_cpu import run_sweeps
    from graphla.algorithms.pagerank._sweeps_cpu import can_sweep

    return rank_or_refine(run_sweeps, G, settings, may_refine) if can_sweep(G, settings[0]) else run_rounds(G, settings)


def rank_on_cuda(G: Any, settings: list[Settings], may_refine: bool) -> Any:
    """Blocks of rankings side by side; the ranks stay on the device."""
    from graphla.algorithms.pagerank._columns_cuda import rank_columns

    return rank_or_refine(rank_columns, G, settings, may_refine)


def rank_or_refine(rank: Any, G: Any, settings: list[Settings], may_refine: bool) -> Any:
    """The ranks of all; in FP64 if those in FP32 do not settle, and that is allowed."""
    s, seeds = settings[0], [each.seeds for each in settings]
    ranks, residual = rank(G, s, seeds)
    if may_refine and not s.has_converged(residual):
        s = replace(s, dtype=FP64)
        ranks, residual = rank(G, s, seeds)
    s.require_convergence(residual)
    return ranks


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
    teleport = stack(rows.nrows, [each.teleport for each in padded])
    alike = all(each.sinks is each.seeds for each in block)
    share = teleport if alike else stack(rows.nrows, [each.share for each in padded])
    ranks, residual = iterate(rows, values, inverse, s, teleport, share)
    s.require_convergence(float(residual.max()))
    return ranks


def stack(n: int, columns: list[Any]) -> Any:
    """Arrays of n numbers, or of one for all, as the columns of an array."""
    return np.stack([np.broadcast_to(each, n) for each in columns], axis=1)
