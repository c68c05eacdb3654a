"""What graphla leaves to NetworkX, as far as the arguments and the first edge tell."""

from numbers import Integral, Rational, Real

from _graphla_networkx.arguments import PLACES, WEIGHTS, find_argument, find_weight


def find_obstacle(name, graph, args, kwargs):  # type: ignore[no-untyped-def]
    """Say why NetworkX should answer a call itself, or return None."""
    if name in CHECKS:
        check, options = CHECKS[name]
        reason = check(graph, *(find_argument(name, which, args, kwargs, default) for which, default in options))
        if reason is not None:
            return reason
    if name in FLOWS and kwargs.keys() - PLACES[name].keys():
        return "flow_func and its arguments choose an algorithm of NetworkX"
    return check_weight(graph, find_weight(name, args, kwargs)) if name in WEIGHTS else None


def check_weight(graph, weight):  # type: ignore[no-untyped-def]
    """The weight of the first edge tells of most graphs; the others are looked at when they are read."""
    if weight is None or callable(weight) or not hasattr(graph, "_adj"):
        return None
    data = next(iter(graph.edges(data=True)), ((), (), {}))[2]
    return find_fault(data.get(weight, 1), weight)


def find_fault(value, weight):  # type: ignore[no-untyped-def]
    """Say why a value is no weight, or return None; None hides an edge."""
    if isinstance(value, Integral):
        return None if -(2**63) <= int(value) < 2**63 else f"weight={weight!r}: a whole number does not fit 64 bits"
    if isinstance(value, Real) and not isinstance(value, Rational):
        return None if value == value else f"weight={weight!r}: a value is NaN"
    return None if value is None else f"weight={weight!r}: values of type {type(value).__name__} are no int or float"


def check_cores(graph):  # type: ignore[no-untyped-def]
    """Of `core_number`."""
    if graph.is_directed():
        return "degrees of a directed graph count arcs of either direction; graphla's cores are of undirected graphs"
    return None


def check_colors(graph, strategy, interchange):  # type: ignore[no-untyped-def]
    """Of `greedy_color`."""
    if graph.is_directed():
        return "neighbours of a directed graph are those of one direction, and degrees count both"
    if strategy != "largest_first":
        return f"strategy={strategy!r}: graphla colors in the order of 'largest_first'"
    return "interchange=True changes colors that are given already" if interchange else None


def check_sides(graph):  # type: ignore[no-untyped-def]
    """Of `hopcroft_karp_matching`."""
    return "matchings of a directed graph are those of NetworkX" if graph.is_directed() else None


def check_trees(graph, algorithm, ignore_nan):  # type: ignore[no-untyped-def]
    """Of spanning trees."""
    if graph.is_directed() or graph.is_multigraph():
        return "spanning trees are of undirected graphs without parallel edges here"
    if algorithm != "kruskal":
        return f"algorithm={algorithm!r}: edges come in the order of 'kruskal' here"
    return "ignore_nan: no weight may be NaN here" if ignore_nan else None


def check_flow(graph, flow_func):  # type: ignore[no-untyped-def]
    """Of flows and cuts."""
    return None if flow_func is None else "flow_func and its arguments choose an algorithm of NetworkX"


FLOWS = "maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"
TREES = "maximum_spanning_edges", "maximum_spanning_tree", "minimum_spanning_edges", "minimum_spanning_tree"
CHECKS = {
    "core_number": (check_cores, ()),
    "greedy_color": (check_colors, (("strategy", "largest_first"), ("interchange", False))),
    "hopcroft_karp_matching": (check_sides, ()),
    **dict.fromkeys(TREES, (check_trees, (("algorithm", "kruskal"), ("ignore_nan", False)))),
    **dict.fromkeys(FLOWS, (check_flow, (("flow_func", None),))),
}
"""What is looked at for some functions: a check of the graph, and of arguments with their defaults."""
CHECKED = frozenset(CHECKS) | frozenset(WEIGHTS)
"""Functions for which anything is looked at."""
