"""Graphs that come from files, tables, samples and generators, in parts on many ranks too; graphs to files."""

from graphla.graphs.reading.graphs import build_graph, datasets, generate, read, write, write_arcs

__all__ = ["build_graph", "datasets", "generate", "read", "write", "write_arcs"]
