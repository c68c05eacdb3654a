"""Elimination of vertices over a closed semiring: the order, the tree of fronts, the fronts and the sweeps."""
