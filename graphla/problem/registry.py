"""All problems, by their folders: a package of `graphla.algorithms` that defines a problem of its name."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from graphla.problem.problem import Problem

HOME = "graphla.algorithms"


def all_problems() -> dict[str, Problem]:
    """All problems by name, in alphabetical order.

    Returns
    -------
    dict of str to Problem
        The command line, comparisons, benchmarks, tests and documents ask here which problems there are.

    Examples
    --------
    >>> from graphla.problem import all_problems
    >>> list(all_problems())[:3]
    ['apsp', 'betweenness', 'bfs']
    """
    return {name: load(name) for name in sorted(list_names())}


def get_problem(name: str) -> Problem:
    """One problem by its name; no other package is imported or read.

    Parameters
    ----------
    name : str
        The name of the problem.

    Returns
    -------
    Problem
        The problem.

    Raises
    ------
    KeyError
        If no package defines a problem of this name.

    Examples
    --------
    >>> from graphla.problem import get_problem
    >>> get_problem("bfs")
    <problem bfs>
    """
    files = (Path(folder) / name / "__init__.py" for folder in importlib.import_module(HOME).__path__)
    if not name.isidentifier() or not any(file.is_file() and defines(file) for file in files):
        raise KeyError(name)
    return load(name)


def load(name: str) -> Problem:
    """Import the package of a problem."""
    return getattr(importlib.import_module(f"{HOME}.{name}"), name)


def defines(file: Path) -> bool:
    """Whether the text of a package defines a problem of its name."""
    return re.search(rf"^{file.parent.name} = ", file.read_text("utf-8"), re.MULTILINE) is not None


def list_names() -> Iterator[str]:
    """The packages whose text defines a problem of their name; none is imported to be looked at.

    Yields
    ------
    str
        The name of a problem, in no order.

    Examples
    --------
    >>> from graphla.problem import list_names
    >>> "bfs" in list_names()
    True
    """
    for folder in map(Path, importlib.import_module(HOME).__path__):
        for file in folder.glob("*/__init__.py"):
            if defines(file):
                yield file.parent.name
