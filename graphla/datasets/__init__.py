"""Graphs that ship with the package; each file of this folder that `graphla.io` reads is one."""

from __future__ import annotations

from pathlib import Path

from graphla.errors import NotSupported

FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The graphs there are."""
    return tuple(sorted(file.name.split(".")[0] for file in FOLDER.glob("*.gr.xz")))


def path(name: str) -> Path:
    """The file of a graph that ships.

    Examples
    --------
    >>> names()
    ('road-NY',)
    >>> path("road-NY").name
    'road-NY.pace.gr.xz'
    """
    if name not in names():
        raise NotSupported(f"dataset={name!r}: there are {', '.join(names())}")
    return next(FOLDER.glob(f"{name}.*"))


def new_york() -> Path:
    """The roads of New York: 264,346 crossings, 365,050 undirected roads, no weights."""
    return path("road-NY")
