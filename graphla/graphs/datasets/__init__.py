"""Graphs that ship with the package; each file of this folder that `graphla.graphs.io` reads is one."""

from __future__ import annotations

from pathlib import Path

from graphla.common.arguments import to_choice
from graphla.common.errors import NotSupported

FOLDER = Path(__file__).parent

__all__ = ["names", "new_york", "path"]


def names() -> tuple[str, ...]:
    """The names of the graphs that ship.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.datasets.names()
    ('road-NY',)
    """
    return tuple(sorted(file.name.split(".")[0] for file in FOLDER.glob("*.gr.xz")))


def path(name: str) -> Path:
    """The file of a graph that ships.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    pathlib.Path
        A file for `graphla.read`.

    Raises
    ------
    NotSupported
        If there is no such graph; the message lists those there are.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.datasets.path("road-NY").name
    'road-NY.pace.gr.xz'
    """
    to_choice(name, "name", names(), NotSupported)
    return next(FOLDER.glob(f"{name}.*"))


def new_york() -> Path:
    """The file of the roads of New York: 264,346 crossings, 365,050 undirected roads, no weights.

    Returns
    -------
    pathlib.Path
        A file for `graphla.read`.

    References
    ----------
    .. [1] 9th DIMACS Implementation Challenge: Shortest Paths, graph USA-road-d.NY.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.datasets.new_york().name
    'road-NY.pace.gr.xz'
    """
    return path("road-NY")


def __dir__() -> list[str]:
    return __all__
