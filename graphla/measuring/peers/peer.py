"""The interface of a peer: how it receives a graph, what is timed, and how its answer is converted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.matching.sides import find_sides as find_sides
from graphla.algorithms.shared.arcs import find_arcs
from graphla.algorithms.shared.communities.labels import number_by_size
from graphla.algorithms.shared.distance_range import WIDER
from graphla.algorithms.shared.undirected import is_undirected
from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.common.errors import NotSupported
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import get_problem
from graphla.problem.answer import pack_records
from graphla.storage import CompressedMatrix
from semirings.dtypes import lookup


@dataclass(frozen=True)
class Task:
    """A problem on a graph that a library has loaded.

    Parameters
    ----------
    run : callable (*where) -> result
        The call that is timed.
    answer : callable (result) -> array
        Converts the result into that of graphla: levels with −1 or distances with infinity where there is no path.
    """

    run: Callable[..., Any]
    answer: Callable[[Any], Any]


@dataclass(frozen=True)
class Peer:
    """Another library.

    Parameters
    ----------
    title : str
        The name of the library, as its authors write it.
    package : str
        The package to import.
    engine : str
        ``"cpu"`` or ``"cuda"``: where the library computes.
    tasks : mapping of problem name to callable (CompressedMatrix on the host, **definition) -> Task
        Loads the graph into the library; not timed. It also takes the options that define the problem.
    """

    title: str
    package: str
    engine: str
    tasks: Mapping[str, Callable[..., Task]]
    name: str = ""


def convert_distances(found: Any, weights: Any) -> Any:
    """Convert floating-point distances, inf where there is no path, to the dtype of graphla's distances."""
    found = np.asarray(found)
    there = np.isfinite(found)
    dtype = find_wide_enough(distance_dtype(weights.dtype), found[there])
    if dtype.kind == "f":
        return found.astype(dtype)
    distances = np.full(found.shape, infinity(dtype))
    distances[there] = found[there]
    return distances


def find_wide_enough(dtype: np.dtype[Any], distances: Any) -> np.dtype[Any]:
    """The dtype, or the wider one that graphla takes if the distances do not fit it."""
    ends = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    last = ends.max if dtype.kind == "f" else ends.max - 1  # the largest integer is infinity
    fits = distances.max(initial=0) <= last and (dtype.kind == "u" or distances.min(initial=0) > ends.min)
    return dtype if fits or dtype.name not in WIDER else np.dtype(lookup(WIDER[dtype.name]).numpy)


def convert_levels(found: Any) -> Any:
    """Convert floating-point levels, inf where there is no path, to int32 with −1."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(found), -1, found).astype(np.int32)


def convert_components(numbers: Any) -> Any:
    """Convert a number for each vertex, the same within a component, to the smallest vertex of the component."""
    numbers = np.asarray(numbers)
    _, smallest, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    return smallest[inverse].astype(np.int32)


def convert_forest(csr: CompressedMatrix, us: Any, vs: Any) -> Any:
    """Convert the edges of a forest, one way each, to records of tail, head and weight."""
    tails, heads = np.minimum(us, vs), np.maximum(us, vs)
    return pack_records(tails, heads, csr.values[find_arcs(csr, tails, heads)])


def number_components(us: Any, vs: Any, parts: Any) -> Any:
    """The number of the component of each arc but loops, given the ends and the components of edges, in any order."""
    both = np.lexsort((np.append(us, vs), np.append(vs, us)))
    _, first, inverse = np.unique(np.tile(parts, 2)[both], return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int32)[inverse]


def read_settings(problem: str, csr: CompressedMatrix, asked: Mapping[str, Any]) -> Any:
    """The settings of a problem, with defaults for the options that are not asked for."""
    settings = get_problem(problem).resolve(make_graph(csr), **asked)
    for name in ("top", "epsilon"):
        if getattr(settings, name, None) is not None:
            raise NotSupported(f"it answers for all vertices, to the end: {name}= is compared among the methods")
    return settings


def scale_sums(sums: Any, s: Any) -> Any:
    """Scale sums over sources as `betweenness` does."""
    factor, own = s.scale(sums.size)
    values = sums * factor
    if own != factor:
        values[s.sources] = sums[s.sources] * own
    return values.astype(s.dtype.numpy)


def name_communities(numbers: Any) -> Any:
    """Convert a number for each vertex to that of its community as `louvain` numbers them."""
    return number_by_size(np, convert_components(np.asarray(numbers, np.int64)))


def pack_value(value: Any) -> Any:
    """Convert the value of a flow to what is stored of one, without arcs and cut."""
    return pack_records(np.array([-1]), np.array([-1]), np.array([value], float))


def is_symmetric(csr: CompressedMatrix) -> bool:
    """Whether each arc has its reverse, of the same weight."""
    return make_graph(csr).symmetric


def is_loopless(csr: CompressedMatrix) -> bool:
    """Whether no arc leads to its own tail."""
    return not bool((np.repeat(np.arange(csr.nrows), np.diff(csr.indptr)) == csr.indices).any())


def make_graph(csr: CompressedMatrix) -> Graph:
    """A graph of the rows of its matrix."""
    return Graph(Matrix._from_storage(csr, get_engine("cpu")))


def require_undirected(csr: CompressedMatrix, otherwise: str) -> None:
    """Refuse a directed graph; `otherwise` says what the library makes of it."""
    if not is_undirected(Graph(Matrix._from_storage(csr, get_engine("cpu")))):
        raise NotSupported(f"the graph is directed, and {otherwise}")


def list_pairs(csr: CompressedMatrix, pairs: Any) -> tuple[list[tuple[int, int]], Callable[[Any], Any]]:
    """The pairs of `similarity`, as two vertices each; and how their scores become those of graphla."""
    found = read_settings("similarity", csr, {"pairs": pairs}).pairs
    ends = list(zip(found.tails.tolist(), found.heads.tolist(), strict=True))
    return ends, lambda scores: scores if found.mask is None else pack_records(found.tails, found.heads, scores)


def list_upper(csr: CompressedMatrix) -> tuple[Any, Any, Any]:
    """The tails, heads and weights of the arcs that lead to a later vertex: each edge but loops once."""
    rows = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    upper = rows < csr.indices
    return rows[upper], csr.indices[upper], csr.values[upper]


def scale_norm(values: Any) -> Any:
    """Values of one sign, scaled so that their squares add up to one."""
    values = np.abs(np.asarray(values, float))
    return values / (np.linalg.norm(values) or 1)


def make_array(n: int, pairs: Mapping[int, Any], fill: float) -> Any:
    """Make an array from a mapping of vertices to numbers; missing vertices get `fill`."""
    array = np.full(n, fill)
    array[np.fromiter(pairs.keys(), np.int64, len(pairs))] = np.fromiter(pairs.values(), np.float64, len(pairs))
    return array
