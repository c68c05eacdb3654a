"""The graph that the backend's functions get: a NetworkX graph as arrays, in the order of its dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress
from typing import Any

import networkx as nx
import numpy as np

from graphla.common.forks import cached_property
from graphla.containers.matrix import Matrix
from graphla.doors.networkx.weights import find_whole, read_weights, require_exact, to_array
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_pointers


class Adjacency:
    """The neighbours of each node as CSR arrays, each row in the order of its dictionary.

    Attributes
    ----------
    indptr : array
        int64 of shape (n + 1,).
    indices : array
        int32 of shape (m,), the numbers of the neighbours.
    rows : list of mapping
        What they were read from.
    """

    def __init__(self, rows: list[Any], number: Any) -> None:
        self.rows = rows
        self.indptr = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=self.indptr[1:])
        found = chain.from_iterable(rows)
        found = found if number is None else map(number.__getitem__, found)
        self.indices = np.fromiter(found, np.int32, int(self.indptr[-1]))

    def data(self) -> Iterator[Any]:
        """The attribute dictionaries of the edges; of a multigraph, dictionaries of these."""
        return chain.from_iterable(row.values() for row in self.rows)

    @cached_property
    def transposed(self) -> CompressedMatrix:
        """The transpose, which is sorted, with the place in `indices` of each of its entries as the value."""
        n, m = len(self.rows), self.indices.size
        kind = np.int32 if m < 2**31 else np.int64
        places = CompressedMatrix(n, n, self.indptr.astype(kind), self.indices, np.arange(m, dtype=kind))
        return get_engine("cpu").transpose(places)

    @property
    def order(self) -> tuple[Any, Any]:
        """The places of the entries in the order of rows and columns, and those of the entries of the transpose."""
        return get_engine("cpu").transpose(self.transposed).values, self.transposed.values

    def sort(self, values: Any) -> CompressedMatrix:
        """A matrix with a value for each entry, its columns sorted."""
        n, places = len(self.rows), get_engine("cpu").transpose(self.transposed)
        return CompressedMatrix(n, n, places.indptr, places.indices, values[places.values])


class ConvertedGraph:
    """A NetworkX graph as arrays.

    Parameters
    ----------
    origin : networkx.Graph
        The graph. It must not be changed while this one is in use; NetworkX drops it from the cache when the graph is
        changed by its methods.

    Attributes
    ----------
    nodes : list
        The nodes in their order; the number of a node is its place here.
    plain : bool
        Whether the nodes are 0, 1, … n − 1 in this order.
    viewed : bool
        Whether the graph is a view of another one.
    """

    __networkx_backend__ = "graphla"

    def __init__(self, origin: Any, backward: bool = False) -> None:
        self.origin = origin
        self.nodes = list(origin)
        self._rows = [origin._pred, origin._succ] if origin.is_directed() else [origin._adj, origin._adj]
        if not backward:
            self._rows.reverse()
        self.plain = self.nodes == list(range(len(self.nodes))) and set(map(type, self.nodes)) <= {int}
        self.viewed = type(origin._adj) is not dict
        self.directed, self.multigraph = origin.is_directed(), origin.is_multigraph()
        self._weights: dict[Any, Any] = {}
        self._lengths: dict[Any, tuple[Any, Any]] = {}
        self._graphs: dict[Any, Graph] = {}

    # --- what NetworkX asks of a graph

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return self.find(node) is not None

    # --- nodes and their numbers

    @cached_property
    def number(self) -> dict[Any, int]:
        """The number of each node."""
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    def find(self, node: Any) -> int | None:
        """The number of a node, or None if the graph does not have it."""
        try:
            return self.number.get(node)
        except TypeError:
            return None

    def locate(self, node: Any) -> int:
        """The number of a node, or the exception of NetworkX's dictionaries."""
        number = self.find(node)
        if number is None:
            self.origin._adj[node]
            raise KeyError(node)
        return number

    def name(self, numbers: Any) -> list[Any]:
        """The nodes of an array of numbers."""
        found = numbers.tolist()
        return found if self.plain else list(map(self.nodes.__getitem__, found))

    def by_node(self, values: Any) -> dict[Any, Any]:
        """A dictionary of an array with a value for each node."""
        return dict(zip(self.nodes, values.tolist(), strict=True))

    # --- arrays

    @cached_property
    def out(self) -> Adjacency:
        """The successors of each node, or its neighbours."""
        return self._read(self._rows[0])

    @cached_property
    def into(self) -> Adjacency:
        """The predecessors of each node, or its neighbours."""
        return self._read(self._rows[1]) if self.directed else self.out

    @cached_property
    def reverse(self) -> ConvertedGraph:
        """The graph with its edges turned around; itself if it is undirected."""
        return ConvertedGraph(self.origin, backward=True) if self.directed else self

    def _read(self, adjacency: Any) -> Adjacency:
        """The rows of an adjacency; those of a view are copied, for their lengths may count what the view hides."""
        rows = list(map(adjacency.__getitem__, self.nodes))
        if self.viewed:
            rows = [{v: dict(data) if self.multigraph else data for v, data in row.items()} for row in rows]
        return Adjacency(rows, None if self.plain else self.number)

    @cached_property
    def parallel(self) -> Any:
        """The number of parallel edges of each entry of `out`: int64; None if the graph is no multigraph."""
        return np.fromiter(map(len, self.out.data()), np.int64, self.out.indices.size) if self.multigraph else None

    def data(self) -> Iterator[dict[str, Any]]:
        """The attributes of the edges in the order of `out`, parallel ones one after the other."""
        if not self.multigraph:
            return self.out.data()
        return chain.from_iterable(keys.values() for keys in self.out.data())

    def read(self, name: Any, default: Any = 1) -> Any:
        """The values of an attribute, read once: see `read_weights`."""
        if (name, default) not in self._weights:
            halved = not (self.directed or self.multigraph or self.viewed)
            found = read_weights(self.list_upper if halved else self.data, name, default)
            self._weights[name, default] = self.mirror(found) if halved and isinstance(found, np.ndarray) else found
            if self.viewed and not self.directed and not self._is_mirrored(self._weights[name, default]):
                self._weights[name, default] = "the view is undirected, and its graph has a weight for either direction"
        return self._weights[name, default]

    @cached_property
    def upper(self) -> Any:
        """Whether an entry of `out` leads to the node itself or to a later one."""
        return self.out.indices >= self.list_tails()

    def list_tails(self) -> Any:
        """The node that each entry of `out` leads from."""
        return expand_pointers(np, self.out.indptr, self.out.indices.size, "int32")

    def list_upper(self) -> Iterator[dict[str, Any]]:
        """The attributes of the edges of an undirected graph, each once: half as many misses of the cache."""
        return compress(self.out.data(), self.upper.tobytes())

    def mirror(self, values: Any) -> Any:
        """The values of all entries of `out`, of those that `list_upper` gives."""
        order, reverse = self.out.order
        found, lower = np.empty(order.size, values.dtype), ~self.upper
        found[self.upper] = values
        opposite = np.empty_like(order)
        opposite[order] = reverse
        found[lower] = found[opposite[lower]]
        return found

    def _is_mirrored(self, values: Any) -> bool:
        """Whether both entries of each edge have the same values."""
        if not isinstance(values, np.ndarray):
            return True
        counts = np.ones(self.out.indices.size, np.int64) if self.parallel is None else self.parallel
        starts = np.cumsum(counts) - counts
        sums = np.add.reduceat(values, starts) if values.size else values
        return all(np.array_equal(each, self.mirror(each[self.upper]), equal_nan=True) for each in (counts, sums))

    def join(self, name: Any, combine: Any) -> Any:
        """The weight of each entry of `out`, parallel edges combined; None if all weigh 1.

        Raises
        ------
        NotImplementedError
            If the values of the attribute are no numbers.
        """
        if callable(name):
            return self.evaluate(name)
        found = None if name is None else self.read(name)
        if isinstance(found, str):
            raise NotImplementedError(found)
        if self.parallel is None or not self.out.indices.size:
            return found
        if found is None:
            return None if combine is np.minimum else self.parallel
        if found.dtype.kind == "f" and np.isnan(found).any():
            raise NotImplementedError(f"weight={name!r}: one of some parallel edges has the weight None")
        if combine is np.add:
            require_exact(found, found.size)
        return combine.reduceat(found, np.concatenate([[0], np.cumsum(self.parallel)[:-1]]))

    def evaluate(self, weight: Callable[[Any, Any, Any], Any]) -> Any:
        """The weights that a function of two nodes and the attributes of their edge gives; NaN where it gives None."""
        found = to_array(self.call(weight), "function")
        if isinstance(found, str):
            raise NotImplementedError(found)
        return found

    def call(self, weight: Callable[[Any, Any, Any], Any]) -> list[Any]:
        """What a function of two nodes and the attributes of their edge returns for each entry of `out`."""
        rows = zip(self.nodes, self.out.rows, strict=True)
        return [weight(u, v, data) for u, row in rows for v, data in row.items()]

    def lengths(self, weight: Any) -> tuple[Any, Any]:
        """The length of each entry of `out` in float64, the shortest of parallel ones, and which of them are whole.

        The second is True if all are, or else bools, one per entry. NaN is an edge that cannot be used. Those of a
        function are computed anew each time.

        Raises
        ------
        NotImplementedError
            If they are no numbers, or their sums may not be exact.
        """
        if callable(weight):
            return self._make_lengths(weight)
        if weight not in self._lengths:
            self._lengths[weight] = self._make_lengths(weight)
        return self._lengths[weight]

    def _make_lengths(self, weight: Any) -> tuple[Any, Any]:
        found = self.join(weight, np.minimum)
        if found is None:
            return np.ones(self.out.indices.size), True
        return require_exact(found, len(self.nodes)), found.dtype.kind == "i" or self._find_whole(weight, found)

    def _find_whole(self, weight: Any, lengths: Any) -> Any:
        """Which lengths are whole numbers by their type; of parallel edges that of the first shortest one."""
        values = self.call(weight) if callable(weight) else [data.get(weight, 1) for data in self.data()]
        whole = find_whole(values)
        if self.parallel is None or callable(weight):
            return whole
        alike = np.flatnonzero(np.array(values, np.float64) == np.repeat(lengths, self.parallel))
        groups = np.repeat(np.arange(lengths.size), self.parallel)[alike]
        return whole[alike[np.unique(groups, return_index=True)[1]]]

    # --- the same for graphla's problems

    def graph(self, weight: Any = None, combine: Any = np.minimum) -> Graph:
        """A `Graph` on the engine of the configuration, with weights of an attribute or none; made once.

        Raises
        ------
        NotImplementedError
            If the values of the attribute are no numbers.
        """
        key = weight, combine.__name__, get_engine(None).name
        if callable(weight):
            return self._make_graph(weight, combine)
        if key not in self._graphs:
            self._graphs[key] = self._make_graph(weight, combine)
        return self._graphs[key]

    def _make_graph(self, weight: Any, combine: Any) -> Graph:
        values = self.join(weight, combine)
        if values is None:
            values = np.ones(self.out.indices.size, bool)
        elif values.dtype.kind == "f" and not np.isfinite(values).all():
            raise NotImplementedError(f"weight={weight!r}: an edge has the weight None, or an infinite one")
        made = Graph(Matrix._from_storage(self.out.sort(values), get_engine("cpu"))).to(get_engine(None))
        if not self.directed and not callable(weight):
            made.cached("symmetric", lambda _: True)
        return made


def refuse_kinds(G: ConvertedGraph, *kinds: str) -> None:
    """Refuse kinds of graphs in the words of NetworkX."""
    of = {"directed": G.directed, "undirected": not G.directed, "multigraph": G.multigraph}
    for kind in kinds:
        if of[kind]:
            raise nx.NetworkXNotImplemented(f"not implemented for {kind} type")


def convert(graph: Any, attributes: Iterable[tuple[Any, Any]] = ()) -> ConvertedGraph:
    """Convert a NetworkX graph, and read the attributes that are asked for, by name with their defaults."""
    made = ConvertedGraph(graph)
    _ = made.out
    for name, default in attributes:
        made.read(name, default)
    return made
