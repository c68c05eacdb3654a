"""An answer that follows its graph: what an update changes is looked at, or the problem is solved from nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphla.algorithms.following import cores, distances, labels, restarts
from graphla.common.arguments import show
from graphla.common.errors import InvalidOption, NotSupported
from graphla.common.forks import cached_property
from graphla.containers.execute import report_out_of_memory
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, get_problem, require_graph
from semirings import binary

WAYS = {
    "components": labels.join_labels,
    "bfs": distances.shorten_levels,
    "sssp": distances.shorten_distances,
    "core_numbers": cores.move_cores,
    "pagerank": restarts.rank_again,
    "katz": restarts.count_walks_again,
    "eigenvector": restarts.turn_again,
    "louvain": restarts.louvain_again,
    "leiden": restarts.leiden_again,
}
"""By problem what finds the new answer by the old one and what has changed; None where it cannot."""


class Changed:
    """How an update changes an answer; it is looked through when it is asked for.

    Attributes
    ----------
    values : Vector
        The new values, at the vertices whose values are new or other than before.
    lost : Vector
        BOOL: true at the vertices that had a value, and have none.

    Examples
    --------
    >>> import graphla as gl
    >>> follower = gl.follow("bfs", gl.generate.path(4, engine="cpu"), source=0)
    >>> follower.update(insert=([0], [3])).values.to_dict()
    {3: 1}
    """

    def __init__(self, old: Vector, new: Vector) -> None:
        self._old, self._new = old, new

    @cached_property
    def _held(self) -> Vector:
        """The old answer, as long as the new one."""
        held = self._old.dup()
        held.resize(self._new.size)
        return held

    @cached_property
    def values(self) -> Vector:
        """The new values, at the vertices whose values are new or other than before."""
        differs = binary.ne(self._new & self._held).new()
        values = self._new.dup(mask=~self._held.S)
        values(differs.V) << self._new
        return values

    @cached_property
    def lost(self) -> Vector:
        """True at the vertices that had a value, and have none."""
        lost = Vector("BOOL", self._new.size, engine=self._new.engine)
        lost(self._held.S) << True
        lost(self._new.S) << False
        return lost.select("valueeq", True).new()


class Follower:
    """The answer to a problem about a graph that changes; `follow` makes it.

    Attributes
    ----------
    graph : Graph
        The graph as it is now.
    answer : Vector
        The answer for it, as the problem gives it.
    warm : bool
        Whether the last update was answered by looking at what changed or from the last answer on, not from nothing.

    Examples
    --------
    >>> import graphla as gl
    >>> follower = gl.follow("components", gl.Graph(([0, 2], [1, 3]), engine="cpu"))
    >>> _ = follower.update(insert=([1], [2]))
    >>> follower.answer.to_dense().tolist(), follower.warm
    ([0, 0, 0, 0], True)
    """

    def __init__(self, problem: Problem, G: Graph, options: Mapping[str, Any]) -> None:
        self._problem, self._options = problem, options
        self.graph, self.warm = G, False
        self.answer = self._solve()

    def _solve(self) -> Vector:
        """The answer from nothing."""
        found: Any = self._problem(self.graph, **self._options)  # type: ignore[operator]
        if not isinstance(found, Vector):
            raise NotSupported(
                f"follow: {self._problem.name} gives {type(found).__name__} with these options, and one vector can be "
                "followed: leave out options that ask for more"
            )
        return found

    @report_out_of_memory
    def update(
        self,
        *,
        insert: Any = None,
        delete: Any = None,
        weights: Any = None,
        n: int | None = None,
        undirected: bool = False,
        dup: str | None = None,
        missing: str = "error",
    ) -> Changed:
        """Change the graph as `Graph.update` does, and bring the answer up to date.

        Parameters
        ----------
        insert, delete, weights : table, tuple of arrays, or matrix, optional
            Arcs, as of `Graph.update`.
        n : int, optional
            The number of vertices from then on.
        undirected : bool
            Whether the reverse of each arc belongs to its batch, too.
        dup : {"error", "first", "min", "sum"}, optional
            What an arc becomes that is inserted and is there, or is inserted twice.
        missing : {"error", "ignore"}
            What becomes of arcs to delete that are not there.

        Returns
        -------
        Changed
            The values that are other than before, and the vertices that have lost theirs.

        Raises
        ------
        GraphlaError
            As of `Graph.update` and of the problem; graph and answer stay as they were then.

        Examples
        --------
        >>> import graphla as gl
        >>> follower = gl.follow(gl.sssp, gl.Graph(([0, 1], [1, 2], [5, 5]), engine="cpu"), source=0)
        >>> follower.update(weights=([1], [2], [2])).values.to_dict()
        {2: 7}
        """
        before, old = self.graph, self.answer
        made, change = before._update(insert, delete, weights, n, undirected, dup, missing)
        way = WAYS.get(self._problem.name)
        found = None if way is None else way(before, made, old, change, self._options)
        self.graph = made
        try:
            if found is None:
                self.answer, self.warm = self._solve(), False
            else:
                self.answer, self.warm = self._problem.gives[0].call(made, found, self._problem.name), True
        except BaseException:
            self.graph = before
            raise
        return Changed(old, self.answer)


def follow(problem: Problem | str, G: Graph, **options: object) -> Follower:
    """Keep the answer to a problem up to date while the graph changes.

    Parameters
    ----------
    problem : Problem or str
        What is asked, or its name: one that gives a value for each vertex, as `components`, `bfs` or `pagerank`.
    G : Graph
        The graph to begin with.
    **options
        The arguments of the problem: ``source=0``.

    Returns
    -------
    Follower
        Its ``answer`` is that for its ``graph``, and ``update`` changes both.

    Raises
    ------
    InvalidOption
        If there is no such problem.
    NotSupported
        If the problem does not give one vector.
    GraphlaError
        As of the problem.

    See Also
    --------
    Graph.update : A changed graph, by itself.

    Notes
    -----
    What changed alone is looked at, and the answer is exactly that from nothing, for weak `components` after
    insertions, and for `bfs` and `sssp` from a source without further options after insertions and decreases of weights
    of zero or more; levels on a CPU unless the update takes more than an eighth of the arcs. So are `core_numbers` on a
    CPU, unless half as many arcs as there are would be looked through. The rounds of `pagerank`, `katz` and, where one
    part alone has arcs, `eigenvector` begin with the last answer and settle to the same tolerance; so do the moves of
    `louvain` and `leiden`, whose communities may be others than those from nothing. After any other update, and for any
    other problem, the answer is found from nothing; ``warm`` says which it was.

    Examples
    --------
    >>> import graphla as gl
    >>> follower = gl.follow(gl.components, gl.Graph(([0, 2], [1, 3]), n=5, engine="cpu"))
    >>> follower.update(insert=([1], [2])).values.to_dict()
    {2: 0, 3: 0}
    """
    require_graph(G)
    found = problem
    if isinstance(problem, str):
        try:
            found = get_problem(problem)
        except KeyError:
            raise InvalidOption(f"problem={show(problem)}: there is no problem of this name") from None
    if not isinstance(found, Problem):
        raise InvalidOption(f"problem={show(problem)}: give a problem, as gl.components, or its name")
    if not found.gives[0].each_vertex:
        raise NotSupported(f"follow: {found.name} does not give a value for each vertex")
    return Follower(found, G, options)
