"""What users see of the package: names, signatures and docstrings."""

from __future__ import annotations

import inspect
import pydoc

import pytest

import graphla as gl
from graphla.errors import GraphlaError

PROBLEMS = (gl.bfs, gl.sssp, gl.apsp)


def test_dir_shows_what_users_may_use() -> None:
    assert dir(gl) == sorted(gl.__all__)
    assert all(hasattr(gl, name) for name in gl.__all__)


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


def test_a_path_is_looked_for_where_it_is() -> None:
    G = gl.Graph(([0], [1]), engine="cpu")
    for request in ({"source": 0, "target": 1}, {"source": 0, "target": 1, "method": "algebraic"}):
        with pytest.raises(GraphlaError, match=r"sssp has no option 'target': gl.shortest_path\(G, source, target\)"):
            gl.sssp(G, **request)
    with pytest.raises(GraphlaError, match=r"gl\.shortest_path"):
        gl.sssp(G, sources=[0], target=1)
