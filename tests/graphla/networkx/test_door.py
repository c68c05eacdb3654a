"""What NetworkX is told of the backend and asks it before a call: what it has, can do and gains, without graphla."""

from __future__ import annotations

import inspect
import math
import re
import subprocess
import sys
import timeit
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from networkx.utils.backends import _registered_algorithms

import _graphla_networkx
from _graphla_networkx import backend as door
from _graphla_networkx import gain
from _graphla_networkx.functions import FUNCTIONS
from _graphla_networkx.obstacles import find_fault, find_obstacle
from graphla.doors.networkx import backend
from graphla.doors.networkx.converted import convert
from graphla.doors.networkx.weights import to_array
from tests.graphla.networkx.test_backend import make
from tests.networkx_suite import make_environment


def test_the_info_lists_what_the_backend_has() -> None:
    claimed = [name for name in dir(backend) if name in _registered_algorithms]
    assert list(_graphla_networkx.get_info()["functions"]) == claimed
    assert all(hasattr(door, name) for name in claimed)
    assert not hasattr(door, "degree_centrality")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_info_knows_the_arguments_of_networkx(name: str) -> None:
    """In their order, with the default of weights."""
    for function in (_registered_algorithms[name].orig_func, getattr(backend, name)):
        parameters = inspect.signature(function).parameters.values()
        assert " ".join(p.name + "=weight" * (p.default == "weight") for p in parameters) == FUNCTIONS[name][1]


def obstacle(name: str, *args: Any, **kwargs: Any) -> str:
    """Why graphla does not answer a call, which is the message of the exception; empty if it does."""
    found = find_obstacle(name, args[0] if args else kwargs["G"], args, kwargs)
    if found is None:
        assert door.can_run(name, args, kwargs) is True
        return ""
    with pytest.raises(NotImplementedError, match=re.escape(found)):
        door.can_run(name, args, kwargs)
    return found


def test_colorings_that_are_left_to_networkx() -> None:
    G = make(nx.Graph, 3)
    assert not obstacle("greedy_color", G)
    for graph, options in (
        (make(nx.DiGraph, 3), {}),
        (G, {"strategy": "smallest_last"}),
        (G, {"strategy": nx.coloring.strategy_largest_first}),
        (G, {"interchange": True}),
    ):
        assert re.search("direction|strategy|interchange", obstacle("greedy_color", graph, **options))


def test_spanning_trees_that_are_left_to_networkx() -> None:
    G = make(nx.Graph, 3)
    for graph, options in (
        (make(nx.MultiGraph, 3), {}),
        (make(nx.DiGraph, 3), {}),
        (G, {"algorithm": "prim"}),
        (G, {"ignore_nan": True}),
    ):
        assert obstacle("minimum_spanning_edges", graph, **options)
        assert obstacle("maximum_spanning_tree", graph, **options)
    assert not obstacle("minimum_spanning_tree", G)


def test_core_numbers_of_directed_graphs_are_left_to_networkx() -> None:
    assert "undirected" in obstacle("core_number", make(nx.DiGraph, 3))
    assert not obstacle("core_number", make(nx.Graph, 3))


def test_what_can_run_knows_weights() -> None:
    G = nx.path_graph(3)
    assert not obstacle("dijkstra_path", G, 0, 2)
    nx.set_edge_attributes(G, "far", "km")
    assert not obstacle("dijkstra_path", G, 0, 2)
    assert "values of type str" in obstacle("dijkstra_path", G, 0, 2, weight="km")
    assert "values of type str" in obstacle("dijkstra_path", G, 0, 2, "km")
    assert "values of type str" in obstacle("closeness_centrality", G, distance="km")
    nx.set_edge_attributes(G, 2**70, "weight")
    assert "does not fit 64 bits" in obstacle("pagerank", G=G)
    assert not obstacle("pagerank", nx.MultiGraph())
    assert not obstacle("dijkstra_path", convert(G), 0, 2)


@pytest.mark.parametrize(
    "value", [1, 1.5, True, None, np.int8(1), np.float32(1), 2**63, Fraction(1, 2), "far", math.nan, [1]]
)
def test_one_weight_is_judged_as_many_are(value: Any) -> None:
    found = to_array([value], "w")
    assert find_fault(value, "w") == (found if isinstance(found, str) else None)


def test_what_is_left_is_answered_by_networkx(tmp_path: Path) -> None:
    code = (
        "import networkx as nx\n"
        "from fractions import Fraction\n"
        "import graphla.doors.networkx.backend\n"
        "from _graphla_networkx import gain\n"
        "gain.FIRST_USE = 0\n"
        "G = nx.gnm_random_graph(60, 400, seed=1)\n"
        "*_, data = list(G.edges(data=True))[-1]\n"
        "data['weight'] = Fraction(1, 3)\n"
        "found = dict(nx.all_pairs_dijkstra_path_length(G))\n"
        "assert found == dict(nx.all_pairs_dijkstra_path_length(G, backend='networkx'))\n"
        "assert any(type(d) is Fraction for row in found.values() for d in row.values())\n"
        "assert G.__networkx_cache__['backends']['graphla']\n"
        "nx.config.warnings_to_ignore.add('cache')\n"
        "assert dict(nx.all_pairs_shortest_path_length(G))[0][1] == 2\n"
    )
    run_with_priority(tmp_path, code)


def run_with_priority(folder: Path, code: str) -> None:
    """Run a program with the variable set."""
    environment = {**make_environment(folder), "NETWORKX_BACKEND_PRIORITY": "graphla"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_networkx_imports_neither_numba_nor_graphla(tmp_path: Path) -> None:
    code = (
        "import networkx as nx, sys\n"
        "assert 'pagerank' in nx.utils.backends.backend_info['graphla']['functions']\n"
        "assert not {'graphla', 'numba', 'cupy'} & set(sys.modules)\n"
        "G = nx.gnm_random_graph(50, 200, seed=1)\n"
        "a, b = nx.pagerank(G), nx.pagerank(G, backend='graphla')\n"
        "assert 'numba' in sys.modules and list(a) == list(b) and max(abs(a[v] - b[v]) for v in a) < 1e-12\n"
        "G.add_edge(0, 1, weight=50)\n"
        "assert nx.pagerank(G, backend='graphla')[0] > b[0]\n"
    )
    environment = make_environment(tmp_path)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call has been counted, and graphla is imported."""
    monkeypatch.setattr(gain, "_spent", Counter())
    monkeypatch.setattr(gain, "_used", set(FUNCTIONS))


def reason(name: str, G: Any, *args: Any, **kwargs: Any) -> str:
    """Why a call gains nothing; empty if it does."""
    answer = door.should_run(name, (G, *args), kwargs)
    return "" if answer is True else answer


@pytest.mark.usefixtures("fresh")
def test_what_gains_knows_sizes_and_arguments() -> None:
    small, large = nx.gnm_random_graph(100, 400, 1), nx.gnm_random_graph(6000, 30000, 1)
    for name in ("pagerank", "is_connected", "shortest_path"):
        assert "small" in reason(name, small)
    assert not reason("pagerank", large)
    assert not reason("betweenness_centrality", small)
    assert "no longer" in reason("closeness_centrality", small, 3)
    assert not reason("single_source_shortest_path", large, 0)
    assert "weights" in reason("dijkstra_path", large, 0, 9, weight=lambda u, v, d: 1)
    assert "neighbours" in reason("bfs_edges", large, 0, sort_neighbors=sorted)
    assert not obstacle("bfs_edges", large, 0, sort_neighbors=sorted)


@pytest.mark.usefixtures("fresh")
def test_a_graph_is_converted_when_calls_have_taken_as_long() -> None:
    G = nx.gnm_random_graph(6000, 30000, 1)
    reasons = [reason("dijkstra_path", G, 0, 9) for _ in range(12)]
    assert "conversion" in reasons[0]
    assert not reasons[-1]
    G.add_edge(0, 2)
    assert "conversion" in reason("dijkstra_path", G, 0, 9)
    G.__networkx_cache__["backends"] = {"graphla": {"key": convert(G)}}
    assert not reason("dijkstra_path", G, 0, 9)
    assert "no longer" in reason("shortest_path", G, 0, 9)


def test_graphla_is_loaded_when_calls_have_taken_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gain, "_spent", Counter())
    monkeypatch.setattr(gain, "_used", set())
    monkeypatch.setattr(gain, "DOOR", "no.such.module")
    G = nx.gnm_random_graph(500, 5000, 1)
    reasons = [reason("closeness_centrality", G) for _ in range(30)]
    assert "import" in reasons[0]
    assert not reasons[-1]
    monkeypatch.setattr(gain, "DOOR", "graphla")
    assert "first use" in reason("transitivity", G)


@pytest.mark.usefixtures("fresh")
def test_views_are_converted_anew() -> None:
    base = nx.path_graph(4)
    view = base.subgraph([0, 1, 2])
    assert door.can_run("descendants", (view, 0), {})
    assert view.__networkx_cache__ is None
    assert not reason("betweenness_centrality", nx.gnm_random_graph(300, 3000, 1).subgraph(range(200)))


def test_small_graphs_load_nothing(tmp_path: Path) -> None:
    """Nor does a refusal."""
    code = (
        "import networkx as nx, sys\n"
        "G = nx.gnm_random_graph(100, 400, seed=1)\n"
        "nx.shortest_path(G, 0, 50), nx.is_connected(G), nx.triangles(G, 0), nx.closeness_centrality(G)\n"
        "try:\n"
        "    nx.greedy_color(G, 'smallest_last', backend='graphla')\n"
        "except NotImplementedError as error:\n"
        "    assert \"strategy='smallest_last'\" in str(error), error\n"
        "assert not {'graphla', 'numba'} & set(sys.modules)\n"
    )
    run_with_priority(tmp_path, code)


@pytest.mark.parametrize(
    "name", ["shortest_path", "has_path", "is_connected", "triangles", "dijkstra_path", "clustering"]
)
def test_small_graphs_cost_little(name: str) -> None:
    """What is asked before a call: a few microseconds, where to bind the arguments to a signature took 25."""
    G = nx.gnm_random_graph(100, 400, 1)
    args = (G,) if name == "is_connected" else (G, 0) if name in ("triangles", "clustering") else (G, 0, 50)

    def ask() -> None:
        for _ in range(1000):
            door.can_run(name, args, {})
            door.should_run(name, args, {})

    def bind() -> None:
        for _ in range(1000):
            inspect.signature(getattr(backend, name)).bind(*args)

    took, least = (min(timeit.repeat(run, number=1, repeat=5)) for run in (ask, bind))
    assert took < least / 2
