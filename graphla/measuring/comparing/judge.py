"""Check answers with the verifier of the problem, and compare them with each other; of many, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graphla.common.errors import GraphlaError
from graphla.graphs.graph import Graph
from graphla.problem.difference import find_difference


def find_fault(
    problem: Any, G: Graph, where: tuple[Any, ...], request: dict[str, Any], arrays: tuple[Any, ...]
) -> str | None:
    """Return the fault that the verifier of the problem finds in an answer to a request, or None."""
    parts = problem.split(request)
    if parts is not None:
        return judge_rows(parts, arrays, lambda part, rows: find_fault(problem, G, (), part, rows))
    try:
        problem.verify(G, *where, *wrap_arrays(problem, G, arrays), **problem.definition(request))
    except (GraphlaError, ValueError, IndexError, TypeError) as error:
        return " ".join(str(error).split())
    return None


def wrap_arrays(problem: Any, G: Graph, arrays: tuple[Any, ...]) -> Iterable[Any]:
    """Wrap arrays into the numbers, vectors or matrices that the problem returns."""
    for given, array in zip(problem.gives, arrays, strict=False):
        yield given.from_array(G, array)


def judge_rows(
    parts: list[dict[str, Any]], arrays: tuple[Any, ...], judge: Callable[[dict[str, Any], tuple[Any, ...]], str | None]
) -> str | None:
    """The first fault of the rows of an answer to many requests, each of which is judged as the answer to its own."""
    for array in arrays:
        if len(array) != len(parts):
            return f"there are {len(array)} rows instead of {len(parts)}"
    faults = (judge(part, tuple(array[k] for array in arrays)) for k, part in enumerate(parts))
    return next((f"row {k}: {fault}" for k, fault in enumerate(faults) if fault), None)


def describe_difference(problem: Any, found: Any, reference: Any, request: dict[str, Any]) -> str | None:
    """Describe how an answer to a request differs from a right one, or None if by no more than it may."""
    parts = problem.split(request)
    if parts is not None:
        return judge_rows(
            parts, (found, reference), lambda part, both: describe_difference(problem, both[0], both[1], part)
        )
    if problem.difference:
        return problem.difference(found, reference, request)
    return find_difference(found, reference)
