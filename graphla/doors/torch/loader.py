"""Batches of sampled neighbourhoods as tensors, with the features of their vertices and arcs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from graphla.algorithms.sampling.neighbors import Sample, sample_neighbors
from graphla.algorithms.shared.random_words import draw, make_keys
from graphla.common.arguments import show, to_array, to_bool, to_int
from graphla.common.errors import InvalidOption
from graphla.common.extras import require
from graphla.common.typing import ArrayLike, Vertices
from graphla.graphs.graph import Graph, require_graph
from graphla.storage.convert import order_stably


@dataclass(frozen=True, eq=False)
class Batch:
    """A sampled neighbourhood as tensors, under the names of PyG; of a dict of graphs the members are dicts.

    Parameters
    ----------
    edge_index : tensor
        int64 of shape (2, m): the numbers, in the batch, of the vertices that each arc leaves and enters.
    n_id, e_id : tensor
        int64: the vertices of the graph in the order of their numbers, the seeds first; and the arcs, by their place in
        ``G.csr``.
    x, y, edge_attr : tensor or None
        What the loader was given, of these vertices, of the seeds, and of these arcs.
    batch_size : int
        The number of seeds.
    input_id : tensor
        int64: the place of each seed among all seeds of the loader.
    batch : tensor or None
        int64: the seed from which each vertex was found, if seeds share none.
    num_sampled_nodes, num_sampled_edges : list of int
        How many vertices and arcs each hop has, as `torch_geometric.utils.trim_to_layer` takes them.

    Examples
    --------
    >>> from graphla.torch import Batch
    >>> Batch.__name__
    'Batch'
    """

    edge_index: Any
    n_id: Any
    e_id: Any
    x: Any
    y: Any
    edge_attr: Any
    batch_size: int
    input_id: Any
    batch: Any
    num_sampled_nodes: Any
    num_sampled_edges: Any

    def to(self, device: Any, *, non_blocking: bool = False) -> Self:
        """The same on another device.

        Parameters
        ----------
        device : torch.device or str
            Where its tensors are to live.
        non_blocking : bool
            As of ``Tensor.to``.

        Returns
        -------
        Batch
            A batch whose tensors live there.

        Examples
        --------
        >>> from graphla.torch import Batch
        >>> callable(Batch.to)
        True
        """
        names = [field.name for field in fields(self) if not field.name.startswith("num_")]
        return replace(self, **{name: convert(getattr(self, name), device, non_blocking) for name in names})


def convert(value: Any, device: Any, non_blocking: bool) -> Any:
    """A tensor, or the tensors of a dict, on another device; anything else as it is."""
    if isinstance(value, dict):
        return {key: convert(each, device, non_blocking) for key, each in value.items()}
    return value.to(device, non_blocking=non_blocking) if hasattr(value, "to") else value


class NeighborLoader:
    """Batches of sampled neighbourhoods, as PyG's loader of this name gives them; it is iterated over once an epoch.

    Parameters
    ----------
    G : Graph or dict
        The graph, or a dict of graphs by relation, as `sample_neighbors` takes it.
    num_neighbors : sequence of int, or dict
        How many arcs are drawn for each vertex of each hop; see `sample_neighbors`.
    input_nodes : sequence of vertices, optional
        The seeds, or a mask of them, an array of truths; by default all vertices. Of a dict of graphs (type, numbers).
    batch_size : int
        How many seeds a batch has; the last one may have fewer.
    shuffle : bool
        Whether seeds come in another random order in each epoch.
    drop_last : bool
        Whether a last batch of fewer seeds is left out.
    x, y : array, tensor or dict, optional
        Features and classes of all vertices, a row or a number for each; dicts by type of a dict of graphs. A batch has
        the features of its vertices, and the classes of its seeds.
    edge_attr : array, tensor or dict, optional
        Features of all arcs, in the order of ``G.csr``; a dict by relation of a dict of graphs.
    replace, weights : bool
        As of `sample_neighbors`.
    time, vertex_time : array or dict, optional
        As of `sample_neighbors`.
    seed_time : array, optional
        The time of each of `input_nodes`, if there are times.
    latest : bool
        As of `sample_neighbors`.
    disjoint : bool, optional
        As of `sample_neighbors`.
    direction : {"in", "out"}
        As of `sample_neighbors`.
    seed : int
        Which samples and orders; each batch of each epoch has others.

    Raises
    ------
    InvalidOption
        If an argument is out of range, or features have not a row for each vertex or arc.
    InvalidGraph
        If a seed is no vertex of G.
    NotSupported
        If PyTorch is not installed.

    Notes
    -----
    The arrays of a sample become tensors by DLPack, without a copy, on the device of G; features are taken from where
    they are.

    Examples
    --------
    >>> import graphla as gl
    >>> from graphla.torch import NeighborLoader
    >>> len(NeighborLoader(gl.generate.path(10, engine="cpu"), [5, 5], batch_size=4))  # doctest: +SKIP
    3
    """

    def __init__(
        self,
        G: Graph | Mapping[Any, Any],
        num_neighbors: Sequence[int] | Mapping[Any, Any],
        *,
        input_nodes: Vertices | tuple[Any, Any] | None = None,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        x: ArrayLike | Mapping[Any, Any] | None = None,
        y: ArrayLike | Mapping[Any, Any] | None = None,
        edge_attr: ArrayLike | Mapping[Any, Any] | None = None,
        replace: bool = False,
        weights: bool = False,
        time: ArrayLike | Mapping[Any, Any] | None = None,
        vertex_time: ArrayLike | Mapping[Any, Any] | None = None,
        seed_time: ArrayLike | None = None,
        latest: bool = False,
        disjoint: bool | None = None,
        direction: str = "in",
        seed: int = 0,
    ) -> None:
        self._torch = require("torch", "torch", "graphla.torch")
        self.G, self.num_neighbors = G, num_neighbors
        self.batch_size = to_int(batch_size, "batch_size", 1)
        self.shuffle, self.drop_last = to_bool(shuffle, "shuffle"), to_bool(drop_last, "drop_last")
        self.seed, self.epoch = to_int(seed, "seed", 0), 0
        self._kind, self._seeds = read_seeds(G, input_nodes)
        self._times = None if seed_time is None else np.asarray(seed_time)
        if self._times is not None and self._times.shape != self._seeds.shape:
            raise InvalidOption(f"seed_time: its shape is {self._times.shape}, and there are {self._seeds.size} seeds")
        self._options: dict[str, Any] = {
            "replace": replace, "weights": weights, "time": time, "vertex_time": vertex_time, "latest": latest,
            "disjoint": disjoint, "direction": direction,
        }  # fmt: skip
        given = {"x": x, "y": y, "edge_attr": edge_attr}
        self._held: dict[str, Any] = {name: self._to_tensors(name, value) for name, value in given.items()}
        self._sample(np.zeros(0, np.int64), 0)

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        size = self._seeds.size
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        """The batches of the next epoch."""
        keys = make_keys(self.seed, np.array([self.epoch], np.uint64))
        self.epoch += 1
        order = np.arange(self._seeds.size)
        if self.shuffle:
            order = order_stably(draw(keys, 1 << 40) ^ draw(make_keys(int(keys[0]), order.astype(np.uint64)), 0))
        for number in range(len(self)):
            chosen = order[number * self.batch_size : (number + 1) * self.batch_size]
            yield self._make_batch(self._sample(chosen, int(draw(keys, number)[0] >> np.uint64(1))), chosen)

    def _sample(self, chosen: Any, seed: int) -> Sample:
        """The neighbourhoods of some seeds."""
        numbers, times = self._seeds[chosen], None if self._times is None else self._times[chosen]
        if self._kind is not None:
            numbers, times = {self._kind[0]: numbers}, None if times is None else {self._kind[0]: times}
        return sample_neighbors(self.G, numbers, self.num_neighbors, seed_time=times, seed=seed, **self._options)

    def _make_batch(self, sample: Sample, chosen: Any) -> Batch:
        """The tensors of a sample."""
        torch, to_tensor = self._torch, self._torch.from_dlpack
        rows, cols = over(to_tensor, sample.row), over(to_tensor, sample.col)
        nodes, arcs = over(to_tensor, sample.node), over(to_tensor, sample.edge)
        seeds = nodes[self._kind[0]] if self._kind is not None else nodes
        held_y = self._held["y"]
        if self._kind is not None and held_y is not None:
            held_y = held_y[self._kind[0]]
        return Batch(
            edge_index=over(lambda row, col: torch.stack([row, col]), rows, cols),
            n_id=nodes,
            e_id=arcs,
            x=take(self._held["x"], nodes),
            y=take(held_y, seeds[: chosen.size]),
            edge_attr=take(self._held["edge_attr"], arcs),
            batch_size=int(chosen.size),
            input_id=torch.from_numpy(chosen),
            batch=None if sample.batch is None else over(to_tensor, sample.batch),
            num_sampled_nodes=sample.num_sampled_nodes,
            num_sampled_edges=sample.num_sampled_edges,
        )

    def _to_tensors(self, name: str, value: Any) -> Any:
        """Arrays as tensors of the same memory, with a row for each vertex or arc of the only graph."""
        if value is None:
            return None
        held = over(lambda each: to_array(self._torch.as_tensor, each, name, InvalidOption), value)
        if not isinstance(self.G, Mapping):
            count, of = (self.G.nvals, "arcs") if name == "edge_attr" else (self.G.n, "vertices")
            size = held.shape[0] if not isinstance(held, dict) and held.ndim else 0
            if isinstance(held, dict) or size != count:
                raise InvalidOption(f"{name}={show(value)}: give an array with a row for each of {count:,} {of}")
        return held


def read_seeds(G: Any, given: Any) -> tuple[Any, Any]:
    """The type of the seeds, in a tuple, if there are several; and their numbers."""
    if isinstance(G, Mapping):
        if not isinstance(given, tuple) or len(given) != 2:
            raise InvalidOption(f"input_nodes={show(given)}: give (type, numbers), as G is a dict of graphs")
        return (given[0],), np.asarray(unmask(given[1]), np.int64)
    require_graph(G)
    numbers = np.arange(G.n) if given is None else np.asarray(G.vertices(unmask(given), "input_nodes"), np.int64)
    return None, numbers


def unmask(given: Any) -> Any:
    """The numbers where a mask is true; anything else as it is."""
    if str(getattr(given, "dtype", "")) in ("bool", "torch.bool"):
        return np.flatnonzero(np.asarray(given))
    return given


def over(function: Callable[..., Any], *values: Any) -> Any:
    """A function of values, or of those of dicts key by key."""
    if isinstance(values[0], dict):
        return {key: function(*[value[key] for value in values]) for key in values[0]}
    return function(*values)


def take(held: Any, places: Any) -> Any:
    """The rows of features at some places, on the device of the features; of dicts those that both have."""
    if held is None:
        return None
    if isinstance(places, dict):
        return {key: take(held[key], places[key]) for key in places if key in held}
    return held.index_select(0, places.to(held.device))
