"""A data set as a graph: vertices are numbered in the order of their names, from 0 on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.engine.protocol import EngineLike
from graphla.graphs.graph import Graph
from graphla.measuring.benchmarks.graphalytics.columns import Columns, read_columns
from graphla.measuring.benchmarks.graphalytics.dataset import Dataset

Array = Any


@dataclass(frozen=True)
class LoadedGraph:
    """A graph of a data set.

    Attributes
    ----------
    graph : Graph
        The graph, with FP64 weights if its edges have any; of an undirected one both arcs of each edge.
    names : array
        The names of its vertices, ascending: int64, or text. Vertex v of the graph is ``names[v]``.
    edges : int
        The edges of the file: one for both arcs if the graph is undirected.
    """

    graph: Graph
    names: Array
    edges: int

    @property
    def numbered(self) -> bool:
        """Whether names are whole numbers."""
        return self.names.dtype.kind == "i"

    def find_vertices(self, names: Array) -> Array:
        """The vertices of names; -1 where there is none.

        Parameters
        ----------
        names : array of shape (m,)
            Names, of the dtype of `self.names`.

        Returns
        -------
        array of int64
            Shape (m,).
        """
        places = np.minimum(np.searchsorted(self.names, names), max(self.names.size - 1, 0))
        found = self.names[places] == names if self.names.size else np.zeros(names.size, bool)
        return np.where(found, places, -1)

    def find_vertex(self, text: str) -> int:
        """The vertex of a name as a properties file has it; -1 if there is none."""
        try:
            name = int(text) if self.numbered else text
        except ValueError:
            return -1
        return int(self.find_vertices(np.array([name], self.names.dtype if self.numbered else "U"))[0])

    def place(self, columns: Columns, names: Array) -> Array:
        """The vertices of a column of a file; one that does not exist is refused with its line."""
        found = self.find_vertices(names)
        if (found < 0).any():
            row = int((found < 0).argmax())
            columns.fail(row, f"{names[row]} is no vertex of the graph")
        return found


def load(dataset: Dataset, engine: EngineLike = None) -> LoadedGraph:
    """Read the vertices and the edges of a data set.

    Parameters
    ----------
    dataset : Dataset
        What its properties file says.
    engine : {"cpu", "cuda"}, optional
        Where the graph is to live; by default as `config.engine` says.

    Returns
    -------
    LoadedGraph
        The graph and the names of its vertices.

    Raises
    ------
    InvalidGraph
        If a file is missing or malformed, a vertex occurs twice, or an edge joins what is no vertex.
    NotSupported
        If edges have more than one property.
    """
    names = read_names(dataset)
    weighted = bool(dataset.edge_properties)
    file = dataset.find_file("edge-file")
    empty = LoadedGraph(Graph(([], []), n=names.size, engine="cpu"), names, 0)
    columns = read_columns(file, 2, weighted, empty.numbered)
    tails, heads = (empty.place(columns, column) for column in columns.vertices)
    weights = [columns.values.astype(np.float64)] if weighted else []
    if not dataset.directed:
        back = tails != heads
        weights = [np.concatenate([each, each[back]]) for each in weights]
        tails, heads = np.concatenate([tails, heads[back]]), np.concatenate([heads, tails[back]])
    require_count(dataset, "vertices", names.size)
    require_count(dataset, "edges", columns.vertices[0].size)
    graph = Graph((tails, heads, *weights), n=names.size, name=dataset.name, engine=engine)
    return LoadedGraph(graph, names, columns.vertices[0].size)


def require_count(dataset: Dataset, what: str, found: int) -> None:
    """Refuse files that hold more or less than the properties state, if they state it."""
    key = f"meta.{what}"
    if key in dataset.properties and dataset.get_number(key, "the check of its files", int) != found:
        stated = dataset.properties[key]
        raise InvalidGraph(f"{dataset.file}: graph.{dataset.name}.{key} = {stated}, and the file has {found:,}")


def read_names(dataset: Dataset) -> Array:
    """The names of the vertices, ascending: whole numbers if all of them are."""
    file = dataset.find_file("vertex-file")
    try:
        columns = read_columns(file, 1, False, True)
    except InvalidGraph:
        columns = read_columns(file, 1, False, False)
    names, first = np.unique(columns.vertices[0], return_index=True)
    if names.size < columns.vertices[0].size:
        again = int(np.setdiff1d(np.arange(columns.vertices[0].size), first)[0])
        columns.fail(again, f"vertex {columns.vertices[0][again]} occurs more than once in the file")
    return names
