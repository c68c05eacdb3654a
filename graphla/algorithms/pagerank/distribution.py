"""Probabilities of vertices: where teleports go, and the rank of vertices without leaving arcs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_real
from graphla.common.errors import InvalidOption
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
    if isinstance(given, list | tuple) and any(isinstance(each, str) for each in given):
        raise InvalidOption(f"{name}={show(value)}: a list holds weights: give a set of vertices, as {{{given[0]!r}}}")
    weights = to_array(lambda held: np.asarray(G.engine.to_host(held), np.float64), given, name, InvalidOption)
    if weights.shape != (G.n,):
        raise InvalidOption(
            f"{name}: weights of shape {weights.shape} were given for {G.n} vertices: give one for each, or "
            f"a dictionary of those that have one, as {name}={{0: 1}}, or the set of these vertices, as {name}={{0}}"
        )
    return Distribution(G.n, None, to_shares(G, weights, f"{name}={show(value)}"))


def tabulate(seeds: list[Distribution], width: int) -> tuple[Array, Array]:
    """The vertices that have a share in any distribution, in order, and a column of shares for each, others being 0."""
    chosen = np.unique(np.concatenate([each.listed[0] for each in seeds]))
    table = np.zeros((chosen.size, width))
    for j, each in enumerate(seeds):
        table[np.searchsorted(chosen, each.listed[0]), j] = each.listed[1]
    return chosen, table


def to_shares(G: Any, weights: Array, given: str) -> Array:
    """Weights over their sum; `given` is the argument and its value."""
    most = weights.max(initial=0.0)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and (most > 0 or G.n == 0)):
        raise InvalidOption(f"{given}: the weights of vertices must be finite, none negative and one positive")
    shares = weights / (most or 1)  # their sum is a number, however large or small the weights are
    return shares / (shares.sum() or 1)
