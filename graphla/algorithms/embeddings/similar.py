"""The vectors that are most alike: the largest entries of each row of X Xᵀ, computed in tiles of some rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.embeddings.averages import scale_rows, to_vectors
from graphla.algorithms.shared.largest import choose_kernels, keep_largest
from graphla.common.arguments import show, to_choice, to_int, to_list
from graphla.common.errors import InvalidOption
from graphla.common.typing import ArrayLike
from graphla.containers.execute import report_out_of_memory
from graphla.containers.matrix import Matrix
from graphla.engine import EngineLike, get_engine

Array = Any


class Similar(NamedTuple):
    """Of each vector those that are most alike, the most alike first.

    Parameters
    ----------
    vertices : array
        int64[q, k]: their numbers.
    scores : array
        Of shape (q, k), in the dtype of the vectors: how alike they are.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.similar([[1.0, 0.0], [0.0, 1.0], [1.0, 0.2]], 1, engine="cpu").vertices.tolist()
    [[2], [2], [0]]
    """

    vertices: Any
    scores: Any


@report_out_of_memory
def similar(
    X: ArrayLike | Matrix,
    k: int = 10,
    *,
    queries: Any = None,
    metric: str = "cosine",
    engine: EngineLike = None,
) -> Similar:
    """Nearest neighbours among embeddings: for each vector the k others that are most alike, exactly.

    Parameters
    ----------
    X : array or Matrix
        Of shape (n, d): a vector for each vertex.
    k : int
        How many, from 1 on; n − 1 if there are fewer.
    queries : sequence of int, optional
        The vertices that ask; by default all.
    metric : {"cosine", "dot"}
        Whether by the cosine of the angle or by the dot product.
    engine : {"cpu", "cuda"}, optional
        Where it is computed; by default as `config.engine` says, or where a Matrix lives.

    Returns
    -------
    Similar
        ``vertices`` and ``scores``; of equal scores the lower vertex is first. Labels are ``G.labels[vertices]``.

    Raises
    ------
    InvalidOption
        If an argument is out of range.
    DimensionMismatch
        If X has not two dimensions.
    DomainMismatch
        If X holds something else than finite numbers.
    OutOfMemory
        If the answer does not fit in memory.

    See Also
    --------
    fastrp : Vectors of vertices by random projection.
    similarity : How alike vertices are by their neighbours, without vectors.

    Notes
    -----
    O(q n d): all scores are computed, in tiles, and those that are among the k largest of their row are kept. There is
    no index, and no approximation but rounding.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.path(9, engine="cpu")
    >>> gl.similar(gl.fastrp(G, 64), 2, queries=[0], engine="cpu").vertices.shape
    (1, 2)
    """
    place = X.engine if isinstance(X, Matrix) and engine is None else get_engine(engine)
    xp, vectors = place.xp, to_vectors(place, X)
    cells = choose_kernels(place).begin(place, vectors.dtype)
    n, wanted = vectors.shape[0], to_int(k, "k", 1)
    if to_choice(metric, "metric", ("cosine", "dot")) == "cosine":
        vectors = scale_rows(place, vectors)
    chosen = place.asarray(read_queries(queries, n))
    count, step = max(0, min(wanted, n - 1)), max(1, cells // max(1, n))
    vertices, scores = xp.empty((chosen.size, count), "int64"), xp.empty((chosen.size, count), vectors.dtype)
    for first in range(0, int(chosen.size) if count else 0, step):
        rows = chosen[first : first + step]
        out = vertices[first : first + step], scores[first : first + step]
        keep_largest(place, take_vectors(place, vectors, rows) @ vectors.T, count, rows, out)
    return Similar(vertices, scores)


def take_vectors(engine: Any, vectors: Array, chosen: Array) -> Array:
    """Some of the vectors."""
    if engine.name == "cpu":
        return vectors[chosen]
    from graphla.algorithms.embeddings._vectors_cuda import take_vectors as take_on_device

    return take_on_device(engine, vectors, chosen)


def read_queries(given: Any, n: int) -> Array:
    """The numbers of the vertices that ask."""
    if given is None:
        return np.arange(n)
    numbers = to_list(given, "queries", "vertices", InvalidOption)
    found = [to_int(each, "queries", 0) for each in numbers]
    if found and max(found) >= n:
        raise InvalidOption(f"queries={show(max(found))}: there are {n:,} vectors")
    return np.asarray(found, np.int64)
