"""Components are those of SciPy, with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.csgraph as theirs
from scipys_graphs import list_forms, make_csr

from graphla import csgraph
from graphla.csgraph import components, inputs


@pytest.fixture(autouse=True)
def engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine answers small graphs, too, and SciPy none."""
    monkeypatch.setattr(inputs, "WORTH_AN_ENGINE", 1)
    monkeypatch.setattr(components, "call_scipy", lambda name, *_: pytest.fail(f"passed to SciPy: {name}"))


@pytest.mark.parametrize("connection", ["weak", "STRONG"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("degree", [0.5, 1.0, 1.5, 4.0])
def test_components_are_numbered_as_scipy_numbers_them(connection: str, directed: bool, degree: float) -> None:
    for seed in range(8):
        A = make_csr(seed, n=700, degree=degree)
        A.sum_duplicates()  # with a repeated edge SciPy's search for strong components may not end
        count, labels = csgraph.connected_components(A, directed, connection)
        expected = theirs.connected_components(A, directed, connection)
        assert count == expected[0]
        np.testing.assert_array_equal(labels, expected[1], strict=True)
        assert csgraph.connected_components(A, directed, connection, return_labels=False) == count


@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_the_zeros_of_a_block_are_no_edges(connection: str) -> None:
    A = make_csr(5, n=60, degree=1.1, low=1)
    A.sum_duplicates()
    blocks = A.tobsr(blocksize=(3, 3))
    assert blocks.data.size > A.nnz
    for ours, own in zip(
        csgraph.connected_components(blocks, connection=connection),
        theirs.connected_components(A, connection=connection),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, own)


@pytest.mark.parametrize("form", list_forms(make_csr(4)))
@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_forms_of_a_graph(form: str, connection: str) -> None:
    A = list_forms(make_csr(4, degree=1.1))[form]
    for ours, own in zip(
        csgraph.connected_components(A, connection=connection),
        theirs.connected_components(A, connection=connection),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, own)
