"""What users see of the package: names, signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import pickle
import pydoc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
import semirings
from graphla.common.errors import GraphlaError
from graphla.problem import all_problems

PROBLEMS = tuple(all_problems().values())


def test_dir_shows_what_users_may_use() -> None:
    assert dir(gl) == sorted(gl.__all__)
    assert all(hasattr(gl, name) for name in gl.__all__)


def test_type_checkers_know_each_name_from_where_it_is_imported() -> None:
    stub = ast.parse(Path(gl.__file__).with_suffix(".pyi").read_text("utf-8"))
    known = {name.asname: f.module for f in stub.body if isinstance(f, ast.ImportFrom) for name in f.names}
    homes = {name: home for home, names in gl.HOMES.items() for name in names.split()}
    assert {name: home for name, home in known.items() if name not in gl.MODULES} == homes
    assert set(gl.MODULES) <= set(known)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'graphla' has no attribute 'bsf'"):
        _ = gl.bsf


@pytest.mark.parametrize("problem", PROBLEMS)
def test_help_opens_with_the_problem_and_lists_methods_with_their_options(problem: gl.bfs) -> None:
    lines = [line.strip() for line in pydoc.plain(pydoc.render_doc(problem)).splitlines()]
    summary = inspect.cleandoc(type(problem).__call__.__doc__ or "").splitlines()[0]
    assert lines[3] == summary
    assert lines[5].startswith(f"``{problem.name}(G, ")
    text = "\n".join(lines)
    for name, method in problem.methods.items():
        own = text[text.index(f"\n{name} ({', '.join(method.engines)})\n") :].split("\nsource: ")[0]
        assert method.idea[:60] in own
        for option, record in method.options.items():
            assert f"\n{option} : " in own
            assert record.text
            assert record.text[:60] in own
            assert all(repr(choice) in own for choice in record.choices or ())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_methods_print_as_text(problem: gl.bfs) -> None:
    shown = str(problem.methods)
    assert shown.startswith(f"Methods of {problem.name}, the preferred one first:")
    assert all(f"\n{name} (" in shown for name in problem.methods)
    assert "Methods(" not in shown
    assert "<function" not in shown


def test_the_class_of_a_problem_keeps_its_own_docstring() -> None:
    assert type(gl.bfs).__doc__ != gl.bfs.__doc__
    assert repr(gl.bfs) == "<problem bfs>"


@pytest.mark.parametrize("problem", PROBLEMS)
def test_another_process_gets_the_problem(problem: gl.bfs) -> None:
    assert pickle.loads(pickle.dumps(problem)) is problem


def test_a_path_is_looked_for_where_it_is() -> None:
    G = gl.Graph(([0], [1]), engine="cpu")
    for request in ({"source": 0, "target": 1}, {"source": 0, "target": 1, "method": "algebraic"}):
        with pytest.raises(GraphlaError, match=r"sssp has no option 'target': gl.shortest_path\(G, source, target\)"):
            gl.sssp(G, **request)
    with pytest.raises(GraphlaError, match=r"gl\.shortest_path"):
        gl.sssp(G, sources=[0], target=1)


def test_modules_show_what_they_offer() -> None:
    assert dir(gl.io) == gl.io.__all__
    assert {"read_coo", "write_coo", "formats"} <= set(dir(gl.io))
    assert dir(gl.datasets) == ["names", "new_york", "path"]
    assert set(dir(gl.errors)) >= {"GraphlaError", "UnknownDType", "InvalidOption"}


def test_every_error_is_one_of_ours() -> None:
    errors = [getattr(gl.errors, name) for name in dir(gl.errors) if not name.endswith("Warning")]
    assert all(issubclass(error, GraphlaError) for error in errors)
    for wrong in (
        lambda: gl.Vector("INT33", 3),
        lambda: gl.Matrix.from_coo([0], [0], [1], "complex256"),
        lambda: gl.binary.bor.result_type("FP32", "FP32"),
        lambda: semirings.register_unary("if", lambda x: x),
        lambda: semirings.trace(lambda x: 1 if x else 2, ("x",)),
    ):
        with pytest.raises(GraphlaError):
            wrong()


def test_a_negative_cycle_is_pickled_with_its_vertices() -> None:
    error = pickle.loads(pickle.dumps(gl.errors.NegativeCycle((3, 1, 2))))
    assert (error.vertices, str(error)) == ((3, 1, 2), "a cycle of negative weight can be reached: 3 → 1 → 2 → 3")


def test_generate_offers_generators_alone() -> None:
    assert dir(gl.generate) == list(gl.generate) == sorted(gl.generate)
    for name in ("generators", "is_spec", "pair_weights", "xp"):
        assert not hasattr(gl.generate, name)
    assert pickle.loads(pickle.dumps(gl.generate)) is gl.generate
    assert all(f"\n{name}\n" in (gl.generate.__doc__ or "") for name in gl.generate)


@pytest.mark.parametrize("name", list(gl.generate))
def test_a_generator_is_called_as_its_signature_says(name: str) -> None:
    function = getattr(gl.generate, name)
    signature = inspect.signature(function)
    needed = {p.name: 3 for p in signature.parameters.values() if p.default is p.empty}
    given = {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}
    G = function(**(needed if name != "from_spec" else {"text": "path:3"}), **{**given, "engine": "cpu"})
    assert isinstance(G, signature.return_annotation)
    assert "xp" not in signature.parameters
    with pytest.raises(TypeError, match=f"generate.{name}: .*'xp'"):
        function(**needed, xp=None)


@pytest.mark.parametrize(
    "function", [gl.bfs, gl.sssp, gl.apsp, gl.components, gl.pagerank, gl.loop, gl.compare, gl.trace]
)
def test_a_signature_names_what_the_call_takes(function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    assert "args" not in signature.parameters
    assert all(p.annotation is not p.empty for p in signature.parameters.values())
