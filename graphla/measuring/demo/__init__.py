"""The demo: breadth-first search and shortest paths on the roads of New York, algebraic and compiled, with plots."""

from graphla.measuring.demo.show import demonstrate

__all__ = ["demonstrate"]
