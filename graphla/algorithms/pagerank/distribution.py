"""Probabilities of vertices: where teleports go, and the rank of vertices without leaving arcs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_real
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.containers.vector import Vector

Array = Any


@dataclass(frozen=True, eq=False)
class Distribution:
    """Shares of n vertices, float64 on the host: those of some `vertices`; for None, of all, or one that all have."""

    n: int
    vertices: Array | None
    shares: Array

    @cached_property
    def full(self) -> Array:
        """The share of each vertex, or an array of size 1 if all are alike."""
        if self.vertices is None:
            return self.shares
        full = np.zeros(self.n)
        full[self.vertices] = self.shares
        return full

    @cached_property
    def listed(self) -> tuple[Array, Array]:
        """The vertices that have a share, int32, and the shares."""
        if self.vertices is not None:
            return self.vertices, self.shares
        vertices = np.arange(self.n if self.shares.any() else 0, dtype=np.int32)
        return vertices, np.broadcast_to(self.shares, self.n)[: vertices.size].copy()


def make_distribution(G: Any, value: Any, name: str) -> Distribution:
    """The shares of weights by vertex, or of a weight for each; all are alike if None is given."""
    if isinstance(value, Distribution):
        return value
    if value is None:
        return Distribution(G.n, None, np.full(1, 1 / max(1, G.n)))
    if isinstance(value, set | frozenset):
        value = dict.fromkeys(value, 1)
    if isinstance(value, Mapping):
        weights = {G.vertex(v, name): to_real(weight, f"{name}[{v}]") for v, weight in value.items()}
        vertices = np.fromiter(weights, np.int32, len(weights))
        return Distribution(
            G.n, vertices, to_shares(G, np.fromiter(weights.values(), float, len(weights)), f"{name}={show(value)}")
        )
    given = value.to_numpy(0) if isinstance(value, Vector) else value
    if holds_text(given):
        raise InvalidOption(f"{name}={show(value)}: {advise(given, name)}")
    weights = to_array(lambda held: np.asarray(G.engine.to_host(held), np.float64), given, name, InvalidOption)
    if weights.shape != (G.n,):
        raise InvalidOption(
            f"{name}: weights of shape {weights.shape} were given for {G.n} vertices: {advise(given, name)}"
        )
    return Distribution(G.n, None, to_shares(G, weights, f"{name}={show(value)}"))


def holds_text(value: Any) -> bool:
    """Whether labels that are texts were given where weights are by position."""
    return isinstance(value, list | tuple) and any(isinstance(each, str) for each in value)


def advise(value: Any, name: str) -> str:
    """What to give in place of a list of vertices, or of another number of weights."""
    listed = value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, list | tuple | range)
    first = value[0] if listed and len(value) else 0
    v = show(first) if isinstance(first, str | int) else "0"
    several = f", or [[{v}]], a list of seed sets" if name.startswith("personalization") else ""
    return f"give a weight for each vertex, {{{v}: 1}}, the weights of some, {{{v}}}, a set of vertices{several}"


def to_weights(seeds: Any, name: str) -> Any:
    """The weights of one of several seed sets: those that are given, or one for each vertex of a list or an array."""
    if isinstance(seeds, np.ndarray):
        if seeds.ndim != 1 or seeds.dtype.kind in "fcb":
            raise InvalidGraph(f"{name}={show(seeds)}: an array holds vertices; {advise(0, name)}")
        seeds = seeds.tolist()
    if not isinstance(seeds, list | tuple | range | set | frozenset):
        return seeds
    try:
        return dict.fromkeys(seeds, 1)
    except TypeError:
        raise InvalidGraph(f"{name}={show(seeds)}: a seed is a vertex, by number or by label") from None


def tabulate(seeds: list[Distribution], width: int) -> tuple[Array, Array]:
    """The vertices that have a share in any distribution, in order, and a column of shares for each, others being 0."""
    chosen = np.unique(np.concatenate([each.listed[0] for each in seeds]))
    table = np.zeros((chosen.size, width))
    for j, each in enumerate(seeds):
        table[np.searchsorted(chosen, each.listed[0]), j] = each.listed[1]
    return chosen, table


def to_shares(G: Any, weights: Array, given: str) -> Array:
    """Weights over their sum; `given` is the argument and its value."""
    if not weights.size and G.n:
        raise InvalidOption(f"{given} holds no vertex: give at least one")
    most = weights.max(initial=0.0)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and (most > 0 or G.n == 0)):
        raise InvalidOption(f"{given}: the weights of vertices must be finite, none negative and one positive")
    shares = weights / (most or 1)  # their sum is a number, however large or small the weights are
    return shares / (shares.sum() or 1)
