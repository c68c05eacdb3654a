"""The arguments of samples: checked, and brought into one form for one graph and for several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphla.algorithms.sampling.rows import Rows, get_rows
from graphla.common.arguments import show, to_array, to_bool, to_choice, to_int, to_list
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.formats import as_compressed

Array = Any


@dataclass(frozen=True)
class How:
    """How arcs are drawn."""

    replace: bool
    weighted: bool
    latest: bool
    inward: bool
    seed: int


@dataclass(frozen=True, eq=False)
class Relation:
    """Arcs between vertices of two types, from which samples grow.

    Parameters
    ----------
    key : object
        What it is called in a dict of graphs; None of one graph.
    near, far : object
        The types of the vertices that draw, and of their neighbours.
    rows : Rows
        The neighbours of each vertex.
    fanouts : list of int
        How many arcs are drawn for each vertex, by hop.
    """

    key: Any
    near: Any
    far: Any
    rows: Rows
    fanouts: list[int]

    def get_fanout(self, hop: int) -> int:
        """How many arcs each vertex draws in a hop."""
        return self.fanouts[hop] if hop < len(self.fanouts) else 0


@dataclass(frozen=True, eq=False)
class Asked:
    """A checked request.

    Parameters
    ----------
    engine : Engine
        Where samples are made.
    relations : list of Relation
        In the order in which they draw.
    seeds : dict
        The numbers of the seeds by type: int64 arrays on the host.
    times : array or None
        The time of each seed, in the order of `seeds`, on the host.
    disjoint : bool
        Whether each seed has a sample of its own.
    labels : array or None
        Those of the vertices of one graph.
    """

    engine: Any
    relations: list[Relation]
    seeds: dict[Any, Array]
    times: Array | None
    disjoint: bool
    labels: Any

    @cached_property
    def hops(self) -> int:
        """The most hops of a relation."""
        return max(len(relation.fanouts) for relation in self.relations)

    @cached_property
    def trees(self) -> int:
        """How many samples there are that share no vertex: one, or one of each seed."""
        return sum(int(seeds.size) for seeds in self.seeds.values()) if self.disjoint else 1

    @cached_property
    def kinds(self) -> list[Any]:
        """The types of vertices: first those of seeds."""
        kinds = {kind for relation in self.relations for kind in (relation.near, relation.far)}
        return [*self.seeds, *sorted(kinds - set(self.seeds), key=repr)]


def read_how(replace: Any, weights: Any, latest: Any, direction: Any, seed: Any) -> How:
    """Check how arcs are to be drawn."""
    inward = to_choice(direction, "direction", ("in", "out")) == "in"
    how = How(
        to_bool(replace, "replace"),
        to_bool(weights, "weights"),
        to_bool(latest, "latest"),
        inward,
        to_int(seed, "seed", 0),
    )
    if how.latest and (how.replace or how.weighted):
        raise InvalidOption("latest=True takes the latest arcs, and draws none: leave out replace= and weights=")
    return how


def read_request(
    G: Any, seeds: Any, fanouts: Any, how: How, times: tuple[Any, Any, Any], disjoint: bool | None
) -> Asked:
    """Check the graph or the graphs, the seeds, and their times; `times` are those of arcs, vertices and seeds."""
    timed = any(each is not None for each in times[:2])
    apart = timed if disjoint is None else to_bool(disjoint, "disjoint")
    if timed and not apart:
        raise InvalidOption("disjoint=False: with times each seed has a sample of its own; leave it out")
    if times[0] is not None and times[1] is not None:
        raise InvalidOption("time=, vertex_time=: give the times of arcs or those of vertices")
    if (how.latest and not timed) or (times[2] is not None and not timed):
        name = "latest=True" if how.latest else "seed_time="
        raise InvalidOption(f"{name}: it needs the times of arcs or of vertices: time= or vertex_time=")
    graphs, labels = {None: G}, None
    if isinstance(G, Mapping):
        graphs = {require_relation(key): graph for key, graph in G.items()}
        engine = require_one_engine(graphs)
        chosen = read_typed_seeds(seeds, graphs)
    else:
        require_graph(G)
        engine = require_one_engine(graphs)
        chosen, labels = {None: G._number_vertices(seeds, "seeds")}, G.labels
    if not apart:
        refuse_repeats(chosen)
    relations = [
        Relation(
            key,
            find_types(key)[how.inward],
            find_types(key)[not how.inward],
            read_rows(key, graph, how, times),
            read_fanouts(pick(fanouts, key, "fanouts", isinstance(fanouts, Mapping))),
        )
        for key, graph in graphs.items()
    ]
    limits = read_seed_times(chosen, times, relations) if timed else None
    return Asked(engine, relations, chosen, limits, apart, labels)


def require_relation(key: Any) -> Any:
    """Check the name of a relation."""
    if not isinstance(key, tuple) or len(key) != 3:
        raise InvalidOption(f"G: {show(key)} is no relation: give (type of tails, name, type of heads)")
    return key


def find_types(key: Any) -> tuple[Any, Any]:
    """The types of tails and heads of a relation."""
    return (None, None) if key is None else (key[0], key[2])


def require_one_engine(graphs: Mapping[Any, Any]) -> Any:
    """The engine on which all relations live."""
    if not graphs:
        raise InvalidOption("G={}: give at least one relation")
    for key, graph in graphs.items():
        if not isinstance(graph, Graph | Matrix):
            raise InvalidOption(f"G: relation {show(key)} is {show(graph)}: give a Graph or a Matrix")
    names = {graph.engine.name for graph in graphs.values()}
    if len(names) > 1:
        raise InvalidOption(f"G: relations live on {' and '.join(sorted(names))}: bring all to one engine by .to()")
    if names == {"mpi"}:
        raise NotSupported("samples: this graph is spread over ranks: G.to('cpu') collects it")
    return next(iter(graphs.values())).engine


def read_typed_seeds(seeds: Any, graphs: Mapping[Any, Any]) -> dict[Any, Array]:
    """The seeds by type, each a number below how many there are."""
    if not isinstance(seeds, Mapping):
        raise InvalidOption(f"seeds={show(seeds)}: give a dict of numbers by type, as G is a dict of graphs")
    sizes = measure_types(graphs)
    found = {}
    for kind, given in seeds.items():
        if kind not in sizes:
            raise InvalidOption(f"seeds: no relation has vertices of the type {show(kind)}")
        numbers = to_list(given, f"seeds[{kind!r}]", "vertices", InvalidGraph)
        found[kind] = np.asarray(
            [to_int(each, f"seeds[{kind!r}]", 0, sizes[kind] - 1, InvalidGraph) for each in numbers], np.int64
        )
    return found


def measure_types(graphs: Mapping[Any, Any]) -> dict[Any, int]:
    """How many vertices there are of each type, in all relations alike."""
    sizes: dict[Any, int] = {}
    for key, graph in graphs.items():
        shape = graph.A.shape if isinstance(graph, Graph) else graph.shape
        for kind, size in zip(find_types(key), shape, strict=True):
            if sizes.setdefault(kind, size) != size:
                raise InvalidOption(
                    f"G: there are {sizes[kind]:,} vertices of the type {show(kind)}, and {size:,} in {show(key)}: "
                    "give a Matrix of a row for each tail and a column for each head"
                )
    return sizes


def refuse_repeats(chosen: Mapping[Any, Array]) -> None:
    """Refuse a seed that is there twice."""
    for numbers in chosen.values():
        ordered = np.sort(numbers)
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        if again.size:
            times = (numbers == again[0]).sum()
            raise InvalidGraph(f"seeds: vertex {again[0]} is there {times} times: give each once, or disjoint=True")


def read_fanouts(given: Any) -> list[int]:
    """How many arcs are drawn in each hop."""
    return [to_int(each, "fanouts", -1, 2**31 - 1) for each in to_list(given, "fanouts", "numbers", InvalidOption)]


def pick(given: Any, key: Any, what: str, typed: bool) -> Any:
    """What is given for a relation or a type."""
    if not typed:
        return given
    if not isinstance(given, Mapping) or key not in given:
        raise InvalidOption(f"{what}={show(given)}: {show(key)} is missing")
    return given[key]


def read_rows(key: Any, graph: Any, how: How, times: tuple[Any, Any, Any]) -> Rows:
    """The rows of a relation, with its times."""
    matrix = graph.csr if isinstance(graph, Graph) else as_compressed(graph.engine.xp, graph._storage)
    given, typed = None, key is not None
    if times[0] is not None:
        given = read_times(pick(times[0], key, "time", typed), "time", matrix.nvals, "arcs")
    elif times[1] is not None:
        kind = find_types(key)[not how.inward]
        count = (matrix.nrows, matrix.ncols)[not how.inward]
        given = read_times(pick(times[1], kind, "vertex_time", typed), "vertex_time", count, "vertices")
    weighted = how.weighted and graph.dtype.name != "BOOL"
    return get_rows(graph.engine, matrix, how.inward, weighted, given, of_arcs=times[0] is not None)


def read_times(given: Any, what: str, count: int, of: str) -> Array:
    """Times as an array on the host: of numbers, or of NumPy's datetime64 as numbers."""
    found = to_array(get_engine("cpu").asarray, given, what, InvalidOption)
    if found.shape != (count,):
        raise InvalidOption(f"{what}: its shape is {found.shape}, and there are {count:,} {of}")
    if found.dtype.kind == "M" and not np.isnat(found).any():
        return found.astype("datetime64[ns]").astype(np.int64)
    if found.dtype.kind not in "iuf" or (found != found).any():
        raise InvalidOption(f"{what}={show(found)}: give numbers or datetime64, none of them missing")
    return found.astype(np.float64 if found.dtype.kind == "f" else np.int64, copy=False)


def read_seed_times(chosen: Mapping[Any, Array], times: tuple[Any, Any, Any], relations: list[Relation]) -> Array:
    """The time of each seed, type by type."""
    _, of_vertices, given = times
    if given is None and of_vertices is None:
        raise InvalidOption("seed_time=None: with time= give the time of each seed")
    typed, found = None not in chosen, []
    for kind, numbers in chosen.items():
        if given is not None:
            found.append(read_times(pick(given, kind, "seed_time", typed), "seed_time", numbers.size, "seeds"))
        else:
            held = np.asarray(pick(of_vertices, kind, "vertex_time", typed))
            found.append(read_times(held[numbers], "vertex_time", numbers.size, "seeds"))
    return np.concatenate(found) if found else np.zeros(0, np.int64)
