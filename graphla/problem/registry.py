"""All problems, by their folders: a package of `graphla.algorithms` that defines a problem of its name.

What is no problem by name, such as a factor, has a module `examples` in its folder.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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


def all_examples() -> dict[str, Callable[[Any], Any]]:
    """Calls of functions that are no problems, by their names: what `graphla warm` and benchmarks of first calls make.

    Returns
    -------
    dict of str to callable
        Functions of a connected undirected graph with positive weights. They are the entries of `EXAMPLES` of all
        modules `examples` below `graphla.algorithms`.

    Examples
    --------
    >>> from graphla.problem import all_examples
    >>> "factorize" in all_examples()
    True
    """
    found = dict[str, Callable[[Any], Any]]()
    for folder in map(Path, importlib.import_module(HOME).__path__):
        for file in sorted(folder.rglob("examples.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            found |= importlib.import_module(".".join((HOME, *parts))).EXAMPLES
    return found
