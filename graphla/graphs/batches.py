"""Batches of arcs for `Graph.update`: read from tables, arrays and matrices, and resolved against what is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_choice
from graphla.common.errors import InvalidGraph, UnknownLabel
from graphla.containers import arrow
from graphla.containers.interop import to_engine_array
from graphla.containers.labels import Labels, to_labels
from graphla.engine import get_engine
from graphla.graphs.adjacency import JOINS, to_adjacency
from graphla.graphs.changes import Arcs, Change, locate, read_values
from graphla.graphs.reverse import add_reverse
from graphla.storage import Coo
from graphla.storage.convert import (
    combine_repeats,
    copy_array,
    copy_indices,
    find_ends,
    flag_first,
    gather,
    get_array_module,
    is_all,
    is_any,
    is_on_device,
    list_true,
)
from semirings.dtypes import DType, lookup

FEW_ARCS = 1 << 12
"""Arcs of a batch that the host prepares for a device: NumPy takes less for them than the launches would."""
Name = Callable[[int], str]
"""What a vertex is called in a message."""


def read_batches(
    engine: Any, labels: Labels | None, delete: Any, weights: Any, insert: Any, undirected: bool, dup: str | None
) -> tuple[tuple[Arcs, Arcs, Arcs], Labels | None]:
    """What is to be deleted, to have another weight, and to be inserted; and all labels.

    The arrays are on the host if they are few, and else on the engine.
    """
    found = []
    for given, what in ((delete, "delete"), (weights, "weights")):
        arcs, held = read_batch(engine, given, what, labels)
        if held is not None and labels is not None and held.array.size > labels.array.size:
            raise UnknownLabel(f"{what}: no vertex has the label {show(held.array[labels.array.size])}; see labels")
        found.append(arcs)
    found[0] = Arcs(found[0].rows, found[0].cols)
    if weights is not None and found[1].values is None:
        raise InvalidGraph("weights: give the new weights, too: (tails, heads, weights), or a column weight")
    fresh, labels = read_batch(engine, insert, "insert", labels)
    gone, changed = found
    if any(each.rows.size > FEW_ARCS for each in (gone, changed, fresh)):
        gone, changed, fresh = (each.convert(engine.asarray) for each in (gone, changed, fresh))
    if undirected:
        return (mirror(gone, "first"), mirror(changed, "error"), mirror(fresh, dup)), labels
    return (gone, changed, fresh), labels


def read_batch(engine: Any, given: Any, what: str, labels: Labels | None) -> tuple[Arcs, Labels | None]:
    """The arcs that a caller gives, in their order; and the labels, to which new ones have been added.

    Parameters
    ----------
    engine : Engine
        Where the arcs go, if they are more than a few; arrays that are elsewhere are copied once.
    given : table, tuple of arrays or matrix
        What a graph is made of.
    what : str
        The name of the argument.
    labels : Labels or None
        Those of the graph.
    """
    if given is None:
        none = np.zeros(0, np.int64)
        return Arcs(none, none), labels
    numbered = labels is None or not labels.numeric
    if arrow.is_table(given):
        found = arrow.read_batch(given, labels)
        arcs, labels = (found.tails, found.heads, found.weights), found.labels or labels
    elif isinstance(given, tuple) and len(given) in (2, 3):
        ends = [to_labels(end) if isinstance(end, list) else hold(end) for end in given[:2]]
        if labels is not None and not (numbered and all(end.dtype.kind in "iu" or not end.size for end in ends)):
            table = {"source": to_labels(list(ends[0])), "target": to_labels(list(ends[1]))}
            found = arrow.read_batch(table, labels)
            ends, labels = [found.tails, found.heads], found.labels
        arcs = (*ends, given[2] if len(given) == 3 else None)
    else:
        A = to_adjacency(given, None, "weight", "min", False, engine)
        arcs = A.to_coo()
    home = get_engine("cpu") if hold(arcs[0]).size <= FEW_ARCS else engine
    rows, cols = (to_numbers(home, end, what) for end in arcs[:2])
    values = None if arcs[2] is None else read_numbers(home, arcs[2], what)
    if rows.size != cols.size or (values is not None and values.shape != rows.shape):
        raise InvalidGraph(f"{what}={show(given)}: tails, heads and weights have different lengths")
    return Arcs(rows, cols, values), labels


def mirror(arcs: Arcs, dup: str | None) -> Arcs:
    """With the reverse of each arc right after it; where repeats matter, unless it is there already."""
    n = arrow.find_size(arcs.rows, arcs.cols)
    both = add_reverse(Coo(n, n, arcs.rows, arcs.cols, arcs.values), dup)
    return Arcs(both.rows, both.cols, both.values)


def hold(given: Any) -> Any:
    """An array of NumPy, or of CuPy where it is on a device."""
    if is_on_device(given):
        return given if hasattr(given, "get") else get_engine("cuda").asarray(given)
    return get_engine("cpu").asarray(given)


def to_numbers(engine: Any, end: Any, what: str) -> Any:
    """The tails or the heads of arcs as numbers of vertices."""
    held = hold(end)
    if held.ndim != 1 or (held.dtype.kind not in "iu" and held.size):
        raise InvalidGraph(f"{what}={show(end)}: give the numbers of vertices, or labels where the graph has some")
    found = to_engine_array(engine, held)
    low, high = find_ends(found) if found.size else (0, 0)
    if low < 0 or high > arrow.LARGEST:
        wrong = (found < 0) | (found > arrow.LARGEST)
        raise InvalidGraph(f"{what}: {found[wrong][0]} is no vertex: they are numbered from 0 to {arrow.LARGEST:,}")
    return copy_indices(found)


def read_numbers(engine: Any, weights: Any, what: str) -> Any:
    """Weights as real numbers of any dtype."""
    held = hold(weights)
    if held.dtype.kind not in "biuf":
        raise InvalidGraph(f"{what}: the weights are of {held.dtype}, and weights are numbers")
    return to_engine_array(engine, held)


def to_weights(arcs: Arcs, dtype: DType, what: str) -> Arcs:
    """Arcs with weights of the dtype of the graph: ones if there are none; a weight that it cannot hold is refused."""
    kind = np.dtype(dtype.numpy)
    if arcs.values is None:
        return Arcs(arcs.rows, arcs.cols, get_array_module(arcs.rows).ones(arcs.rows.size, kind))
    with np.errstate(all="ignore"):
        held = arcs.values.astype(kind)
        fits = (held.astype(arcs.values.dtype) == arcs.values) & ((held < 0) == (arcs.values < 0))
    if kind.kind == arcs.values.dtype.kind == "f":
        fits |= abs(held) < np.inf  # rounded; a NaN, and a number beyond the largest, do not fit
    if not is_all(fits):
        raise InvalidGraph(
            f"{what}: the weight {arcs.values[~fits][0]} is no {dtype.name}, as the weights of the graph are: "
            "gl.Graph(G.A.dup('FP64')) has wider ones"
        )
    return Arcs(arcs.rows, arcs.cols, held)


def join(arcs: Arcs, what: str, dup: str, name: Name) -> Arcs:
    """Arcs in order, each once; those that occur again are joined as `dup` says."""
    xp, held = get_array_module(arcs.rows), arcs.sort()
    first, many = flag_first(held.number())
    if many == arcs.rows.size:
        return held
    if dup == "error":
        again = int(xp.flatnonzero(~first)[0])
        arc = f"{name(int(held.rows[again]))} → {name(int(held.cols[again]))}"
        raise InvalidGraph(f"{what}: the arc {arc} occurs twice; dup='first', 'min' or 'sum' joins them")
    if held.values is None or dup == "first":
        return held.pick(first)
    ends = Arcs(held.rows, held.cols).pick(first)
    return Arcs(ends.rows, ends.cols, combine_repeats(held.values, first, dup, xp))


def resolve(
    engine: Any, matrix: Any, batches: tuple[Arcs, Arcs, Arcs], dup: str | None, missing: str, name: Name
) -> Change:
    """What batches do to a matrix: arcs go, then weights change, then arcs come.

    Parameters
    ----------
    engine : Engine
        Where the matrix lives.
    matrix : CompressedMatrix
        As it is.
    batches : tuple of Arcs
        What to delete, what gets another weight, and what to insert.
    dup : {"error", "first", "min", "sum"} or None
        What an arc becomes that is inserted and there, or inserted twice.
    missing : {"error", "ignore"}
        What is done about arcs that are to be deleted and are not there.
    name : callable (int) -> str
        What a vertex is called in a message.
    """
    dup = to_choice("error" if dup is None else dup, "dup", JOINS, InvalidGraph)
    to_choice(missing, "missing", ("error", "ignore"), InvalidGraph)
    dtype = lookup(matrix.values.dtype)
    if dup == "sum" and dtype.name == "BOOL":
        raise InvalidGraph("dup='sum': the arcs of this graph have no weights to add up; dup='first' joins them")
    gone = join(batches[0], "delete", "first", name)
    changed = join(to_weights(batches[1], dtype, "weights"), "weights", "error", name)
    fresh = join(to_weights(batches[2], dtype, "insert"), "insert", dup, name)
    gone = require_there(engine, matrix, gone, "delete", missing, name)
    places, there = locate(engine, matrix, changed)
    there &= ~contains(gone, changed)
    refuse_first(~there, changed, "weights: there is no arc {}, whose weight could change; insert= adds arcs", name)
    places, there = locate(engine, matrix, fresh)
    back = contains(gone, fresh)
    meets = there & ~back
    if dup == "error":
        way = "dup='first', 'min' or 'sum' joins them, and weights= changes a weight"
        refuse_first(meets, fresh, f"insert: the arc {{}} is there already; {way}", name)
    parts = [changed, fresh.pick(there & back)]
    if dup in ("min", "sum"):
        met = fresh.pick(meets)
        old = find_weights(engine, matrix, gather(places, list_true(meets)), met, changed)
        weights = get_array_module(old).minimum(old, met.values) if dup == "min" else old + met.values
        parts = [changed.pick(~contains(met, changed)), parts[1], Arcs(met.rows, met.cols, weights)]
    return Change(gone.pick(~contains(fresh, gone)), unite(parts), replace(fresh, places=places).pick(~there))


def unite(parts: Sequence[Arcs]) -> Arcs:
    """Arcs of which no two are alike, in order."""
    xp = get_array_module(parts[0].rows)
    rows, cols, values = (
        xp.concatenate([getattr(each, name) for each in parts]) for name in ("rows", "cols", "values")
    )
    return Arcs(rows, cols, values).sort()


def find_weights(engine: Any, matrix: Any, places: Any, arcs: Arcs, changed: Arcs) -> Any:
    """The weights of arcs that are there, after some have changed."""
    values = copy_array(read_values(engine, matrix, places))
    at, hit = search(changed, arcs)
    values[hit] = changed.values[at[hit]]
    return values


def require_there(engine: Any, matrix: Any, arcs: Arcs, what: str, missing: str, name: Name) -> Arcs:
    """The arcs that are there; the first that is not is refused, unless it may be missing."""
    places, there = locate(engine, matrix, arcs)
    if missing == "error":
        refuse_first(~there, arcs, f"{what}: there is no arc {{}}; missing='ignore' passes over it", name)
    return replace(arcs, places=places).pick(there)


def refuse_first(wrong: Any, arcs: Arcs, message: str, name: Name) -> None:
    """Refuse the first arc for which `wrong` is true."""
    if is_any(wrong):
        first = int(get_array_module(wrong).flatnonzero(wrong)[0])
        raise InvalidGraph(message.format(f"{name(int(arcs.rows[first]))} → {name(int(arcs.cols[first]))}"))


def contains(some: Arcs, others: Arcs) -> Any:
    """Whether each of the others is one of some, which are in order."""
    return search(some, others)[1]


def search(some: Arcs, others: Arcs) -> tuple[Any, Any]:
    """Where each of the others stands among some, which are in order, and whether it does."""
    keys, wanted = some.number(), others.number()
    xp = get_array_module(keys)
    if not keys.size:
        return xp.zeros(wanted.size, np.int64), xp.zeros(wanted.size, bool)
    at = xp.minimum(xp.searchsorted(keys, wanted), keys.size - 1)
    return at, keys[at] == wanted
