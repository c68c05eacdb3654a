"""Every task of every library that is installed answers as graphla does, on a small graph that is not special."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import NotSupported
from graphla.measuring import peers
from graphla.problem.difference import find_difference

TAKEN = {"source": 3, "sink": 11}
CASES = [
    (name, problem)
    for name, peer in peers.list_known().items()
    if peer.engine == "cpu"
    for problem in peer.tasks
]  # fmt: skip
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "components": [{}, {"kind": "strong"}],
    "clustering": [{}, {"kind": "average"}, {"kind": "transitivity"}],
    "matching": [{}, {"weights": True}, {"kind": "maximum"}],
    "spanning_forest": [{}, {"kind": "maximum"}],
    "closeness": [{"improved": False}, {"harmonic": True}],
    "triangles": [{}, {"per_vertex": True}],
}


def make_graph(problem: str, options: dict[str, Any]) -> gl.Graph:
    """An undirected graph of 40 vertices with weights; its acyclic half or one of two sides where that is asked."""
    rng = np.random.default_rng(5)
    u, v = rng.integers(0, 40, (2, 90))
    u, v = np.append(u, np.arange(40)), np.append(v, np.roll(np.arange(40), 1))  # connected
    if options.get("kind") == "maximum" and problem == "matching":
        u, v = 2 * (u // 2), 2 * (v // 2) + 1
    low, high = np.divmod(np.unique((np.minimum(u, v) * 40 + np.maximum(u, v))[u != v]), 40)
    weights = rng.permutation(low.size) + 1  # all different, so that there is one least forest
    if problem in ("topological_order", "transitive_closure"):
        return gl.Graph((low, high), n=40, engine="cpu")
    return gl.Graph((np.append(low, high), np.append(high, low), np.tile(weights, 2)), n=40, engine="cpu")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # NetworKit imports what IPython has moved
@pytest.mark.parametrize(("name", "problem"), CASES)
def test_a_library_answers_as_graphla_does(name: str, problem: str) -> None:
    peer, known = peers.list_known()[name], getattr(gl, problem)
    if find_spec(peer.package) is None:
        pytest.skip(f"{peer.title} is not installed")
    answered = 0
    for options in OPTIONS.get(problem, [{}]):
        G = make_graph(problem, options)
        where = tuple(TAKEN[each] for each in known.takes)
        try:
            task = peer.tasks[problem](G.csr, **known.definition(options))
        except NotSupported:
            continue
        found, right = task.answer(task.run(*where)), known(G, *where, **options)
        right = known.gives[0].to_array(right[0] if isinstance(right, tuple) else right)
        describe = known.difference or (lambda found, right, _: find_difference(found, right))
        assert not describe(found, right, options), options
        answered += 1
    assert answered or (name, problem) == ("scikit_network", "louvain")  # it is compared without weights
