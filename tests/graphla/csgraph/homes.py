"""Where the inputs of csgraph on a GPU live: on the GPU, or on the host in types that pass for CuPy's.

In the stand-in graphla's problems run on the CPU engine, so that what `graphla.csgraph` does with arrays of a device is
tested without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from graphla.doors.csgraph import device, device_flows, device_matchings, device_orders, device_paths, device_trees
from graphla.engine import get_engine, has_gpu

HOMES = ["stand-in", pytest.param("cuda", marks=pytest.mark.gpu)]


class Array(np.ndarray):
    __module__ = "cupy"

    def get(self) -> np.ndarray:
        return np.asarray(self)


class CsrMatrix(sp.csr_matrix):
    __module__ = "cupyx.scipy.sparse"


class CscMatrix(sp.csc_matrix):
    __module__ = "cupyx.scipy.sparse"


class CooMatrix(sp.coo_matrix):
    __module__ = "cupyx.scipy.sparse"


class StandIn:
    """The host, in the types of CuPy."""

    def put_array(self, values: Any) -> Any:
        return np.array(values).view(Array)

    def put_sparse(self, matrix: Any) -> Any:
        return {"csr": CsrMatrix, "csc": CscMatrix, "coo": CooMatrix}[matrix.format](matrix)

    def get(self, found: Any) -> Any:
        return found

    @contextmanager
    def open(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for module in (device, device_flows, device_matchings, device_paths, device_orders):
                patch.setattr(module, "get_engine", lambda _: get_engine("cpu"))
            for module in (device_flows, device_orders, device_trees):
                patch.setattr(module, "make_sparse", make_sparse)
            yield


def make_sparse(n: int, indptr: Any, indices: Any, values: Any) -> Any:
    return sp.csr_matrix((values, indices, indptr), shape=(n, n))


class Gpu:
    """The GPU."""

    def put_array(self, values: Any) -> Any:
        import cupy

        return cupy.asarray(values)

    def put_sparse(self, matrix: Any) -> Any:
        import cupyx.scipy.sparse

        return getattr(cupyx.scipy.sparse, f"{matrix.format}_matrix")(matrix)

    def get(self, found: Any) -> Any:
        return found.get() if hasattr(found, "get") else found

    @contextmanager
    def open(self) -> Iterator[None]:
        if not has_gpu():
            pytest.skip("there is no GPU, or no CuPy")
        yield


def make_home(name: str) -> StandIn | Gpu:
    return StandIn() if name == "stand-in" else Gpu()


def put(home: StandIn | Gpu, value: Any) -> Any:
    """An array or a sparse matrix on the device; anything else as it is. cupyx has floats and truths alone."""
    if isinstance(value, np.ma.MaskedArray):
        pytest.skip("CuPy has no masked arrays")
    if isinstance(value, np.ndarray):
        return home.put_array(np.asarray(value))
    if sp.issparse(value):
        stored = value if value.format in ("csr", "csc", "coo") else value.tocsr()
        if value.format == "bsr":
            stored.eliminate_zeros()  # which fill the blocks
        kind = {"csr": sp.csr_matrix, "csc": sp.csc_matrix, "coo": sp.coo_matrix}[stored.format]
        return home.put_sparse(kind(stored if stored.dtype.kind in "bf" else stored.astype(float)))
    return value


def get(home: StandIn | Gpu, found: Any) -> Any:
    """What a function returned, on the host."""
    return tuple(home.get(each) for each in found) if isinstance(found, tuple) else home.get(found)
