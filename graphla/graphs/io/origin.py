"""Where the entries of a matrix were read, for messages about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Origin:
    """A file, and the places in it.

    Parameters
    ----------
    name : str
        The file.
    size : str
        Where it states the number of vertices, such as ``"line 1"``.
    entry : callable (int) -> str
        Where an entry stands, such as ``"line 7"``.
    """

    name: str
    size: str
    entry: Callable[[int], str]

    def shift(self, count: int) -> Origin:
        """The same without the first entries."""
        return replace(self, entry=lambda k: self.entry(k + count))

    def rearrange(self, source: Any, reverse: Any) -> Origin:
        """Entry k is what entry ``source[k]`` was, or its mirror image where ``reverse[k]``."""

        def describe_entry(k: int) -> str:
            return self.entry(int(source[k])) + " (mirrored)" * bool(reverse[k])

        return replace(self, entry=describe_entry)
