"""What a generator is, to the command line: a name, a function and an example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graphla.generators.build import Draft
from graphla.storage import Coo


@dataclass(frozen=True)
class Generator:
    """A generator under the name by which a text such as ``kron:18`` asks for it."""

    name: str
    function: Callable[..., Coo]
    title: str
    example: str
    draft: Callable[..., Draft] | None = None
    """Returns what the generator draws, if any part of the edges can be drawn alone."""
