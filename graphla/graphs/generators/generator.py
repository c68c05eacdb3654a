"""What a generator is, to the command line: a name, a function and an example."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from graphla.graphs.generators.build import Draft
from graphla.storage import Coo


@dataclass(frozen=True)
class Generator:
    """A generator under the name by which a text such as ``kron:18`` asks for it."""

    name: str
    function: Callable[..., Coo]
    title: str
    example: str


def find_draft(function: Callable[..., Coo]) -> Callable[..., Draft] | None:
    """Return the function that says what a generator draws, ``draft_NAME`` in its module, if it has one.

    The ranks of a program then draw a part of the edges each.
    """
    return getattr(sys.modules[function.__module__], f"draft_{function.__name__}", None)
