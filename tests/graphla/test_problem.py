"""The registry: methods are files, options are checked, refusals say why and which."""

import pickle
from dataclasses import MISSING, fields
from inspect import Parameter
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import graphla as gl
from graphla.common.errors import DimensionMismatch, GraphlaError, InvalidOption, NotSupported
from graphla.problem import Choice, Method, Option, all_problems, get_problem

G = gl.Graph(([0, 1], [1, 2]), n=3, engine="cpu")


@pytest.mark.parametrize(
    "problem",
    all_problems().values(),
    ids=str,
)
def test_each_problem_has_an_algebraic_method_for_any_engine(problem):
    assert set(problem.methods["algebraic"].engines) == {"cpu", "cuda"}
    for name, method in problem.methods.items():
        assert method.name == name
        assert method.idea
        assert method.source


@pytest.mark.parametrize("problem", all_problems().values(), ids=str)
def test_type_checkers_know_the_options_of_all_methods(problem):
    """And settings have the defaults of the signature, where they have any."""
    (options,) = get_args(get_type_hints(type(problem).__call__)["options"])
    assert set(options.__annotations__) == {name for method in problem.methods.values() for name in method.options}
    for each in fields(problem.settings) if problem.settings else ():
        if each.name in problem.defaults and each.default is not MISSING:
            assert each.default == problem.defaults[each.name]


def test_an_unknown_method_lists_what_there_is():
    with pytest.raises(NotSupported, match=r"bfs has no method 'fast'; there are: .*algebraic"):
        gl.bfs(G, 0, method="fast")


def test_an_unknown_option_lists_what_there_is():
    with pytest.raises(GraphlaError, match=r"no option 'speed'; it has: direction"):
        gl.bfs(G, 0, method="algebraic", speed=9)
    with pytest.raises(NotSupported, match=r"direction='sideways' is not one of"):
        gl.bfs(G, 0, method="algebraic", direction="sideways")


def test_an_option_picks_a_method_that_has_it():
    assert gl.bfs(G, 0, direction="push").to_dict() == {0: 0, 1: 1, 2: 2}
    assert gl.bfs.choose(G, None, {"direction": "push"}).name == "algebraic"
    with pytest.raises(GraphlaError, match="no option 'speed'"):
        gl.bfs(G, 0, speed=9)
    with pytest.raises(GraphlaError, match="no option 'dtype'"):
        gl.bfs(G, 0, dtype="INT16")


def test_all_pairs_say_why_a_method_is_preferred():
    sparse, dense = gl.generate.path(3000), gl.generate.complete(300)
    assert gl.apsp.preferred(sparse, {})[0] == "sssp_sweep"
    name, why = gl.apsp.preferred(dense, {})
    assert name == "blocked_floyd_warshall"
    assert "300" in why
    assert gl.apsp.choose(dense, None, {"next_hops": False}).name == name


def test_a_method_of_another_engine_says_so():
    only_cuda = Method(runs={"cuda": lambda *_: None}, idea="i", source="s")
    assert "runs on cuda" in (only_cuda.refusal(G, {}) or "")


def test_a_method_without_parents_says_so():
    plain = Method(runs={"cpu": lambda *_: None}, idea="i", source="s", extras=("parents",))
    assert plain.refusal(G, {"parents": True}) == "it gives no parents"
    assert plain.refusal(G, {"parents": False}) is None


def test_options_are_filled_in_and_checked():
    seen = {}
    method = Method(
        runs={"cpu": lambda _, **request: seen.update(request)},
        idea="i",
        source="s",
        options={"a": Choice("x", "y"), "b": Option(3, check=lambda v: "must be positive" if v <= 0 else None)},
    )
    method.run(G, b=5)
    assert seen == {"a": "x", "b": 5}
    with pytest.raises(ValueError, match="b=0: must be positive"):
        method.run(G, b=0)


def test_one_problem_is_found_without_reading_the_others(monkeypatch):
    monkeypatch.setattr(Path, "glob", lambda *_: pytest.fail("all folders are read"))
    assert get_problem("bfs") is gl.bfs
    for name in ("nothing", "shared", "../bfs"):
        with pytest.raises(KeyError):
            get_problem(name)
    with pytest.raises(AttributeError, match="'graphla' has no attribute 'nothing'"):
        _ = gl.nothing


def test_a_verifier_takes_its_arguments_by_place_or_by_name():
    network = gl.Graph(([0, 1], [1, 2], [3, 2]), n=3, engine="cpu")
    answer = gl.max_flow(network, 0, 2)
    gl.max_flow.verify(network, 0, 2, answer)
    gl.max_flow.verify(network, 0, answer, sink=2)
    gl.bfs.verify(G, source=0, levels=gl.bfs(G, 0))
    with pytest.raises(TypeError, match="too many positional arguments"):
        gl.max_flow.verify(network, 0, 2, answer, 3)
    with pytest.raises(TypeError, match="missing a required argument: 'levels'"):
        gl.bfs.verify(G, 0)
    with pytest.raises(
        DimensionMismatch, match="levels=3: give a vector of numbers of size 3, as the problem returns it"
    ):
        gl.bfs.verify(G, 0, 3)


def test_equal_options_of_another_type_are_checked_anew():
    assert gl.coloring.resolve(G, seed=1).seed == 1
    with pytest.raises(InvalidOption, match="seed=True: give a whole number"):
        gl.coloring.resolve(G, seed=True)
    with pytest.raises(InvalidOption, match=r"seed=\[1\]: give a whole number"):
        gl.coloring.resolve(G, seed=[1])


def test_a_graph_keeps_the_settings_of_a_call_without_options_while_its_matrix_stays():
    H = gl.Graph(([0, 1], [1, 2]), engine="cpu")
    gl.pagerank(H)
    kept, _ = H.cached("pagerank.settings", refuse)
    assert gl.pagerank(H, 0.5).to_dict() != gl.pagerank(H).to_dict()
    assert H.cached("pagerank.settings", refuse)[0] is kept
    H.A.resize(5, 5)
    gl.pagerank.verify(H, gl.pagerank(H))
    assert H.cached("pagerank.settings", refuse)[0].seeds.n == 5


def refuse(G):
    raise AssertionError("nothing is kept")


@pytest.mark.parametrize("problem", [each for each in all_problems().values() if each.settings], ids=str)
def test_settings_that_a_graph_keeps_are_small(problem):
    H = gl.generate.path(10_000, engine="cpu")
    if problem.settings.lasts and Parameter.empty not in problem.defaults.values():
        assert len(pickle.dumps(problem.resolve(H))) < H.n
