"""What a problem gives: its name, what stands where there is nothing, and the array that is kept of it."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector

Array = Any


@dataclass(frozen=True)
class Answer:
    """One of the things that a problem gives: a number, a value for each vertex, rows of such values, arcs.

    Parameters
    ----------
    name : str
        What it is, as files and tables name it: ``"levels"``.
    absent : object or callable (dtype) -> object
        What an array holds where there is no entry; None if each vertex has one.
    asked_by : str
        The option that asks for it; empty for what is always given.
    pack : callable (answer) -> array, optional
        The array on the host that files and comparisons keep; by default dense, with `absent` where nothing is.
    unpack : callable (G, array) -> answer, optional
        The answer again.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
    >>> levels, parents = gl.bfs.gives
    >>> levels.to_array(gl.bfs(G, 0)).tolist(), parents.asked_by
    ([0, 1, 2, -1], 'parents')
    """

    name: str
    absent: Any = -1
    asked_by: str = ""
    pack: Callable[[Any], Array] | None = None
    unpack: Callable[[Any, Array], Any] | None = None

    def find_absent(self, dtype: Any) -> Any:
        """What an array of a dtype holds where there is no entry.

        Parameters
        ----------
        dtype : dtype
            The dtype of the array.

        Returns
        -------
        object
            `absent` itself, or what it gives for the dtype.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.gives[0].find_absent("int32")
        -1
        """
        return self.absent(np.dtype(dtype)) if callable(self.absent) else self.absent

    def from_array(self, G: Any, array: Array) -> Any:
        """The answer of an array: a number, a vector, or a matrix of rows.

        Parameters
        ----------
        G : Graph
            The graph that was asked about.
        array : array
            The values, with `absent` where nothing is, or what `pack` made.

        Returns
        -------
        int, float, Vector or Matrix
            On the engine of the graph.

        Examples
        --------
        >>> import graphla as gl
        >>> import numpy as np
        >>> G = gl.Graph(([0, 1], [1, 2]), n=3, engine="cpu")
        >>> gl.bfs.gives[0].from_array(G, np.array([0, -1, 1], "int32")).to_dict()
        {0: 0, 2: 1}
        """
        if self.unpack is not None:
            return self.unpack(G, array)
        if array.ndim == 0:
            return array.item()
        if self.absent is None:
            return Vector.from_dense(G.engine.xp.asarray(array), engine=G.engine)
        return (Vector if array.ndim == 1 else Matrix)._from_sentinel(array, self.find_absent(array.dtype), G.engine)

    def to_array(self, answer: Any) -> Array:
        """The array of an answer, on the host.

        Parameters
        ----------
        answer : int, float, Vector or Matrix
            What the problem returned.

        Returns
        -------
        array
            The values, with `absent` where nothing is, or what `pack` makes.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
        >>> gl.bfs.gives[0].to_array(gl.bfs(G, 0)).tolist()
        [0, 1, 2, -1]
        """
        if self.pack is not None:
            return self.pack(answer)
        if not hasattr(answer, "to_dense"):
            return np.asarray(answer)
        return answer.engine.to_host(
            answer.to_dense(-1 if self.absent is None else self.find_absent(answer.dtype.numpy))
        )
