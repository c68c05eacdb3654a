"""Closed semirings that are eliminated: as min_plus, max_min or max_times over the same arcs with other values.

max_plus is min_plus over −w. max_min, min_max and lor_land only compare, so the values of the arcs become their ranks
and the elimination is max_min over these: whatever the dtype, no value means that there is no path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphla.algorithms.apsp.initial import cast, choose_dtype
from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch, NotSupported, Overflow
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage.convert import get_array_module, is_any
from graphla.storage.deferred import SentinelArray
from semirings import Semiring, monoid
from semirings.dtypes import BOOL, lookup

FEW = 254
"""Ranks that fit a byte, beside those of no path and of the empty one."""
LONGEST = 2**63 - 1


@dataclass(frozen=True, eq=False)
class Coding:
    """How the values of a graph become the cells of an elimination, and its cells results.

    Parameters
    ----------
    name : str
        The semiring.
    core : str
        The semiring that is eliminated.
    given, graph : Graph
        The graph, and the same arcs with the values of the core. Later changes of the caller's graph reach neither.
    cells : dtype
        That of the cells.
    decode : callable (cells) -> results
        The results in this semiring.
    missing : scalar
        What an array of results holds where there is no path; its dtype is that of the results.
    """

    name: str
    core: str
    given: Graph
    graph: Graph
    cells: np.dtype[Any]
    decode: Callable[[Any], Any]
    missing: Any

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the results."""
        return self.missing.dtype

    def list_entries(self, cells: Any, absent: Any) -> Any:
        """Return a storage with the results where there is a path."""
        found = SentinelArray(cells, absent)
        if self.decode is keep:
            return found
        held: Any = found.resolve()
        return replace(held, values=self.decode(held.values))

    def fill(self, cells: Any, absent: Any) -> Any:
        """Return an array of the results, with `missing` where there is no path."""
        if self.decode is keep:
            return cells
        return get_array_module(cells).where(cells == absent, self.missing, self.decode(cells))

    def require_gap(self, way_out: str) -> None:
        """Refuse arrays of results if the number that means no path in them is the value of an arc."""
        if self.core != "min_plus" and is_any(self.given.csr.values == self.missing):
            raise NotSupported(
                f"{self.name}: an arc has the value {self.missing!s}, which would mean that there is no path: {way_out}"
            )


def keep(values: Any) -> Any:
    """Return the same values."""
    return values


def negate(values: Any) -> Any:
    """Return 0 − x: no zero gets a sign."""
    return values.dtype.type(0) - values


def code_lengths(name: str, G: Graph, asked: Any) -> Coding:
    """Take weights as they are."""
    dtype = choose_dtype(G, asked)
    return Coding(name, "min_plus", G, G, dtype, keep, infinity(dtype))


def code_negated(name: str, G: Graph, asked: Any) -> Coding:
    """Take −w for w, in a signed dtype that holds both."""
    turned = wrap(G, negate(widen(G, G.csr.values)))
    dtype = choose_dtype(turned, asked)
    if dtype.kind == "u":
        raise NotSupported(f"dtype={show(asked)}: max_plus computes with −w: ask for a signed dtype")
    return Coding(name, "min_plus", G, turned, dtype, negate, find_end(dtype, -1))


def widen(G: Graph, values: Any) -> Any:
    """Return values in a signed dtype that has their negatives, too."""
    held = distance_dtype(values.dtype)
    if held.kind == "f":
        return values.astype(held, copy=False)
    low, high = (int(end or 0) for end in (G.min_weight, G.max_weight))
    if low < -LONGEST or high > LONGEST:
        worst = low if low < -LONGEST else high
        raise Overflow(f"max_plus: −({worst}) does not fit INT64: take the matrix as floats, A.dup('FP64')")
    wide = held == np.uint32 or (held == np.int32 and low == np.iinfo(np.int32).min)
    return values.astype(np.int64 if wide or held.itemsize == 8 else np.int32)


def code_ranks(name: str, G: Graph, asked: Any) -> Coding:
    """Take the rank of each value among the values of all arcs; in min_max in falling order."""
    xp, sign = G.engine.xp, -1 if name == "min_max" else 1
    values, missing, one = read_values(name, G, asked)
    known, ranks = xp.unique(values, return_inverse=True)
    ranks = ranks.reshape(-1) if sign > 0 else known.size - 1 - ranks.reshape(-1)
    cells = np.dtype(np.uint8 if known.size <= FEW else np.int32)
    low = int(np.iinfo(cells).min)
    ends = (xp.asarray([end]).astype(values.dtype) for end in (missing, one))
    table = xp.concatenate([next(ends), known[::sign], next(ends)])

    def decode(codes: Any) -> Any:
        where = xp.minimum(codes, cells.type(low + known.size + 1)).astype(np.int64) - low
        return table[where].view(missing.dtype)

    return Coding(name, "max_min", G, wrap(G, (ranks + (low + 1)).astype(cells)), cells, decode, missing)


def read_values(name: str, G: Graph, asked: Any) -> tuple[Any, Any, Any]:
    """Return the values that are compared, what means no path beside them, and the empty path; truths are bytes."""
    values = G.csr.values
    if name == "lor_land":
        if asked is not None and lookup(asked) is not BOOL:
            raise NotSupported(f"dtype={show(asked)}: lor_land gives BOOL")
        return (values != 0).view(np.uint8), np.bool_(False), np.bool_(True)
    dtype, sign = choose_dtype(G, asked, compared=True), -1 if name == "min_max" else 1
    return cast(values, dtype), find_end(dtype, -sign), find_end(dtype, sign)


def code_factors(name: str, G: Graph, asked: Any) -> Coding:
    """Take values as floats; refuse those with which products do not fall along paths."""
    values = G.csr.values
    if values.size and not (values.min() >= 0 and values.max() < np.inf):
        raise DomainMismatch("max_times: a value is negative or infinite: give probabilities, from 0 to 1")
    floats = G if values.dtype.kind == "f" else wrap(G, values.astype(np.float64))
    dtype = choose_dtype(floats, asked)
    return Coding(name, "max_times", G, floats, dtype, take_all, dtype.type(0))


def take_all(values: Any) -> Any:
    """Return the same values, of which absence is none."""
    return values


def find_end(dtype: np.dtype[Any], sign: int) -> Any:
    """Return the largest value of a dtype, or with sign −1 the smallest."""
    return dtype.type((monoid.min if sign > 0 else monoid.max).identity(lookup(dtype)))


def wrap(G: Graph, values: Any) -> Graph:
    """Return the graph with other values."""
    A = Matrix.from_csr(G.csr.indptr, G.csr.indices, values, nrows=G.n, ncols=G.n, engine=G.engine)
    return Graph(A, name=G.name)


CODES: dict[str, Callable[[str, Graph, Any], Coding]] = {
    "min_plus": code_lengths,
    "max_plus": code_negated,
    "max_min": code_ranks,
    "min_max": code_ranks,
    "max_times": code_factors,
    "lor_land": code_ranks,
}


def find_name(op: Any) -> str | None:
    """Return the name of a semiring, given as one or by its name."""
    return op.name if isinstance(op, Semiring) else op if isinstance(op, str) else None


def find_closed(op: Any) -> str:
    """Return the name of the closed semiring that an argument names; refuse others."""
    name = find_name(op)
    if name in CODES:
        return name
    raise NotSupported(f"semiring={show(op)}: elimination takes the closed semirings {', '.join(CODES)}")


def code(G: Graph, name: str, asked: Any = None) -> Coding:
    """Return the coding of a graph in a semiring; `asked` is the dtype of the results that was asked for."""
    return CODES[name](name, Graph(G.A.dup(), name=G.name), asked)
