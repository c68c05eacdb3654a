"""CuPy draws the graph that NumPy draws."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.graphs.generators import from_spec
from graphla.storage.convert import coo_from_csr, csr_from_coo, transpose_csr

pytestmark = pytest.mark.gpu
SPECS = (
    "kron:12?weights=1..255",
    "kron:0",
    "rmat:11,8?symmetric=false&simple=false",
    "uniform:5000,7?weights=0.5..2",
    "grid2d:30,20",
    "grid3d:9,8,7?weights=1..9",
    "hubs:3000",
    "gnp:2000,0.01",
    "planted_partition:900,7",
    "lfr:900",
    "barabasi_albert:3000,4?weights=1..9",
    "watts_strogatz:3000,6,0.2",
    "road:5000",
    "path:50",
    "cycle:50",
    "star:50",
    "complete:50",
    "complete:0",
)


def list_arrays(record, names):
    return [getattr(record, name) for name in names if getattr(record, name) is not None]


def assert_same(host, device, names):
    for ours, theirs in zip(list_arrays(host, names), list_arrays(device, names), strict=True):
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs.get() if hasattr(theirs, "get") else theirs)  # some draw on the host


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_graph(spec):
    cupy = pytest.importorskip("cupy")
    assert_same(from_spec(spec), from_spec(spec, xp=cupy), ("rows", "cols", "values"))


@pytest.mark.parametrize("dup", ["first", "min", "sum"])
def test_the_same_rows(dup):
    cupy = pytest.importorskip("cupy")
    spec = "rmat:8,40?symmetric=false&simple=false&weights=1..99"
    host, device = csr_from_coo(from_spec(spec), dup), csr_from_coo(from_spec(spec, xp=cupy), dup)
    assert_same(host, device, ("indptr", "indices", "values"))
    assert_same(transpose_csr(host), transpose_csr(device), ("indptr", "indices", "values"))
    assert_same(coo_from_csr(host), coo_from_csr(device), ("rows", "cols", "values"))
