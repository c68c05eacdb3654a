"""What expressions declare of containers is what containers have."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_overloads

import pytest

import graphla as gl
from graphla.language.lazy import Lazy
from graphla.language.reading import READ_FROM_VALUE, Readable

A = gl.Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2, engine="cpu")
VALUES = {"Matrix": A, "Vector": A[0, :].new(), "Scalar": A[0, 1].new()}
EXPRESSIONS = {"Matrix": A + A, "Vector": A[0, :], "Scalar": A[0, 1]}


def find_declarations(name: str, kind: str) -> list[Any]:
    """The declarations of a method for one kind of container."""
    method = vars(Readable)[name]
    found = get_overloads(method) or [method]
    return [
        one
        for one in found
        if re.match(rf"Readable\[(A|Any|Is){kind}\b", one.__annotations__.get("self", f"Readable[Any{kind}"))
    ]


def list_parameters(method: Any) -> list[Any]:
    """Names, kinds and defaults of the parameters, without annotations."""
    parameters = inspect.signature(method).parameters.values()
    return [(p.name, p.kind, p.default) for p in parameters if p.name != "self"]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("name", READ_FROM_VALUE)
def test_a_declaration_has_the_parameters_of_the_container(name: str, kind: str) -> None:
    have = getattr(type(VALUES[kind]), name, None)
    if isinstance(vars(Readable)[name], property) or not callable(have):
        return
    for one in find_declarations(name, kind):
        ours = list_parameters(inspect.unwrap(have))
        assert set(ours) <= set(list_parameters(one)) or ours == list_parameters(one)


def test_each_name_is_one_of_a_container() -> None:
    for name in READ_FROM_VALUE:
        assert any(hasattr(value, name) for value in VALUES.values()), name


@pytest.mark.parametrize("kind", VALUES)
def test_an_expression_reads_what_its_value_has(kind: str) -> None:
    for name in READ_FROM_VALUE:
        assert hasattr(EXPRESSIONS[kind], name) == hasattr(VALUES[kind], name), name


def test_containers_have_none_of_it_from_expressions() -> None:
    assert not any(issubclass(type(value), Lazy) for value in VALUES.values())
    assert not hasattr(VALUES["Vector"], "nrows")
    assert "nrows" not in dir(VALUES["Vector"])
