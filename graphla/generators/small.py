"""Paths, cycles, stars and complete graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.generators.build import Weights, packed, ready, undirected, whole
from graphla.generators.generator import Generator
from graphla.storage import Coo


def path(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """0 - 1 - … - n - 1, undirected."""
    vertex = _vertices("path", n, 2 * n, weights, seed, xp)
    return undirected(n, packed(vertex[:-1], vertex[1:]), weights, seed, xp)


def cycle(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """A path whose ends are joined."""
    vertex = _vertices("cycle", n, 2 * n, weights, seed, xp)
    return undirected(n, packed(vertex, xp.roll(vertex, -1)), weights, seed, xp)


def star(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """Vertex 0 joined to each of the others."""
    vertex = _vertices("star", n, 2 * n, weights, seed, xp)
    return undirected(n, packed(xp.zeros_like(vertex), vertex), weights, seed, xp)


def complete(n: int, *, weights: Weights = None, seed: int = 1, xp: Any = np) -> Coo:
    """Every vertex joined to every other."""
    vertex = _vertices("complete", n, n * n, weights, seed, xp)
    keys = packed(xp.repeat(vertex, n), xp.tile(vertex, n))
    return undirected(n, keys[(keys >> 32) < (keys & 0xFFFFFFFF)], weights, seed, xp)


def _vertices(name: str, n: int, keys: int, weights: Weights, seed: int, xp: Any) -> Any:
    whole("n", n, 0)
    ready(f"{name}({n})", n, keys, seed, weights, xp)
    return xp.arange(n, dtype=xp.int64)


GENERATORS = (
    Generator("path", path, "path", "path:1000"),
    Generator("cycle", cycle, "cycle", "cycle:1000"),
    Generator("star", star, "star", "star:1000"),
    Generator("complete", complete, "complete", "complete:100"),
)
