"""Calls of NetworkX on random graphs, one after the other on the same graph, beside the answers of the door.

A seed is a graph and some calls, with changes of the graph between them, so that conversions are kept and dropped. What
the door leaves to NetworkX is counted and not compared.
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from typing import Any

import networkx as nx
from networkx.utils import backends

import graphla as gl
from _graphla_networkx import backend as door
from tests.fuzz.networkx_door import graphs
from tests.fuzz.networkx_door.answers import find_difference, run
from tests.fuzz.networkx_door.calls import ARGUMENTS, draw
from tests.fuzz.networkx_door.exempt import has_endless_answer, is_exempt

CALLS = 6
"""Calls of a seed."""
COUNTS: Counter[str] = Counter()
"""How many calls were answered, and how many left to NetworkX."""


def check(seed: int, engine: Any = "cpu") -> None:
    """Run the calls of a seed.

    Raises
    ------
    AssertionError
        If an answer differs from NetworkX's.
    """
    register()
    r = random.Random(seed)
    G, base = graphs.draw(r)
    done: list[str] = []
    with gl.config.set(engine=engine if isinstance(engine, str) else engine.name), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(CALLS):
            if r.random() < 0.3 and not nx.is_frozen(base):
                graphs.change(r, base)
                done.append("a change")
            name = r.choice(list(ARGUMENTS))
            arguments = draw(r, G, name)
            done.append(f"{name}({arguments})")
            compare(G, name, arguments, done)


def register() -> None:
    """Let NetworkX find the door of this tree, whatever is installed."""
    backends.backends.setdefault("graphla", None)
    backends.backend_info.setdefault("graphla", {})
    backends._loaded_backends["graphla"] = door  # type: ignore[assignment]
    backends._dispatchable.__call__ = backends._dispatchable._call_if_any_backends_installed  # type: ignore[method-assign]


def find(name: str) -> Any:
    """The function of that name."""
    for module in (nx, nx.bipartite, nx.community):
        if hasattr(module, name):
            return getattr(module, name)
    raise AssertionError(f"NetworkX has no {name}")


def compare(G: Any, name: str, arguments: dict[str, Any], done: list[str]) -> None:
    """Compare one call; the arguments hold what the door must not change."""
    function, graph = find(name), "flowG" if "_s" in arguments or "_t" in arguments else "G"
    first = [G] if graph == "G" else [G, arguments.get("_s"), arguments.get("_t")]
    options = {key: value for key, value in arguments.items() if key not in ("_s", "_t")}
    found = run(lambda: function(*first, backend="graphla", **options))
    if isinstance(found, NotImplementedError) and not isinstance(found, nx.NetworkXException):
        assert str(found.__cause__ or found), (name, "no reason")
        COUNTS["left to NetworkX"] += 1
        COUNTS[f"left to NetworkX: {name}"] += 1
        return
    if has_endless_answer(name, G, arguments):
        return
    expected = run(lambda: function(*first, backend="networkx", **options))
    COUNTS["answered"] += 1
    difference = find_difference(name, expected, found, (G, arguments))
    if difference and not is_exempt(name, G, arguments, expected, found):
        raise AssertionError(f"{difference}\nafter {'; '.join(done)}\non {show(G)}")


def show(G: Any) -> str:
    """A graph as text."""
    edges = G.edges(keys=True, data=True) if G.is_multigraph() else G.edges(data=True)
    return f"{type(G).__name__}{' (a view)' * hasattr(G, '_graph')} {list(G)} {list(edges)}"
