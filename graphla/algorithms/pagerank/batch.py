"""Ranks of many seed sets at once: a row of a matrix for each, a block of them in one pass over the arcs per round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.fused import inverse_sums, weights_of_entering
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.weight_range import scale_rows
from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.common.memory import require_large
from graphla.containers.labels import Column, Names
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from semirings.dtypes import FP64


def rank_many(G: Graph, problem: Problem, arguments: Mapping[str, Any]) -> Matrix:
    """The ranks of each distribution of teleports that a call of the problem lists, a row each."""
    if arguments["method"] is not None or arguments["options"]:
        raise NotSupported("personalization= of several seed sets: they are ranked together; leave method= out")
    if G.engine.name == "mpi":
        raise NotSupported("personalization= of several seed sets: rank them one by one on many processes")
    asked = {name: arguments[name] for name in problem.defaults}
    seeds = [to_weights(each) for each in arguments["personalization"]]
    require_large(8 * len(seeds) * G.n, "the ranks of {:,} seed sets", len(seeds))
    rank = rank_on_cpu if G.engine.name == "cpu" else rank_in_turn
    ranks = Matrix.from_dense(rank(problem, G, seeds, asked), engine=G.engine)
    return ranks._name_columns(Names((Column("query"), Column("vertex", G._labels), Column("rank"))))  # pyright: ignore[reportPrivateUsage]


def to_weights(seeds: Any) -> Any:
    """The weights of seeds: those that are given, or one for each vertex of a list."""
    if not isinstance(seeds, list | tuple | set | frozenset):
        return seeds
    try:
        return dict.fromkeys(seeds, 1)
    except TypeError:
        raise InvalidGraph(f"personalization={show(seeds)}: a seed is a vertex, by number or by label") from None


def rank_in_turn(problem: Any, G: Any, seeds: list[Any], asked: dict[str, Any]) -> Any:
    """On a GPU, whose products keep it busy with one ranking, one after the other."""
    return G.engine.xp.stack([problem(G, **{**asked, "personalization": each}).to_dense() for each in seeds])


def rank_on_cpu(problem: Problem, G: Any, seeds: list[Any], asked: dict[str, Any]) -> Any:
    """Blocks of rankings side by side."""
    from graphla.algorithms.pagerank._batch_cpu import WIDTH

    settings = [Settings.resolve(G, {**asked, "personalization": each}) for each in seeds]
    s = replace(settings[0], dtype=FP64)
    graph = scale_rows(G.plain, FP64) if s.weighted else G.plain
    arcs = graph.csc, weights_of_entering(graph, s), inverse_sums(graph, s)
    out = np.empty((len(seeds), G.n), settings[0].dtype.numpy)
    for begin in range(0, len(seeds), WIDTH):
        block = settings[begin : begin + WIDTH]
        out[begin : begin + WIDTH] = rank_block(*arcs, s, block)[:, : len(block)].T
    return out


def rank_block(rows: Any, values: Any, inverse: Any, s: Settings, block: list[Settings]) -> Any:
    """The ranks of a block, a column each; columns that are left repeat the first one."""
    from graphla.algorithms.pagerank._batch_cpu import WIDTH, iterate

    padded = block + block[:1] * (WIDTH - len(block))
    teleport = stack(rows.nrows, [each.teleport for each in padded])
    alike = all(each.share is each.teleport for each in block)
    share = teleport if alike else stack(rows.nrows, [each.share for each in padded])
    ranks, residual = iterate(rows, values, inverse, s, teleport, share)
    s.require_convergence(float(residual.max()))
    return ranks


def stack(n: int, columns: list[Any]) -> Any:
    """Arrays of n numbers, or of one for all, as the columns of an array."""
    return np.stack([np.broadcast_to(each, n) for each in columns], axis=1)
