"""An order of elimination with little fill: vertices of few neighbours, then nested dissection by METIS."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np

from graphla.common.errors import GraphlaError, NotSupported
from graphla.common.extras import advise
from graphla.storage.convert import make_pointers

MISSING = (
    f"elimination needs METIS for its order of the vertices: {advise('elimination')} (pymetis); "
    "or choose another method of apsp: 'blocked_floyd_warshall', 'sssp_sweep' or 'johnson'"
)


SMALL = 32
"""Vertices of a component up to which any order will do: METIS takes longer than its front."""

LARGE = 50_000
"""Vertices from which METIS takes about a second."""
CHILD = """
import sys, numpy as np, pymetis
given = np.frombuffer(sys.stdin.buffer.read(), np.int32)
size = int(given[0])
order = pymetis.nested_dissection(pymetis.CSRAdjacency(given[1 : size + 1], given[size + 1 :]))[0]
sys.stdout.buffer.write(np.asarray(order, np.int32).tobytes())
"""


def compute_order(indptr: Any, indices: Any) -> Any:
    """Return the vertices in an order of elimination, int32[n], one component after another.

    Parameters
    ----------
    indptr, indices : ndarray
        A symmetric pattern without a diagonal, compressed by rows.

    Raises
    ------
    NotSupported
        If pymetis is not installed.
    """
    import_metis()
    sorted_by, bounds, (start, heads) = sort_components(indptr, indices)
    order = np.arange(sorted_by.size, dtype=np.int32)
    for c in np.flatnonzero(np.diff(bounds) > SMALL):
        low, high = bounds[c], bounds[c + 1]
        part = start[low : high + 1] - start[low], heads[start[low] : start[high]] - low
        order[low:high] = low + dissect(*part)
    return sorted_by[order]


def sort_components(indptr: Any, indices: Any) -> tuple[Any, Any, tuple[Any, Any]]:
    """Return the vertices component by component, the bounds of those, and the pattern in this order."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    A = csr_array((np.ones(indices.size, np.int8), indices, indptr), shape=(indptr.size - 1, indptr.size - 1))
    count, label = connected_components(A, directed=False)
    sorted_by = np.argsort(label, kind="stable").astype(np.int32)
    if count > 1:
        A = A[sorted_by][:, sorted_by]
    bounds = make_pointers(np, np.bincount(label, minlength=count))
    return sorted_by, bounds, (A.indptr, A.indices)


def dissect(indptr: Any, indices: Any) -> Any:
    """Order a connected pattern: vertices of few neighbours first, the rest by nested dissection."""
    from scipy.sparse import csr_array

    from graphla.algorithms.apsp.elimination.peel import peel_pattern  # here, because Numba takes a second

    A = csr_array((np.ones(indices.size, np.int8), indices, indptr), shape=(indptr.size - 1, indptr.size - 1))
    A.sort_indices()
    first, rest, (start, heads) = peel_pattern(A.indptr, A.indices)
    if rest.size <= SMALL:
        return np.concatenate([first, rest])
    return np.concatenate([first, rest[run_metis(np.asarray(start, np.int32), np.asarray(heads, np.int32))]])


def run_metis(start: Any, heads: Any) -> Any:
    """The order of METIS. It lets no signal through, so that a child process orders what takes it a second or more."""
    CSRAdjacency, nested_dissection = import_metis()
    if start.size <= LARGE or not sys.executable or hasattr(sys, "frozen"):
        return np.asarray(nested_dissection(CSRAdjacency(start, heads))[0])
    given = np.concatenate([np.array([start.size], np.int32), start, heads]).tobytes()
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", CHILD], input=given, capture_output=True, env=where, check=False)
    if done.returncode:
        raise GraphlaError(f"METIS has failed in a child process: {done.stderr.decode(errors='replace')[-500:]}")
    return np.frombuffer(done.stdout, np.int32)


def import_metis() -> tuple[Any, Any]:
    """Import what is needed of pymetis."""
    try:
        from pymetis import CSRAdjacency, nested_dissection
    except ImportError:
        raise NotSupported(MISSING) from None
    return CSRAdjacency, nested_dissection
