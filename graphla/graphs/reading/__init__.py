"""Graphs that come from files, tables, samples and generators, in parts on many ranks too; graphs to files."""

from graphla.graphs.reading.graphs import build_graph, datasets, generate, read, write, write_arcs
from graphla.graphs.reading.saved import load, save

__all__ = ["build_graph", "datasets", "generate", "load", "read", "save", "write", "write_arcs"]
