"""GraphBLAS over dictionaries: a key (an index, or a pair of them) to a plain Python number. Slow, small, obvious."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from typing import Any

from semirings import unary
from semirings.dtypes import lookup
from semirings.python import evaluate

Entries = dict[Any, Any]


@dataclass(frozen=True)
class OneOf:
    """What the monoid `any` may give: one of these."""

    values: frozenset[Any]


def cast(entries: Entries, source: str, target: str) -> Entries:
    """The values in another dtype."""
    if source == target:
        return entries
    f = evaluate(unary.identity, [lookup(source)], lookup(target))
    return {key: OneOf(frozenset(map(f, v.values))) if isinstance(v, OneOf) else f(v) for key, v in entries.items()}


def make_fold(monoid: Any, dtype: Any) -> Callable[[list[Any]], Any]:
    """⊕ of some values, at least one."""
    if monoid.is_any:
        return lambda values: OneOf(frozenset(values))
    return partial(reduce, evaluate(monoid.op, [dtype, dtype], dtype))


def matmul(A: Entries, B: Entries, semiring: Any, a: str, b: str, out: str) -> Entries:
    """C[i, j] = ⊕_k A[i, k] ⊗ B[k, j]."""
    op, dtype = semiring.multiply, lookup(out)
    f = evaluate(op, [lookup(a), lookup(b)], dtype)
    terms: dict[Any, list[Any]] = {}
    columns: dict[int, list[Any]] = {}
    for (k, j), y in B.items():
        columns.setdefault(k, []).append((j, y))
    for (i, k), x in A.items():
        for j, y in columns.get(k, ()):
            terms.setdefault((i, j), []).append(f(x, y, i, k, j) if op.positional else f(x, y))
    fold = make_fold(semiring.add, dtype)
    return {key: fold(values) for key, values in terms.items()}


def transpose(A: Entries) -> Entries:
    return {(j, i): x for (i, j), x in A.items()}


def to_column(v: Entries) -> Entries:
    return {(k, 0): x for k, x in v.items()}


def to_row(v: Entries) -> Entries:
    return {(0, k): x for k, x in v.items()}


def flatten(A: Entries) -> Entries:
    """A matrix of one row or one column as a vector; the other index is 0 everywhere."""
    return {i + j: x for (i, j), x in A.items()}


def unite(x: Entries, y: Entries, f: Callable[..., Any], to: Callable[[Any], Any] = lambda v: v) -> Entries:
    return {
        key: f(x[key], y[key]) if key in x and key in y else to(x[key]) if key in x else to(y[key])
        for key in x.keys() | y.keys()
    }


def intersect(x: Entries, y: Entries, f: Callable[..., Any]) -> Entries:
    return {key: f(x[key], y[key]) for key in x.keys() & y.keys()}


def write(
    C: Entries, T: Entries, allows: Callable[[Any], bool], accum: Callable[..., Any] | None, replace: bool
) -> Entries:
    """C<mask, replace> ⊙= T."""
    Z = unite(C, T, accum) if accum else T
    kept = {} if replace else {key: value for key, value in C.items() if not allows(key)}
    return kept | {key: value for key, value in Z.items() if allows(key)}


def make_allowance(M: Entries | None, structural: bool, complement: bool) -> Callable[[Any], bool]:
    """The mask as a question."""
    if M is None:
        return lambda key: True
    inside = set(M) if structural else {key for key, value in M.items() if value}
    return lambda key: (key in inside) != complement


def list_keys(shape: tuple[int, ...]) -> Iterable[Any]:
    return range(shape[0]) if len(shape) == 1 else product(range(shape[0]), range(shape[1]))


def are_same(found: Any, wanted: Any) -> bool:
    """Equal, one of those allowed, or as near as rounding lets it be."""
    if isinstance(wanted, OneOf):
        return any(are_same(found, one) for one in wanted.values)
    if isinstance(wanted, float) or isinstance(found, float):
        return found == wanted or (found != found and wanted != wanted) or math.isclose(found, wanted, rel_tol=2e-6)
    return found == wanted


def assert_same(found: Entries, wanted: Entries, what: str) -> None:
    """The same keys, and values that agree."""
    missing, extra = sorted(wanted.keys() - found.keys()), sorted(found.keys() - wanted.keys())
    assert not missing, f"{what}: no entry at {missing[:5]} ({len(missing)} missing)"
    assert not extra, f"{what}: entries too many at {extra[:5]} ({len(extra)} too many)"
    wrong = {k: (found[k], wanted[k]) for k in wanted if not are_same(found[k], wanted[k])}
    assert not wrong, f"{what}: {len(wrong)} wrong, such as {next(iter(wrong.items()))} (found, wanted)"
