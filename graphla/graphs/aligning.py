"""Two graphs on the same vertices: matched by labels, whatever the order in which these are numbered."""

from __future__ import annotations

from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph
from graphla.containers.labels import Labels
from graphla.graphs.graph import Graph


def align(G: Graph, like: Graph, what: str) -> Graph:
    """Return a graph whose vertices are numbered as those of another: by their labels, if there are some.

    Parameters
    ----------
    G : Graph
        The graph.
    like : Graph
        The other one.
    what : str
        The argument that is `G`, for messages.

    Returns
    -------
    Graph
        The graph itself if the numbers are the same.

    Raises
    ------
    InvalidGraph
        If one has labels and the other none, or they do not have the same.
    """
    mine, wanted = G._labels, like._labels
    if mine is None or wanted is None:
        if mine is wanted:
            return G
        one, other = ("it has no labels", "does") if mine is None else ("it has labels", "does not")
        raise InvalidGraph(
            f"{what}={show(G)}: {one}, and what was prepared {other}, so that vertices cannot be matched: "
            "gl.Graph(G, labels=…) gives some, labels of both are compared"
        )
    if mine.equals(wanted):
        return G
    order = match(mine, wanted, f"{what}={show(G)}")
    return Graph(G.A[order, order].new(), labels=wanted.array, name=G.name, engine=G.engine)


def match(mine: Labels, wanted: Labels, what: str) -> list[int]:
    """Return the vertices that have the labels that are wanted, in their order."""
    numbers = [mine.find(label) for label in wanted.array]
    if None in numbers or len(numbers) != mine.array.size:
        at = numbers.index(None) if None in numbers else None
        lack = f"there are {mine.array.size:,} vertices" if at is None else f"none is {show(wanted.array[at])}"
        raise InvalidGraph(f"{what}: its vertices are not the {len(numbers):,} that were prepared: {lack}")
    return [int(number) for number in numbers if number is not None]
