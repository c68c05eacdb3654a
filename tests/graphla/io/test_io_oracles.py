"""Readers and writers against those of SciPy and NetworkX."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.sparse import csr_array, random_array

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs.datasets import names, new_york, path
from graphla.graphs.io import read_coo, write_coo
from graphla.storage import Coo


def to_scipy(coo):
    values = np.ones(coo.rows.size) if coo.values is None else coo.values
    return csr_array((values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols))


def are_equal(a, b):
    return a.shape == b.shape and abs(a - b).sum() == 0


@pytest.fixture
def matrix():
    return random_array((9, 9), density=0.3, rng=np.random.default_rng(5), format="coo")


@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
def test_matrix_market_as_scipy_writes_it(tmp_path, matrix, field, symmetry):
    if field == "pattern" and symmetry == "skew-symmetric":
        pytest.skip("a pattern has no signs")
    square = matrix.tocsr()
    square = {"general": square, "symmetric": square + square.T, "skew-symmetric": square - square.T}[symmetry]
    square = square if field == "real" else (10 * square).astype(np.int64)
    scipy.io.mmwrite(tmp_path / "a.mtx", square, field=field, symmetry=symmetry)
    ours, theirs = read_coo(tmp_path / "a.mtx"), scipy.io.mmread(tmp_path / "a.mtx", spmatrix=False)
    assert are_equal(to_scipy(ours), csr_array(theirs))
    assert (ours.values is None) == (field == "pattern")


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
def test_dense_matrix_market_as_scipy_writes_it(tmp_path, symmetry):
    full = np.arange(16.0).reshape(4, 4) - 3
    full = {"general": full, "symmetric": full + full.T, "skew-symmetric": full - full.T}[symmetry]
    scipy.io.mmwrite(tmp_path / "a.mtx", full, symmetry=symmetry)
    coo = read_coo(tmp_path / "a.mtx")
    assert np.array_equal(to_scipy(coo).toarray(), full)


def test_scipy_reads_our_matrix_market(tmp_path, matrix):
    write_coo(tmp_path / "a.mtx", Coo(9, 9, matrix.row, matrix.col, matrix.data))
    assert are_equal(csr_array(scipy.io.mmread(tmp_path / "a.mtx")), matrix.tocsr())


@pytest.mark.parametrize("layout", ["coo", "csr", "csc", "bsr", "dia"])
def test_npz_in_every_layout_of_scipy(tmp_path, matrix, layout):
    from scipy.sparse import save_npz

    save_npz(tmp_path / "a.npz", matrix.asformat(layout))
    assert are_equal(to_scipy(read_coo(tmp_path / "a.npz")), matrix.tocsr())


def test_explicit_zeros_stay(tmp_path):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0\n")
    assert read_coo(tmp_path / "a.mtx").values.tolist() == [0]


def test_edge_lists_as_networkx_reads_them(tmp_path):
    text = "# Directed graph\n# FromNodeId\tToNodeId\n0\t4\n\n2\t0\n4\t4\n"
    (tmp_path / "a.txt").write_text(text)
    theirs = nx.parse_edgelist(text.splitlines(), nodetype=int, create_using=nx.DiGraph)
    ours = read_coo(tmp_path / "a.txt")
    assert set(zip(ours.rows.tolist(), ours.cols.tolist(), strict=True)) == set(theirs.edges)
    assert ours.nrows == 5


@pytest.mark.parametrize(
    ("text", "n", "edges"),
    [
        ("3 4\n0 1\n1 2\n2 0\n0 2\n", 3, 4),
        ("# vertices 5\n3 4\n0 1\n1 2\n2 0\n0 2\n", 5, 5),
        ("3 4\n0 1\n1 2\n2 0\n", 5, 4),
        ("4 4\n0 1\n1 2\n2 0\n0 2\n", 5, 5),
        ("2 1\n0 1\n", 3, 2),
        ("1 0\n", 2, 1),
    ],
)
def test_a_header_of_counts_is_no_edge(tmp_path, text, n, edges):
    (tmp_path / "a.txt").write_text(text)
    coo = read_coo(tmp_path / "a.txt")
    assert (coo.nrows, coo.rows.size) == (n, edges)


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.el"])
@pytest.mark.parametrize("text", ["u,v,w\n0,1,2.5\n1,2,3\n", "0, 1, 2.5\r\n1, 2, 3\r\n", "0;1;2.5\n\n1;2;3"])
def test_separated_values(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    coo = read_coo(tmp_path / name)
    assert (coo.rows.tolist(), coo.cols.tolist(), coo.values.tolist()) == ([0, 1], [1, 2], [2.5, 3.0])


METIS = {
    "3 2\n2\n1 3\n2\n": None,
    "% made by hand\n3 2 001\n2 7\n1 7 3 8\n% here too\n2 8\n": [7, 7, 8, 8],
    "3 2 011\n9 2 7\n9 1 7 3 8\n9 2 8\n": [7, 7, 8, 8],
    "3 2 11 2\n9 9 2 7\n9 9 1 7 3 8\n9 9 2 8\n": [7, 7, 8, 8],
    "3 2 100\n9 2\n9 1 3\n9 2\n": None,
    "3 2 10\n9 2\n9 1 3\n9 2\n\n\n": None,
}


@pytest.mark.parametrize("text", METIS)
def test_metis_with_sizes_and_weights(tmp_path, text):
    (tmp_path / "a.graph").write_text(text)
    coo = read_coo(tmp_path / "a.graph")
    assert (coo.rows.tolist(), coo.cols.tolist()) == ([0, 1, 1, 2], [1, 0, 2, 1])
    assert (coo.values if coo.values is None else coo.values.tolist()) == METIS[text]


def test_the_two_gr_formats_are_told_apart(tmp_path):
    (tmp_path / "a.gr").write_text("c roads\np sp 3 2\na 1 2 5\nc between\na 3 1 -2\n")
    (tmp_path / "b.gr").write_text("c roads\np tw 3 2\n1 2\nc between\n3 1\n")
    directed, both = read_coo(tmp_path / "a.gr"), read_coo(tmp_path / "b.gr")
    assert (directed.rows.tolist(), directed.cols.tolist()) == ([0, 2], [1, 0])
    assert directed.values.tolist() == [5, -2]
    assert (both.rows.tolist(), both.cols.tolist(), both.values) == ([0, 2, 1, 0], [1, 0, 0, 2], None)


def test_the_beginning_tells_where_no_suffix_does(tmp_path):
    (tmp_path / "a").write_text("p tw 2 1\n1 2\n")
    (tmp_path / "b").write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    (tmp_path / "c.dat").write_text("# hello\n0 1\n")
    assert [read_coo(tmp_path / name).rows.size for name in ("a", "b", "c.dat")] == [2, 1, 1]


def test_new_york():
    coo = read_coo(new_york())
    edges = csr_array((np.ones(coo.rows.size, np.int8), (coo.rows, coo.cols)), shape=(coo.nrows, coo.nrows))
    assert (coo.nrows, edges.nnz) == (264_346, 730_100)
    assert (edges != edges.T).nnz == 0
    assert edges.max() == 1
    assert edges.diagonal().sum() == 0


def test_datasets_are_listed():
    assert names() == ("road-NY",)
    with pytest.raises(NotSupported, match="there are 'road-NY'"):
        path("road-LA")


def test_progress_goes_to_standard_error(capsys):
    read_coo(new_york(), progress=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric", "hermitian"])
@pytest.mark.parametrize("dense", [False, True], ids=["coordinate", "array"])
def test_complex_matrix_market_is_read_as_scipy_reads_it(symmetry: str, dense: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng()
    S = scipy.sparse.random_array((5, 5), density=0.5, rng=rng, dtype="f8") * (1 - 2j)
    S = {
        "general": S,
        "symmetric": S + S.T,
        "skew-symmetric": S - S.T,
        "hermitian": S + S.conj().T,
    }[symmetry]
    path = tmp_path / "c.mtx"
    scipy.io.mmwrite(path, S.toarray() if dense else scipy.sparse.coo_array(S), symmetry=symmetry)
    coo = read_coo(path)
    assert coo.values.dtype == "c16"
    got = scipy.sparse.coo_array((coo.values, (coo.rows, coo.cols)), (coo.nrows, coo.ncols)).toarray()
    np.testing.assert_allclose(got, S.toarray(), rtol=1e-6)
    write_coo(tmp_path / "d.mtx", coo)
    np.testing.assert_array_equal(scipy.sparse.coo_array(scipy.io.mmread(tmp_path / "d.mtx")).toarray(), got)


def test_complex_values_are_for_matrices_and_not_for_graphs(tmp_path: Path) -> None:
    coo = Coo(2, 2, np.array([0], "i4"), np.array([1], "i4"), np.array([1 + 2j]))
    write_coo(tmp_path / "c.mtx", coo)
    with pytest.raises(InvalidGraph, match=r"c\.mtx.*a graph needs weights with an order"):
        _ = gl.read(tmp_path / "c.mtx", engine="cpu").csr
    for suffix in (".gr", ".tsv", ".metis"):
        with pytest.raises(NotSupported, match=r"complex|undirected"):
            write_coo(tmp_path / f"c{suffix}", coo)
