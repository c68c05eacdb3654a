"""An order of elimination with little fill: nested dissection by METIS."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import NotSupported

MISSING = (
    "elimination needs METIS for its order of the vertices: pip install 'graphla[elimination]' (pymetis); "
    "or choose another method of apsp: 'blocked_floyd_warshall', 'sssp_sweep' or 'johnson'"
)


def compute_order(indptr: Any, indices: Any) -> Any:
    """Return the vertices in an order of elimination, int32[n].

    Parameters
    ----------
    indptr, indices : ndarray
        A symmetric pattern without a diagonal, compressed by rows.

    Raises
    ------
    NotSupported
        If pymetis is not installed.
    """
    CSRAdjacency, nested_dissection = import_metis()
    if not indices.size:
        return np.arange(indptr.size - 1, dtype=np.int32)
    adjacency = CSRAdjacency(np.asarray(indptr, np.int32), np.asarray(indices, np.int32))
    return np.asarray(nested_dissection(adjacency)[0], np.int32)


def import_metis() -> tuple[Any, Any]:
    """Import what is needed of pymetis."""
    try:
        from pymetis import CSRAdjacency, nested_dissection
    except ImportError:
        raise NotSupported(MISSING) from None
    return CSRAdjacency, nested_dissection
