"""A graph of arcs of which each rank has some."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.arguments import to_array, to_choice, to_int
from graphla.common.errors import DimensionMismatch, IndexOutOfBounds, InvalidGraph
from graphla.common.typing import ArrayLike
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.engine.mpi.agree import run_on_all
from graphla.graphs.adjacency import require_numbers
from graphla.graphs.graph import Graph
from graphla.graphs.reading.spreading import join_arcs, unify_values
from graphla.storage.convert import DUPS
from semirings import monoid


def from_arcs(
    tails: ArrayLike, heads: ArrayLike, weights: ArrayLike | None = None, *, n: int | None = None, dup: str = "error"
) -> Graph:
    """Make a graph that is spread over the ranks, of arcs of which each rank gives some.

    Every rank calls this with its own arcs, maybe none, in any order: those of one partition of a table, of one file
    of many. They travel to the ranks whose blocks they are in.

    Parameters
    ----------
    tails, heads : array of int
        Shape (k,), vertices from 0 on; k differs from rank to rank.
    weights : array, optional
        Shape (k,), of one dtype on all ranks; all ranks give them, or none does.
    n : int, optional
        Vertices; by default one more than the largest on any rank.
    dup : {"error", "first", "min", "sum"}
        What repeated arcs become, also those of several ranks; ``"first"`` goes by rank.

    Returns
    -------
    Graph
        On the engine ``"mpi"``.

    Raises
    ------
    InvalidGraph
        On every rank, if an arc occurs twice and `dup` is ``"error"``, or an argument of one rank is wrong.
    DimensionMismatch
        If the arrays of a rank differ in length.
    IndexOutOfBounds
        If a vertex is negative or not below `n`.

    See Also
    --------
    graphla.read : Read a file in parts, with ``engine="mpi"``.

    Notes
    -----
    O(k log k) time on each rank, and O(k) bytes travel.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.from_arcs([0, 1], [1, 2]).A.to_coo()[1].tolist()
    [1, 2]
    """
    engine: Any = get_engine("mpi")
    ranks, world = engine.ranks, engine.ranks.world
    rows, cols, values = run_on_all(world, lambda: check_arcs(tails, heads, weights, n, dup))
    largest = max(int(rows.max(initial=-1)), int(cols.max(initial=-1)))
    size = 1 + world.all_reduce(largest, monoid.max) if n is None else int(n)
    run_on_all(world, lambda: check_ends(rows, cols, size))
    require_alike(values, world)
    held = None if values is None else ranks.local.asarray(unify_values(values, world))
    tail_parts, head_parts = (ranks.local.asarray(part) for part in (rows, cols))
    joined = join_arcs(tail_parts, head_parts, held, (size, size), dup, "from_arcs", ranks)
    return Graph(Matrix._from_storage(joined, engine))


def check_arcs(tails: Any, heads: Any, weights: Any, n: int | None, dup: str) -> tuple[Any, Any, Any]:
    """Return the arcs of this rank as arrays on the host."""
    to_choice(dup, "dup", DUPS, InvalidGraph)
    if n is not None:
        to_int(n, "n", 0, 2**60, InvalidGraph)
    rows, cols = (to_ends(part, name) for part, name in ((tails, "tails"), (heads, "heads")))
    values = None if weights is None else to_weights(weights)
    lengths = {rows.shape, cols.shape, *([] if values is None else [values.shape])}
    if len(lengths) > 1:
        raise DimensionMismatch(
            f"from_arcs: tails, heads and weights have the shapes {sorted(lengths)}: give one length"
        )
    return rows, cols, values


def to_host(part: Any) -> Any:
    """Return an array on the host; of the vectors of graphla, which name their arrays too, the fault stands below."""
    on_device = hasattr(part, "__cuda_array_interface__") and hasattr(part, "shape") and not hasattr(part, "nvals")
    return part.get() if on_device and not isinstance(part, type) else part


def to_weights(part: Any) -> Any:
    """Return weights on the host."""
    held = to_array(np.asarray, to_host(part), "weights", InvalidGraph)
    if held.dtype.kind not in "biuf":
        raise InvalidGraph(f"weights: give real numbers, not {held.dtype}")
    return held


def to_ends(part: Any, name: str) -> Any:
    """Return tails or heads as int64 on the host."""
    held = to_array(np.asarray, require_numbers(to_host(part)), name, InvalidGraph)
    if held.ndim != 1 or (held.size and held.dtype.kind not in "iu"):
        raise InvalidGraph(f"{name}: give whole numbers in one dimension, not {held.dtype} of shape {held.shape}")
    return held.astype("int64")


def check_ends(rows: Any, cols: Any, size: int) -> None:
    """Refuse vertices that are none of `size`."""
    for part in (rows, cols):
        wrong = part[(part < 0) | (part >= size)]
        if wrong.size:
            raise IndexOutOfBounds(f"from_arcs: {wrong[0]} is no vertex of {size:,}, numbered from 0")


def require_alike(values: Any, world: Any) -> None:
    """Refuse weights that some ranks give and others do not, or of other dtypes."""
    own = "none" if values is None else values.dtype.name
    kinds = [world.share_object(own, rank) for rank in range(world.size)]
    if len(set(kinds)) > 1:
        raise InvalidGraph(f"from_arcs: the dtypes of the weights on the ranks are {', '.join(kinds)}: give one dtype")
