"""Whether a call gains anything by graphla: NetworkX's time by a rough estimate, beside what has to be paid first.

To be paid are the import of graphla, the first use of a function, and the conversion of a graph. A call that would not
earn that alone is left to NetworkX and remembered: when the calls so far have taken NetworkX as long as the payment
takes, the next one pays. Times are in microseconds, after the tables of docs/networkx.md.
"""

import sys
from collections import Counter
from math import sqrt

from _graphla_networkx.arguments import PLACES, find_argument, find_graph, find_weight
from _graphla_networkx.functions import COSTLY, FUNCTIONS, HEAP, PAIRS, PATH, ROUNDS, SEARCH

SMALL = 256
"""Nodes of a graph below which NetworkX needs less than a call of graphla, unless it does much for each node."""
LIGHT = frozenset(name for name, (kind, _) in FUNCTIONS.items() if kind not in (PAIRS, COSTLY))
"""Functions that do not."""
EACH = {SEARCH: 0.2, HEAP: 1.0, ROUNDS: 1.0, COSTLY: 4.0}
"""NetworkX's time for each node and edge and direction."""
PAIR = 0.04
"""The same for each source of a search from each."""
STEP = 2.0
"""NetworkX's time for each node on the way from both ends of a path, of which there are about √n."""
CALL = 400.0
"""What graphla takes for a call beside its work."""
ROW, ROW_WITH_WEIGHT = 0.15, 0.6
"""To convert a node, or an edge in one direction."""
LOADING, FIRST_USE = 4_000_000.0, 400_000.0
"""Four times what it takes to import graphla with what it stands on, and to load the compiled code of a function."""
LOCAL = "target", "cutoff", "depth_limit"
"""Arguments that end a search early."""
ENDED = 0.1
"""The share of a search that ends early."""
SOME = "u", "v", "nodes", "nbunch", "ebunch", "k"
"""Arguments that choose nodes, or say how many."""
DOOR = "graphla.doors.networkx.backend"
_spent = Counter()
_used = set()


def find_reason(name, args, kwargs):  # type: ignore[no-untyped-def]
    """Say why NetworkX should answer itself, or return None."""
    graph = args[0] if args else find_graph(args, kwargs)
    if name in LIGHT and len(graph) < SMALL:
        return "the graph is small"
    kind = FUNCTIONS[name][0]
    if callable(find_weight(name, args, kwargs)):
        return "a Python function gives the weights, and to call it for each edge takes as long as NetworkX"
    places = PLACES[name]
    if any(each in places and find_argument(name, each, args, kwargs) for each in ("sort_neighbors", "neighbors")):
        return "a Python function gives the neighbours, and to call it for each node takes as long as NetworkX"
    return weigh(name, graph, *estimate(kind, name, graph, args, kwargs))


def weigh(name, graph, time, conversion):  # type: ignore[no-untyped-def]
    """Say why a call does not pay, by NetworkX's time and that of the conversion; or note that the function is used."""
    if time < CALL:
        return "a call takes NetworkX no longer than graphla"
    cache = getattr(graph, "__networkx_cache__", None)
    if cache is None:
        if time < conversion:
            return "the conversion takes longer, and the graph keeps none"
    elif not cache.get("backends", {}).get("graphla"):
        cache["graphla.spent"] = cache.get("graphla.spent", 0.0) + time
        if cache["graphla.spent"] < conversion:
            return "the calls so far have not taken as long as the conversion of the graph"
    _spent[name] += time
    if DOOR not in sys.modules and _spent.total() < LOADING:
        return "the calls so far have not taken as long as the import of graphla"
    if name not in _used and _spent[name] < FIRST_USE:
        return "the calls so far have not taken as long as the first use of the function"
    _used.add(name)
    return None


def estimate(kind, name, graph, args, kwargs):  # type: ignore[no-untyped-def]
    """NetworkX's time for a call, and that of the conversion."""
    weight = find_weight(name, args, kwargs)
    rows = len(graph) + count_entries(graph)
    conversion = rows * (ROW if weight is None else ROW_WITH_WEIGHT)
    kind = choose_kind(kind, name, weight, args, kwargs)
    if kind is PATH:
        return STEP * sqrt(len(graph)), conversion
    time = rows * (PAIR * len(graph) if kind is PAIRS else EACH[kind])
    return time * find_share(name, len(graph), args, kwargs), conversion


def choose_kind(kind, name, weight, args, kwargs):  # type: ignore[no-untyped-def]
    """What NetworkX does with these arguments: `shortest_path` has one name for three kinds of searches."""
    if not name.startswith("shortest_path"):
        return kind
    ends = sum(find_argument(name, end, args, kwargs) is not None for end in ("source", "target"))
    return PAIRS if ends == 0 else HEAP if weight is not None else (SEARCH, PATH)[ends - 1]


def find_share(name, n, args, kwargs):  # type: ignore[no-untyped-def]
    """The share of the work that is left if a search ends early, or if some nodes are chosen."""
    places, share = PLACES[name], 1.0
    if any(each in places and find_argument(name, each, args, kwargs) is not None for each in LOCAL):
        share = ENDED
    for each in SOME:
        if each in places and (chosen := find_argument(name, each, args, kwargs)) is not None:
            count = chosen if each == "k" else len(chosen) if isinstance(chosen, (list, tuple, set, dict)) else 1
            return share * min(1.0, count / max(1, n))
    return share


def count_entries(graph):  # type: ignore[no-untyped-def]
    """The neighbours of all nodes together, which a graph keeps until it is changed; of a view, those of its origin."""
    while hasattr(graph, "_graph"):
        graph = graph._graph
    cache = getattr(graph, "__networkx_cache__", None)
    if cache is None:
        return sum(map(len, graph._adj.values()))
    if "graphla.entries" not in cache:
        cache["graphla.entries"] = sum(map(len, graph._adj.values()))
    return cache["graphla.entries"]
