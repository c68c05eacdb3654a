"""Answers that follow a graph: after each of many random updates the same as from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotSupported
from graphla.problem import all_problems
from tests.graphla.engine.engines import NAMES, get_engine_named

ASKED: dict[str, dict[str, Any]] = {
    "components": {},
    "bfs": {"source": 1},
    "sssp": {"source": 1},
    "pagerank": {"rounds": 5},
}


def make(rng: Any, kind: str, n: int = 40, arcs: int = 45) -> gl.Graph:
    ends = rng.integers(0, n, (2, arcs))
    weights = (rng.integers(0, 50, arcs) * (0.25 if kind == "float64" else 1)).astype(kind)
    parts = tuple(ends) if kind == "bool" else (*ends, weights)
    return gl.Graph(parts, n=n, dup="first", engine="cpu")


def draw_update(rng: Any, G: gl.Graph, step: int) -> dict[str, Any]:
    """Arcs to insert; in some steps new vertices, arcs that go, or other weights."""
    n, made = G.n, {}
    ends = rng.integers(0, n + (step % 3 == 0), (2, 4))
    weights = rng.integers(0, 50, 4).astype(G.dtype.numpy)
    made["insert"] = tuple(ends) if G.dtype.name == "BOOL" else (*ends, weights)
    made["dup"] = "first"
    rows, cols, values = G.to("cpu").A.to_coo()
    chosen = rng.choice(rows.size, 3, replace=False)
    if step % 5 == 4:
        made["delete"] = rows[chosen], cols[chosen]
    elif G.dtype.name != "BOOL" and step % 2:
        made["weights"] = rows[chosen], cols[chosen], values[chosen] // 2 if step % 4 == 1 else values[chosen] + 9
    return made


@pytest.mark.parametrize("engine", NAMES)
@pytest.mark.parametrize("kind", ["bool", "int32", "float64"])
@pytest.mark.parametrize("name", ASKED)
def test_an_answer_is_always_that_from_nothing(name: str, kind: str, engine: str) -> None:
    rng = np.random.default_rng([len(name), len(kind)])
    problem: Any = getattr(gl, name)
    follower = gl.follow(problem, make(rng, kind).to(get_engine_named(engine)), **ASKED[name])
    for step in range(12 if engine == "cpu" else 5):
        update = draw_update(rng, follower.graph, step)
        before, answer = follower.graph, follower.answer
        changed = follower.update(**update)
        expected = problem(before.update(**update), **ASKED[name])
        assert follower.answer.isequal(expected), (step, update)
        grows = "weights" in update and step % 4 == 3 and name == "sssp"
        assert follower.warm == (name != "pagerank" and "delete" not in update and not grows)
        old, new = answer.to("cpu").to_dict(), follower.answer.to("cpu").to_dict()
        assert changed.values.to("cpu").to_dict() == {v: new[v] for v in new if old.get(v) != new[v]}
        assert set(changed.lost.to("cpu").to_dict()) == old.keys() - new.keys()


def test_labels_and_other_options() -> None:
    table = {"source": ["a", "b"], "target": ["b", "c"]}
    follower = gl.follow("bfs", gl.Graph.from_arrow(table, engine="cpu"), source="a")
    changed = follower.update(insert=(["a", "c"], ["c", "d"]))
    assert changed.values.to_arrow().to_pydict() == {"vertex": ["c", "d"], "level": [1, 2]}
    assert follower.answer.to_arrow().to_pydict()["vertex"] == ["a", "b", "c", "d"]
    strong = gl.follow(gl.components, gl.Graph(([0], [1]), engine="cpu"), kind="strong")
    assert strong.update(insert=([1], [0])).values.to_dict() == {1: 0}
    assert not strong.warm
    limited = gl.follow(gl.bfs, gl.generate.path(5, engine="cpu"), source=0, limit=1)
    assert limited.update(insert=([0], [3])).values.to_dict() == {3: 1}


def test_distances_that_leave_the_dtype_are_found_from_nothing() -> None:
    G = gl.Graph(([0, 2], [1, 3], np.array([2**31 - 9, 2**31 - 9], "int32")), engine="cpu")
    follower = gl.follow(gl.sssp, G, source=0)
    follower.update(insert=([1], [2], np.array([5], "int32")))
    assert follower.answer.isequal(gl.sssp(follower.graph, 0))
    assert not follower.warm


def test_many_levels_that_fall_are_searched_from_nothing() -> None:
    follower = gl.follow(gl.bfs, gl.generate.path(20_000, engine="cpu"), source=0)
    for tail, head, warm in ((16_000, 19_000, True), (0, 2_000, False)):
        follower.update(insert=([tail], [head]))
        assert follower.answer.isequal(gl.bfs(follower.graph, 0))
        assert follower.warm == warm
    distances = gl.follow(gl.sssp, gl.generate.path(20_000, engine="cpu"), source=0)
    distances.update(insert=([0], [2_000]))
    assert distances.warm


def test_a_refused_update_changes_nothing() -> None:
    follower = gl.follow(gl.sssp, gl.Graph(([0, 1], [1, 2], [1, 1]), engine="cpu"), source=0)
    before = follower.graph, follower.answer
    for update, error in (({"insert": ([0], [1], [3])}, InvalidGraph), ({"insert": ([2], [0], [-5])}, GraphlaError)):
        with pytest.raises(error):
            follower.update(**update)
        assert (follower.graph, follower.answer) == before


@pytest.mark.parametrize(
    "name", sorted(name for name, each in all_problems().items() if each.gives[0].each_vertex and name != "hits")
)
def test_each_problem_of_a_value_for_each_vertex_is_followed(name: str) -> None:
    problem: Any = all_problems()[name]
    G = gl.Graph((range(5), range(1, 6)), undirected=problem.domain != "acyclic", engine="cpu")
    asked = dict.fromkeys(problem.takes, 0) | ({"per_vertex": True} if name == "triangles" else {})
    follower = gl.follow(name, G, **asked)
    follower.update(insert=([0], [2]), undirected=G.symmetric)
    expected = problem(follower.graph, **asked)
    assert follower.answer.isclose(expected, rel_tol=1e-3, abs_tol=1e-3)


def test_bad_input_is_refused() -> None:
    G = gl.generate.path(3, engine="cpu")
    with pytest.raises(InvalidOption, match="there is no problem of this name"):
        gl.follow("paths", G)
    with pytest.raises(InvalidOption, match="problem=3: give a problem"):
        gl.follow(3, G)  # type: ignore[arg-type]
    with pytest.raises(NotSupported, match="apsp does not give a value for each vertex"):
        gl.follow(gl.apsp, G)
    with pytest.raises(NotSupported, match="bfs gives tuple with these options"):
        gl.follow(gl.bfs, G, source=0, parents=True)
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.follow(gl.bfs, 3, source=0)  # type: ignore[arg-type]
