"""Calls of csgraph on random matrices beside SciPy: every form, dtype and corner, several calls on one matrix.

The door answers small matrices, too. Values, dtypes, shapes, and exceptions with their texts are SciPy's; predecessors
may be those of other shortest paths, and are followed.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np
import scipy
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs

from graphla import csgraph as ours
from graphla.doors.csgraph import inputs

FORMS = (
    "csr_array",
    "csr_matrix",
    "csc_array",
    "coo_array",
    "lil_array",
    "bsr_array",
    "dense",
    "columns",
    "masked",
    "list",
)
DTYPES = ("float64", "float64", "float32", "int64", "int32", "int8", "uint8", "uint64", "bool")
KINDS = ("small", "small", "zero", "fractional", "negative", "tilted", "odd", "huge")
NAMES = ("connected_components", "dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path")
"""What graphla computes on the CPU; all else is SciPy's own."""
SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])
CALLS = 5
"""Calls of a seed."""
COUNTS: Counter[str] = Counter()
"""How many calls were compared, by function and outcome."""


def check(seed: int, engine: Any = "cpu") -> None:
    """Run the calls of a seed.

    Raises
    ------
    AssertionError
        If an answer differs from SciPy's, or the matrix has changed.
    """
    rng = np.random.default_rng(seed)
    A = draw(rng)
    with mock.patch.object(inputs, "WORTH_AN_ENGINE", 1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(CALLS):
            name = str(rng.choice(NAMES))
            compare(A, name, draw_arguments(rng, name, count_rows(A)), seed)


def pick(rng: Any, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def count_rows(A: Any) -> int:
    return len(A) if isinstance(A, list) else A.shape[0]


def draw(rng: Any) -> Any:
    """A square matrix in some form."""
    form, dtype, n = pick(rng, FORMS), np.dtype(pick(rng, DTYPES)), pick(rng, (1, 2, 3, 6, 12, 25))
    m = int(rng.integers(0, n * n + 1) * pick(rng, (0.1, 0.5, 1)))
    rows, cols = rng.integers(0, n, (2, m))
    values = draw_values(rng, dtype, pick(rng, KINDS), n, rows, cols)
    if form in ("dense", "columns", "masked", "list"):
        return make_dense(rng, form, n, rows, cols, values)
    return make_sparse(rng, form, n, rows, cols, values)


def draw_values(rng: Any, dtype: Any, kind: str, n: int, rows: Any, cols: Any) -> Any:
    """Weights of a kind, as far as the dtype has it."""
    m, signed, real = rows.size, dtype.kind in "if", dtype.kind == "f"
    values = rng.integers(1, 9, m).astype(np.float64)
    if kind == "zero":
        values = rng.integers(0, 3, m).astype(np.float64)
    if kind == "fractional" and real:
        values = rng.random(m)
    if kind == "negative" and signed:
        values = rng.integers(-1, 20, m).astype(np.float64)
    if kind == "tilted" and signed:
        tilt = rng.integers(0, 6, n)
        values += tilt[rows] - tilt[cols]
    if kind == "odd" and real:
        values[rng.random(m) < 0.1] = pick(rng, (np.nan, np.inf, -np.inf, -0.0, 1e300, 5e-324))
    if kind == "huge" and dtype.kind in "iu":
        return rng.integers(np.iinfo(dtype).max // 2, np.iinfo(dtype).max, m, dtype, endpoint=True)
    return values.astype(dtype)


def make_sparse(rng: Any, form: str, n: int, rows: Any, cols: Any, values: Any) -> Any:
    """A sparse matrix, perhaps with repeats, unsorted columns and explicit zeros."""
    if rng.random() < 0.6:  # no repeats
        _, first = np.unique(rows * n + cols, return_index=True)
        first = rng.permutation(first)
        rows, cols, values = rows[first], cols[first], values[first]
    if form == "coo_array":
        return sp.coo_array((values, (rows, cols)), shape=(n, n))
    if form in ("lil_array", "bsr_array"):
        return getattr(sp, form)(sp.coo_array((values, (rows, cols)), shape=(n, n)))
    major, minor = (cols, rows) if form == "csc_array" else (rows, cols)
    order = np.argsort(major, kind="stable") if rng.random() < 0.5 else np.lexsort([minor, major])
    pointers = np.zeros(n + 1, np.int64 if rng.random() < 0.3 else np.int32)
    pointers[1:] = np.cumsum(np.bincount(major, minlength=n))
    return getattr(sp, form)((values[order], minor[order].astype(pointers.dtype), pointers), shape=(n, n))


def make_dense(rng: Any, form: str, n: int, rows: Any, cols: Any, values: Any) -> Any:
    """A dense, masked or listed matrix."""
    D = np.zeros((n, n), values.dtype)
    D[rows, cols] = values
    if form == "columns":
        return np.asfortranarray(D)
    if form == "masked":
        mask = np.ones((n, n), bool)
        mask[rows, cols] = False
        return np.ma.MaskedArray(D, mask if rng.random() < 0.8 else rng.random((n, n)) < 0.3)
    return D.tolist() if form == "list" else D


def draw_arguments(rng: Any, name: str, n: int) -> dict[str, Any]:
    """Arguments of a function; now and then a wrong one."""
    if name == "connected_components":
        return {
            "directed": pick(rng, (True, True, False)), "connection": pick(rng, ("weak", "strong", "STRONG", "wrong")),
            "return_labels": pick(rng, (True, True, False)),
        }  # fmt: skip
    found = {
        key: bool(rng.random() < share)
        for key, share in (("directed", 0.7), ("return_predecessors", 0.4), ("unweighted", 0.2))
    }
    if name in ("floyd_warshall", "shortest_path"):
        found["overwrite"] = bool(rng.random() < 0.2)
    if name != "floyd_warshall" and rng.random() < 0.6:
        found["indices"] = pick(
            rng, (0, -1, n - 1, [0], [0, n - 1, 0], [[0], [n - 1]], [], n, [-n - 1], 0.0, np.int64(0))
        )
    if name == "dijkstra" and rng.random() < 0.4:
        found["limit"] = pick(rng, (0, 1, 4.5, np.inf, -1, np.float32(3), 1e300))
        found["min_only"] = bool(rng.random() < 0.5)
    if name == "shortest_path":
        found["method"] = pick(rng, ("auto", "auto", "FW", "D", "BF", "J", "wrong"))
    return found


def compare(A: Any, name: str, arguments: dict[str, Any], seed: int) -> None:
    """Compare a call, each on a copy, for one may be overwritten."""
    if fails(A, name, arguments):
        return
    first, second = copy(A), copy(A)
    expected, found = run(theirs, name, first, arguments), run(ours, name, second, arguments)
    COUNTS[f"{name}: {'an error' if isinstance(expected, Exception) else 'an answer'}"] += 1
    if is_exempt(A, name, arguments, expected, found):
        return
    told = f"seed {seed}: {name}({arguments})\nof {show(A)}\n{expected!r}\nagainst\n{found!r}"
    assert same(expected, found, A, name, arguments), told
    if not arguments.get("overwrite"):
        assert show(second) == show(A), f"the matrix has changed\n{told}"


def copy(A: Any) -> Any:
    """A copy in the same order in memory."""
    return A.copy(order="K") if isinstance(A, np.ndarray) else A.copy()


def run(module: Any, name: str, A: Any, arguments: dict[str, Any]) -> Any:
    """An answer, or an exception."""
    try:
        return getattr(module, name)(A, **arguments)
    except Exception as error:
        return error


def wraps(A: Any) -> bool:
    """Whether a weight is negative by an overflow of repeated entries alone: SciPy then takes dijkstra, without end."""
    return has_negative(A) and not (A.tocoo().data < 0).any()


def has_repeats(A: Any) -> bool:
    """Whether a row of a sparse matrix has a column twice."""
    if not hasattr(A, "tocsr") or A.format not in ("csr", "csc"):
        return False
    return A.copy().tocsr().nnz != sp.coo_array((np.ones(A.nnz), A.tocoo().coords), A.shape).tocsr().nnz


def has_negative(A: Any) -> bool:
    """Whether a weight is negative, perhaps one that repeated entries of integers add up to."""
    weights = A.copy().tocsr().astype(np.float64).data if hasattr(A, "tocsr") else np.ma.filled(np.ma.asarray(A), 0)
    return bool((weights < 0).any())


def is_finite(A: Any) -> bool:
    """Whether all weights are finite."""
    return bool(np.isfinite(A.tocoo().data if hasattr(A, "tocsr") else np.ma.filled(np.ma.asarray(A), 0)).all())


def fails(A: Any, name: str, arguments: dict[str, Any]) -> bool:
    """Whether SciPy may not end, or ignores an error of its own and answers with infinities."""
    by_columns = isinstance(A, np.ndarray) and A.flags.f_contiguous and not A.flags.c_contiguous
    if by_columns and (name == "floyd_warshall" or arguments.get("method") in ("FW", "auto")):
        return True
    if name == "dijkstra" or arguments.get("method") == "D":
        return has_negative(A)
    if arguments.get("method") == "auto" and hasattr(A, "tocsr") and wraps(A):
        return True
    return name == "connected_components" and arguments["connection"].lower() == "strong" and has_repeats(A)


def is_exempt(A: Any, name: str, arguments: dict[str, Any], expected: Any, found: Any) -> bool:
    """Differences that docs/csgraph.md states: where SciPy is wrong."""
    if "Unable to avoid copy" in str(expected):
        return True  # to overwrite another dtype than float64
    if name == "connected_components" and not isinstance(expected, int) and SCIPY >= (1, 18):
        return arguments["connection"].lower() == "strong" and arguments["directed"]  # it numbers them otherwise
    if type(expected) is type(found) and type(found).__name__ == "NegativeCycleError" and arguments.get("overwrite"):
        return True  # distances stand in the matrix, and one node is named: docs/csgraph.md
    if type(expected).__name__ == "NegativeCycleError" and not has_negative(A):
        return True  # by rounding, from weights of 1e15 on
    return getattr(A, "format", "") == "bsr"  # it takes the zeros that fill blocks for edges


def same(expected: Any, found: Any, A: Any, name: str, arguments: dict[str, Any]) -> bool:
    """Whether two outcomes are alike."""
    if isinstance(expected, Exception) or isinstance(found, Exception):
        return type(expected) is type(found) and str(expected) == str(found)
    if isinstance(expected, tuple):
        if not isinstance(found, tuple) or len(expected) != len(found):
            return False
        if arguments.get("return_predecessors"):
            fine = any(follow(expected, found, lightest) for lightest in list_lightest(A, name, arguments))
            return alike(expected[0], found[0]) and (fine or not is_finite(A))
        return all(alike(a, b) for a, b in zip(expected, found, strict=True))
    return alike(expected, found)


def alike(expected: Any, found: Any) -> bool:
    """Whether two arrays, matrices or numbers have the same type and values, sums to the last bits."""
    if type(expected) is not type(found):
        return False
    if hasattr(expected, "tocsr"):
        expected, found = expected.toarray(), found.toarray()
    a, b = np.asarray(expected), np.asarray(found)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return bool(np.allclose(a, b, rtol=1e-12, atol=0, equal_nan=True)) if a.dtype.kind == "f" else bool((a == b).all())


def follow(expected: Any, found: Any, lightest: Any) -> bool:
    """Whether predecessors lead along edges that make up the distances, and there are as many as SciPy's.

    Where a weight is no finite number only the distances are compared.
    """
    distances, before = np.atleast_2d(found[0]), np.atleast_2d(found[1])
    distances, before = (part.reshape(-1, part.shape[-1]) for part in (distances, before))
    if found[1].dtype != expected[1].dtype or found[1].shape != expected[1].shape:
        return False
    if ((before < 0) != (expected[1].reshape(before.shape) < 0)).any():
        return False
    k, v = np.nonzero(before >= 0)
    u = before[k, v]
    return bool(np.allclose(distances[k, u] + lightest[u, v], distances[k, v], rtol=1e-9, atol=1e-9, equal_nan=True))


def list_lightest(A: Any, name: str, arguments: dict[str, Any]) -> list[Any]:
    """The lightest edge between two vertices: as Floyd and Warshall see it, and the other searches."""
    dense = name == "floyd_warshall" or arguments.get("method") == "FW"
    choices = (True, False) if arguments.get("method", "") == "auto" else (dense,)
    found = [read_dense(A, choice, arguments.get("unweighted")) for choice in choices]
    return found if arguments.get("directed", True) else [np.minimum(D, D.T) for D in found]


def read_dense(A: Any, dense: bool, unweighted: Any) -> Any:
    """The edges of a matrix; searches cast it, and so add repeated entries of another dtype than float64."""
    if hasattr(A, "tocsr"):
        C = A.tocoo() if dense else A.copy().tocsr().astype(np.float64, copy=False).tocoo()
        D = np.full(A.shape, np.inf)
        np.minimum.at(D, tuple(C.coords), np.ones(C.data.size) if unweighted else C.data)
        return D
    masked = np.ma.isMaskedArray(A)
    D = np.where(np.ma.getmaskarray(A), np.inf, A.data.astype(np.float64)) if masked else np.array(A, np.float64)
    if dense or not masked:
        D[D == 0 if masked else abs(D) <= inputs.ZERO] = np.inf
    D[~np.isfinite(D)] = np.inf
    if unweighted:
        D[np.isfinite(D)] = 1
    return D


def show(A: Any) -> str:
    """A matrix as text."""
    if hasattr(A, "tocsr"):
        parts = (
            (A.indptr, A.indices, A.data) if A.format in ("csr", "csc", "bsr") else (A.tocoo().coords, A.tocoo().data)
        )
        return f"{type(A).__name__} of {A.dtype}, shape {A.shape}: {[np.asarray(part).tolist() for part in parts]}"
    return f"{type(A).__name__} of {getattr(A, 'dtype', '')}: {A.tolist() if isinstance(A, np.ndarray) else A}"
