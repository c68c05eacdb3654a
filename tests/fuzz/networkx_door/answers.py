"""Answers of NetworkX and of the door beside each other: values, types, orders and exceptions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, ValuesView
from itertools import islice, pairwise
from typing import Any

import networkx as nx
import numpy as np

MOST = 500
"""Items of an iterator that are looked at."""
ROUNDED = {
    **dict.fromkeys(("pagerank", "hits", "eigenvector_centrality", "katz_centrality"), 2e-5),
    **dict.fromkeys(
        (
            *("betweenness_centrality", "edge_betweenness_centrality", "closeness_centrality", "harmonic_centrality"),
            *("clustering", "average_clustering", "transitivity", "modularity", "average_shortest_path_length"),
            *("adamic_adar_index", "resource_allocation_index", "jaccard_coefficient", "maximum_flow", "minimum_cut"),
            *("maximum_flow_value", "minimum_cut_value", "floyd_warshall", "floyd_warshall_numpy"),
            *("floyd_warshall_predecessor_and_distance", "goldberg_radzik", "single_source_bellman_ford"),
            *(
                "all_pairs_bellman_ford_path_length",
                "single_source_bellman_ford_path_length",
                "bellman_ford_path_length",
            ),
            "bellman_ford_predecessor_and_distance",
        ),
        1e-9,
    ),
}
"""Functions whose sums are taken in another order, and how far they may differ: those that iterate, to a tolerance."""


def resolve(answer: Any) -> Any:
    """An answer whose iterators have run and whose graphs are lists."""
    if isinstance(answer, dict):
        return {key: resolve(value) for key, value in answer.items()}
    if isinstance(answer, Iterator):
        return ["iterator", *map(resolve, islice(answer, MOST))]
    if isinstance(answer, ValuesView):
        return ["values", *map(resolve, answer)]
    if isinstance(answer, tuple | list):
        return type(answer)(map(resolve, answer))
    if isinstance(answer, nx.Graph):
        edges = answer.edges(keys=True, data=True) if answer.is_multigraph() else answer.edges(data=True)
        return [type(answer).__name__, answer.graph, list(answer.nodes.items()), list(edges)]
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def run(call: Callable[[], Any]) -> Any:
    """An answer, or an exception as it would be shown."""
    try:
        return resolve(call())
    except Exception as error:
        return error


def find_difference(name: str, expected: Any, found: Any, asked: Any) -> str | None:
    """Where two answers differ, or None."""
    if isinstance(expected, Exception) or isinstance(found, Exception):
        alike = type(expected) is type(found) and str(expected) == str(found)
        return None if alike else f"{expected!r} against {found!r}"
    kinds, within = set(map(type, read_values(asked))), ROUNDED.get(name, 0.0)
    if any(issubclass(kind, np.generic) for kind in kinds):
        expected, found, within = to_python(expected), to_python(found), max(1e-5 * (np.float32 in kinds), within)
    loose = name in LOOSE or asked[1].get("method") == "bellman-ford"
    if loose and not (kinds <= {int} or (kinds <= {float} and name not in FLOWS)):
        expected, found = to_floats(expected), to_floats(found)
    return choose(name, asked)(expected, found, within, asked)


def choose(name: str, asked: Any) -> Callable[[Any, Any, float, Any], str | None]:
    """How the answers of a call are compared."""
    by_bellman_ford = asked[1].get("method") == "bellman-ford" and asked[1].get("weight") is not None
    return (BY_BELLMAN_FORD if by_bellman_ford else {}).get(name) or FREE.get(name, compare)


def read_values(asked: Any) -> list[Any]:
    """The values of the weights of a call."""
    G, arguments = asked
    weight = arguments.get("weight", arguments.get("distance", arguments.get("capacity", "weight")))
    found = [data.get(weight, 1) for *_, data in G.edges(data=True)]
    missing = any(weight not in data for *_, data in G.edges(data=True))
    return [*found, 1.0] if missing else found  # a missing one is 1 to some functions, and 1.0 to others


def to_python(answer: Any) -> Any:
    """An answer with Python's numbers for NumPy's."""
    return change(answer, lambda value: value.item() if isinstance(value, np.generic) else value)


def to_floats(answer: Any) -> Any:
    """An answer whose numbers are floats."""
    return change(answer, lambda value: float(value) if isinstance(value, int | float) else value)


def change(answer: Any, how: Callable[[Any], Any]) -> Any:
    """An answer with something in place of each value; keys stay."""
    if isinstance(answer, dict):
        return {key: change(value, how) for key, value in answer.items()}
    if isinstance(answer, list | tuple | set):
        return type(answer)(change(part, how) for part in answer)
    return how(answer)


def compare(expected: Any, found: Any, within: float, asked: Any = None) -> str | None:
    """Compare values, types and orders; floats to a relative difference."""
    if type(expected) is not type(found) or not same(expected, found, within):
        return f"{expected!r} against {found!r}"
    return None


def same(expected: Any, found: Any, within: float) -> bool:
    """Whether two values are alike, their types and orders included."""
    if type(expected) is not type(found):
        return False
    if isinstance(expected, dict):
        return same(list(expected.items()), list(found.items()), within)
    if isinstance(expected, list | tuple):
        return len(expected) == len(found) and all(same(a, b, within) for a, b in zip(expected, found, strict=True))
    if isinstance(expected, float):
        return is_close(expected, found, within)
    return bool(expected == found)


def is_close(expected: float, found: float, within: float) -> bool:
    if math.isnan(expected) or math.isnan(found):
        return math.isnan(expected) and math.isnan(found)
    return expected == found or math.isclose(expected, found, rel_tol=within, abs_tol=within)


# --- functions that choose freely


def compare_in_any_order(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Dictionaries and predecessors in any order."""
    return compare(order(expected), order(found), within)


def order(answer: Any) -> Any:
    """An answer with its dictionaries sorted."""
    if isinstance(answer, dict):
        return {key: order(answer[key]) for key in sorted(answer, key=repr)}
    if isinstance(answer, list) and answer[:1] != ["iterator"]:
        return sorted(map(order, answer), key=repr)
    return type(answer)(map(order, answer)) if isinstance(answer, list | tuple) else answer


def compare_all_paths(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """All shortest paths in any order; by fractions the last bits decide which are."""
    if float in set(map(type, read_values(asked))):
        return None
    return compare(order(collect(expected)), order(collect(found)), within)


def collect(answer: Any) -> Any:
    """An answer with each path once: NetworkX lists some of them again."""
    if isinstance(answer, dict):
        return {key: collect(value) for key, value in answer.items()}
    if isinstance(answer, list) and all(isinstance(part, list) for part in answer[1:]):
        return [list(path) for path in dict.fromkeys(map(tuple, answer))]
    return type(answer)(map(collect, answer)) if isinstance(answer, list | tuple) else answer


def compare_hits(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """ARPACK gives either sign, and either of several vectors of one value."""
    if not isinstance(found, tuple) or [list(part) for part in expected] != [list(part) for part in found]:
        return f"{expected!r} against {found!r}"
    G, _ = asked
    h, a = (np.array(list(part.values())) for part in found)
    A = nx.to_numpy_array(G, nodelist=list(G)) if len(G) else np.zeros((0, 0))
    if not len(G) or nx.number_connected_components(nx.Graph(nx.to_undirected(G)), backend="networkx") > 1:
        return None
    again, back = A @ a, A.T @ h
    pairs = (again / again.sum(), h / h.sum()), (back / back.sum(), a / a.sum())
    fine = all(np.allclose(x, y, atol=1e-4) for x, y in pairs)
    return None if fine else f"{expected!r} against {found!r}"


def compare_matching(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Another matching of the same size."""
    G, _ = asked
    fine = len(expected) == len(found) and all(found.get(v) == u and G.has_edge(u, v) for u, v in found.items())
    return None if fine else f"{expected!r} against {found!r}"


def compare_flow(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Another flow of the same value; the dictionaries have the keys of NetworkX."""
    keys = [{u: list(row) for u, row in each[1].items()} for each in (expected, found)]
    return compare(expected[0], found[0], within) or compare(*keys, 0.0) or check_flow(found, asked)


def check_flow(found: Any, asked: Any) -> str | None:
    """Whether what enters a node leaves it, within the capacities."""
    G, arguments = asked
    value, flow = found
    rest = dict.fromkeys(G, 0)
    for u, row in flow.items():
        for v, amount in row.items():
            rest[u], rest[v] = rest[u] - amount, rest[v] + amount
            limit = G[u][v].get(arguments.get("capacity", "capacity"), math.inf)
            if amount < 0 or amount - max(0, limit) > 1e-9:
                return f"a flow of {amount} from {u!r} to {v!r}, where {limit} may pass"
    rest[arguments["_s"]] += value
    rest[arguments["_t"]] -= value
    return None if all(abs(each) < 1e-9 for each in rest.values()) else f"a flow that does not add up: {rest}"


def compare_lengths_of_paths(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Other paths of the same lengths, from and to the same nodes, in any order."""
    weigh = make_measure(*asked)
    return compare(order(measure(expected, weigh)), order(measure(found, weigh)), max(within, 1e-9))


def make_measure(G: Any, arguments: Any) -> Callable[[list[Any]], Any]:
    """A function of a path: its ends, and its length."""
    weight = arguments.get("weight", "weight")

    def length(u: Any, v: Any) -> Any:
        edges = G[u][v].values() if G.is_multigraph() else [G[u][v]]
        return 2 if callable(weight) else min(1 if weight is None else data.get(weight, 1) for data in edges)

    return lambda path: (
        "path",
        path[0],
        path[-1],
        float(sum(length(u, v) for u, v in pairwise(path))),
    )


def measure(answer: Any, weigh: Callable[[list[Any]], Any]) -> Any:
    """An answer with each path in place of it."""
    if isinstance(answer, dict):
        return {key: measure(value, weigh) for key, value in answer.items()}
    if isinstance(answer, tuple) or (isinstance(answer, list) and answer[:1] == ["iterator"]):
        return [measure(part, weigh) for part in answer]
    return weigh(answer) if isinstance(answer, list) and answer else answer


def compare_last(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Distances only: another tree of shortest paths may come with them."""
    return compare_in_any_order(expected[1], found[1], within, asked)


def compare_distances(expected: Any, found: Any, within: float, asked: Any) -> str | None:
    """Distances with their order, and nodes that have a predecessor."""
    fine = {u: set(row) for u, row in expected[0].items()} == {u: set(row) for u, row in found[0].items()}
    return compare(expected[1], found[1], within) if fine else f"{expected[0]!r} against {found[0]!r}"


BELLMAN_FORD = (
    *("bellman_ford_path", "single_source_bellman_ford_path", "all_pairs_bellman_ford_path"),
    *("single_source_bellman_ford", "johnson"),
)
FREE: dict[str, Callable[[Any, Any, float, Any], str | None]] = {
    **dict.fromkeys(BELLMAN_FORD, compare_lengths_of_paths),
    **dict.fromkeys(
        (
            *("single_source_bellman_ford_path_length", "all_pairs_bellman_ford_path_length"),
            "bellman_ford_predecessor_and_distance",
        ),
        compare_in_any_order,
    ),
    "goldberg_radzik": compare_last,
    "floyd_warshall_predecessor_and_distance": compare_distances,
    "hits": compare_hits,
    "hopcroft_karp_matching": compare_matching,
    "maximum_flow": compare_flow,
}
"""How answers are compared that may differ."""
BY_BELLMAN_FORD = {
    "shortest_path": compare_lengths_of_paths,
    "shortest_path_length": compare_in_any_order,
    **dict.fromkeys(
        ("all_shortest_paths", "single_source_all_shortest_paths", "all_pairs_all_shortest_paths"), compare_all_paths
    ),
}
"""And those by Bellman and Ford."""
FLOWS = "maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"
LOOSE = (
    *("floyd_warshall", "floyd_warshall_predecessor_and_distance", *FLOWS),
    *("eccentricity", "diameter", "radius", "center", "periphery", "goldberg_radzik"),
    *("all_pairs_bellman_ford_path_length", "single_source_bellman_ford_path_length", "bellman_ford_path_length"),
    *("single_source_bellman_ford", "bellman_ford_predecessor_and_distance"),
)
"""Functions whose numbers are all floats if any weight is one; in NetworkX it depends on the path."""
