"""Components are those of SciPy, with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs
from scipys_graphs import list_forms, make_csr

from graphla.doors import csgraph
from graphla.doors.csgraph import components, inputs

SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])


@pytest.fixture(autouse=True)
def engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine answers small graphs, too, and SciPy none."""
    monkeypatch.setattr(inputs, "WORTH_AN_ENGINE", 1)
    monkeypatch.setattr(components, "call_scipy", lambda name, *_: pytest.fail(f"passed to SciPy: {name}"))


def require_same(found: Any, expected: Any, connection: str) -> None:
    """The same components with the same numbers; SciPy numbers strong ones otherwise from 1.18 on."""
    assert found[0] == expected[0]
    if connection == "weak" or SCIPY < (1, 18):
        np.testing.assert_array_equal(found[1], expected[1], strict=True)
    else:
        assert found[1].dtype == expected[1].dtype
        assert len(set(zip(*(labels.tolist() for labels in (found[1], expected[1])), strict=True))) == found[0]


@pytest.mark.parametrize("connection", ["weak", "STRONG"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("degree", [0.5, 1.0, 1.5, 4.0])
def test_components_are_numbered_as_scipy_numbers_them(connection: str, directed: bool, degree: float) -> None:
    for seed in range(8):
        A = make_csr(seed, n=700, degree=degree)
        A.sum_duplicates()  # with a repeated edge SciPy's search for strong components may not end
        count, labels = csgraph.connected_components(A, directed, connection)
        expected = theirs.connected_components(A, directed, connection)
        require_same((count, labels), expected, connection)
        assert csgraph.connected_components(A, directed, connection, return_labels=False) == count


@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_the_zeros_of_a_block_are_no_edges(connection: str) -> None:
    A = make_csr(5, n=60, degree=1.1, low=1)
    A.sum_duplicates()
    blocks = A.tobsr(blocksize=(3, 3))
    assert blocks.data.size > A.nnz
    found = csgraph.connected_components(blocks, connection=connection)
    require_same(found, theirs.connected_components(A, connection=connection), connection)


@pytest.mark.parametrize("form", list_forms(make_csr(4)))
@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_forms_of_a_graph(form: str, connection: str) -> None:
    A = list_forms(make_csr(4, degree=1.1))[form]
    found = csgraph.connected_components(A, connection=connection)
    require_same(found, theirs.connected_components(A, connection=connection), connection)


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_strong_components_of_unsorted_columns_are_numbered_as_scipy_does(dtype: str) -> None:
    """Its cast from another dtype sorts the columns, and its search follows them."""
    for seed in range(20):
        A = make_csr(seed, degree=1.5)
        A.sum_duplicates()  # of which SciPy makes other components, or does not end
        A = A.tocoo()
        order = np.random.default_rng(seed).permutation(A.nnz)
        order = order[np.argsort(A.coords[0][order], kind="stable")]
        pointers = np.searchsorted(A.coords[0][order], np.arange(A.shape[0] + 1))
        parts = A.data[order].astype(dtype), A.coords[1][order], pointers
        expected, found = (
            module.connected_components(sp.csr_array(parts, A.shape), connection="strong")
            for module in (theirs, csgraph)
        )
        require_same(found, expected, "strong")
