"""Containers: `Vector`, `Matrix` and `Scalar`, their expressions computed, and loops over them."""

from graphla.containers import matrix, scalar, vector  # noqa: F401  (what expressions are evaluated to, by rank)
