"""Samples on a CPU, hop by hop."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.sampling._draw_cpu import draw_arcs
from graphla.algorithms.sampling.numbers import Vertices
from graphla.algorithms.sampling.options import Asked, How
from graphla.algorithms.shared.random_words import make_keys, mix

Array = Any


def grow(asked: Asked, how: How) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """For each relation the tails, heads and places of its arcs, for each type its vertices and their trees.

    With both how many of them each hop has; of vertices the seeds first.
    """
    roots = make_keys(how.seed, np.arange(asked.trees, dtype=np.uint64))
    sides = make_sides(asked)
    drawn: dict[Any, list[tuple[Array, ...]]] = {relation.key: [] for relation in asked.relations}
    for hop in range(asked.hops):
        fronts = {kind: side.get_frontier(roots, asked.times) for kind, side in sides.items()}
        for number, relation in enumerate(asked.relations):
            fanout, front = relation.get_fanout(hop), fronts[relation.near]
            words = mix(np.arange(max(0, fanout), dtype=np.uint64) | np.uint64(hop << 32 | number << 48))
            tails, heads, arcs = draw_arcs(relation.rows, front, words, fanout, how)
            trees = front.trees[tails - front.base] if asked.disjoint else None
            drawn[relation.key].append(sides[relation.far].add(tails, heads, arcs, trees))
        for side in sides.values():
            side.close_hop()
    for side in sides.values():
        side.release()
    vertices = {kind: ((side.nodes, side.trees), side.counts) for kind, side in sides.items()}
    return {key: join(hops) for key, hops in drawn.items()}, vertices


def make_sides(asked: Asked) -> dict[Any, Vertices]:
    """The vertices of each type, of which the seeds are there."""
    sides, first = {}, 0
    far = {relation.far: relation.rows for relation in asked.relations}
    for kind in asked.kinds:
        seeds = asked.seeds.get(kind, np.zeros(0, np.int64))
        trees = np.arange(first, first + seeds.size) if asked.disjoint else None
        sides[kind] = Vertices(seeds, trees, far.get(kind))
        first += int(seeds.size)
    return sides


def join(hops: list[tuple[Array, ...]]) -> tuple[list[Array], list[int]]:
    """The arcs of all hops, and how many each has."""
    parts = [np.concatenate([hop[part] for hop in hops] or [np.zeros(0, np.int64)]) for part in range(3)]
    return parts, [int(hop[0].size) for hop in hops]
