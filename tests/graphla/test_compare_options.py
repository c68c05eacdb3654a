"""Right answers are said to be right, whatever option of a problem asks for them; without a process, for the speed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.measuring.comparing import Comparison, compare, turns
from graphla.measuring.comparing.contest import Contest
from graphla.measuring.comparing.process import Unanswered
from graphla.measuring.comparing.worker import answer_request
from graphla.problem import all_problems

N = 14
HALF, PARTS = np.linspace(1, 2, N), np.arange(N) // 3

CASES: dict[str, list[dict[str, Any]]] = {
    "apsp": [{"next_hops": True}, {"dtype": "FP64"}, {"dense": True}],
    "betweenness": [
        {"sources": 5, "seed": 2}, {"sources": [1, 2], "endpoints": True}, {"edges": True, "directed": True},
        {"weights": True, "normalized": False, "dtype": "FP32"},
    ],
    "bfs": [
        {"parents": True}, {"limit": 2}, {"targets": [3, 4]}, {"sources": [1, 2]}, {"sources": range(3), "limit": 2},
        {"sources": []},
    ],
    "biconnected_components": [{}],
    "closeness": [{"sources": [1, 2], "improved": False}, {"weights": True, "harmonic": True}, {"direction": "out"}],
    "clustering": [{"kind": kind} for kind in ("local", "average", "transitivity")],
    "coloring": [{"seed": 3}],
    "components": [{"kind": "strong"}, {"sizes": True}],
    "core_numbers": [{}],
    "diameter": [{"weights": True}],
    "dominators": [{}],
    "eccentricity": [{"sources": [1, 2]}, {"weights": True}],
    "eigenvector": [
        {"start": HALF, "max_rounds": 500}, {"rounds": 4}, {"tolerance": 1e-8, "weights": True}, {"dtype": "FP32"},
    ],
    "hits": [{"rounds": 3}, {"weights": True, "max_rounds": 900}, {"tolerance": 1e-8}, {"dtype": "FP64"}],
    "independent_set": [{"seed": 2}],
    "katz": [
        {"alpha": 0.01, "beta": 2.0}, {"start": HALF, "max_rounds": 500}, {"rounds": 3},
        {"weights": True, "alpha": 0.001, "tolerance": 1e-8, "dtype": "FP64"},
    ],
    "label_propagation": [{"rounds": 2, "seed": 1}],
    "leiden": [
        {"resolution": 0.5, "seed": 3, "iterations": 2}, {"start": PARTS, "fixed": [1, 2]}, {"max_community_size": 4},
        {"levels": True, "max_levels": 3, "threshold": 0.01}, {"quality": "cpm", "resolution": 0.1},
    ],
    "louvain": [
        {"resolution": 0.5, "seed": 3}, {"start": PARTS, "fixed": [1, 2]}, {"max_community_size": 4},
        {"levels": True, "max_levels": 3, "threshold": 0.01}, {"quality": "cpm", "resolution": 0.1},
    ],
    "matching": [{"kind": "maximal", "seed": 3}, {"weights": True}],
    "max_flow": [{"source": 1, "sink": 3}],
    "pagerank": [
        {"personalization": [[1], [2]]}, {"personalization": [{1}, {2: 3.0, 4: 1.0}], "top": 3}, {"top": 4},
        {"personalization": [[3], [5, 6]], "epsilon": 1e-4}, {"personalization": {3}, "epsilon": 1e-4},
        {"personalization": HALF, "damping": 0.5}, {"rounds": 4}, {"start": HALF, "tolerance": 1e-7},
        {"convention": "networkx"}, {"dangling": "ignore"}, {"weights": True, "dtype": "FP64", "max_rounds": 900},
    ],
    "random_walks": [
        {"length": 4, "starts": [1, 2], "walks": 2, "seed": 4}, {"length": 4, "weights": True},
        {"length": 4, "p": 2.0, "q": 0.5},
    ],
    "similarity": [
        {"top": 3}, {"pairs": "two_hops", "top": 2, "kind": "adamic_adar"}, {"pairs": ([0, 1], [2, 3])}, {},
    ],
    "spanning_forest": [{"kind": "maximum"}],
    "sssp": [
        {"parents": True}, {"predecessors": True}, {"limit": 2}, {"targets": [3, 4]}, {"sources": [1, 2]},
        {"sources": [1, 2], "parents": True}, {"sources": [1, 2], "limit": 4},
    ],
    "topological_order": [{"levels": True}],
    "transitive_closure": [{"reflexive": True}],
    "triangles": [{"per_vertex": True}, {}],
    "truss_numbers": [{}],
    "widest_paths": [{"parents": True}],
}  # fmt: skip
BY_LABEL: list[tuple[str, dict[str, Any]]] = [
    ("bfs", {"sources": ["a", "c"]}), ("sssp", {"source": "a", "targets": ["c"]}), ("betweenness", {"sources": ["b"]}),
    ("pagerank", {"personalization": {"a", "b"}}), ("pagerank", {"personalization": [["a"], {"b": 2.0}]}),
    ("pagerank", {"dangling": {"d": 1.0}}), ("similarity", {"pairs": (["a"], ["c"])}),
    ("similarity", {"pairs": [("a", "c"), ("b", "d")]}), ("similarity", {"top": 1}),
    ("random_walks", {"length": 3, "starts": ["a"]}),
    ("louvain", {"start": np.arange(4), "fixed": ["b"]}),
]  # fmt: skip


class Here:
    """A worker without a process."""

    def __init__(self, job: Any, quiet: bool = False) -> None:
        self.job, self.contest = job, Contest(job)

    def ready(self) -> None:
        """It is."""

    def exchange(self, seconds: float, request: str, *arguments: Any) -> Any:
        status, value = answer_request(self.contest, request, list(arguments))
        if status != "done":
            raise Unanswered(status, value)
        return value

    def end(self) -> None:
        """Nothing was begun."""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "Worker", Here)


def make_graph(problem: str) -> gl.Graph:
    """A small graph of the kind that the problem is about, with weights."""
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, N, (2, 60))
    u, v = np.append(u[u != v], np.arange(N - 1)), np.append(v[u != v], np.arange(1, N))
    w = rng.integers(1, 9, u.size).astype(float)
    domain = all_problems()[problem].domain
    if domain == "acyclic":
        u, v = np.minimum(u, v), np.maximum(u, v)
    if domain == "undirected" or problem in ("diameter", "eigenvector"):
        u, v, w = np.append(u, v), np.append(v, u), np.append(w, w)
    return gl.Graph((u, v, w), n=N, dup="min", engine="cpu")


def require_right(found: Comparison) -> None:
    """Whoever did not refuse is right, and somebody is."""
    assert {row.status for row in found} <= {"right", "refused"}, str(found)
    assert any(row.status == "right" and row.kind == "method" for row in found), str(found)


def test_every_option_of_every_problem_is_among_the_cases() -> None:
    for name, problem in all_problems().items():
        asked = {option for case in CASES[name] for option in case}
        bounds = {"sweeps"}  # bounds of a diameter are no answer
        assert {*problem.common, *problem.apart} <= asked | bounds, name


@pytest.mark.parametrize(("name", "options"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_right_answers_are_said_to_be_right(name: str, options: dict[str, Any], here: None) -> None:
    require_right(compare(name, make_graph(name), peers=["networkx"], repeat=1, **options))


@pytest.mark.parametrize(("name", "options"), BY_LABEL)
def test_options_name_vertices_by_label(name: str, options: dict[str, Any], here: None) -> None:
    ends = ["a", "b", "c", "d"], ["b", "c", "d", "a"]
    G = gl.Graph({"source": ends[0] + ends[1], "target": ends[1] + ends[0]}, engine="cpu")
    require_right(compare(name, G, peers=["networkx"], repeat=1, **options))


@pytest.mark.parametrize(
    ("name", "options", "row"),
    [("bfs", {"sources": [0, 3]}, 1), ("pagerank", {"personalization": [[0], [3]]}, 1), ("similarity", {"top": 2}, 4)],
)
def test_a_wrong_row_among_many_is_found(
    name: str, options: dict[str, Any], row: int, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Contest.copy_to_host

    def lie(self: Contest, result: Any) -> Any:
        first, *others = honest(self, result)
        if first.dtype.names:
            first["value"][row] += 1
        else:
            first[row, 2] += 1
        return first, *others

    monkeypatch.setattr(Contest, "copy_to_host", lie)
    found = compare(name, make_graph(name), peers=False, repeat=1, **options)
    assert not found.ok
    said = [row.note for row in found if row.status == "wrong"]
    assert said
    assert all(note.startswith("row 1: ") or name == "similarity" for note in said), said


def test_many_sources_and_one_contradict_each_other() -> None:
    G = make_graph("bfs")
    with pytest.raises(NotSupported, match=r"source=1 and sources= were both given"):
        compare("bfs", G, source=1, sources=[1, 2])
    with pytest.raises(InvalidGraph, match=r"sources=7: give a sequence"):
        compare("bfs", G, sources=7)


def test_the_default_is_compared_by_name_and_another_process_takes_seed_sets() -> None:
    found = compare(
        "pagerank", make_graph("pagerank"), methods=["default"], peers=False, repeat=1, personalization=[{1}, [2, 3]]
    )
    assert [(row.name, row.status) for row in found] == [("default", "right")]
    assert json.loads(found.to_json())["conditions"]["personalization"] == ["{1}", [2, 3]]
