"""The demonstration: breadth-first search and shortest paths on the roads of New York, both ways, with a picture."""

from graphla.demo.show import demonstrate

__all__ = ["demonstrate"]
