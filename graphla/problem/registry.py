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
    return {name: getattr(importlib.import_module(f"{HOME}.{name}"), name) for name in sorted(list_names())}


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
            if re.search(rf"^{file.parent.name} = ", file.read_text("utf-8"), re.MULTILINE):
                yield file.parent.name
