"""Graphs that are made, as coordinates: seeded, reproducible, the same on NumPy and CuPy; one file a family."""

from graphla.generators.kronecker import kronecker, rmat
from graphla.generators.weights import pair_weights

__all__ = ["kronecker", "pair_weights", "rmat"]
