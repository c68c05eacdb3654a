"""What is written is read back the same, in every format and compression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graphla.common.errors import NotSupported
from graphla.graphs.io import formats, read_coo, write_coo
from graphla.storage import Coo

SUFFIX = {
    "pace": ".gr",
    "dimacs": ".gr",
    "matrix_market": ".mtx",
    "edge_list": ".txt",
    "metis": ".graph",
    "npz": ".npz",
}
COMPRESSIONS = ("", ".gz", ".xz", ".bz2")
UNDIRECTED = ("pace", "metis")
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def matrices(draw, values=("none", "int", "float"), symmetric=False):
    """Square matrices with entries in any order, loops and explicit zeros, no repeats."""
    n = draw(st.integers(1, 12))
    cells = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30))
    kind = draw(st.sampled_from(values))
    if symmetric:
        cells |= {(v, u) for u, v in cells}
    cells = draw(st.permutations(sorted(cells)))
    rows, cols = (np.array([cell[side] for cell in cells], np.int32) for side in (0, 1))
    return Coo(n, n, rows, cols, draw(weights(kind, rows, cols, symmetric)))


def weights(kind, rows, cols, symmetric):
    """Values for entries; in a symmetric matrix those of the smaller pair."""
    if kind == "none":
        return st.none()
    if symmetric:
        return st.just(1 + np.minimum(rows, cols).astype(np.int64) * 31 + np.maximum(rows, cols))
    if kind == "int":
        return arrays(np.int64, rows.size, elements=st.integers(-(2**62), 2**62))
    return arrays(np.float64, rows.size, elements=st.floats(allow_nan=False, width=64))


def list_cells(coo):
    """The entries in the order of rows and columns."""
    order = np.lexsort((coo.cols, coo.rows))
    values = None if coo.values is None else coo.values[order].tolist()
    return coo.nrows, coo.ncols, coo.rows[order].tolist(), coo.cols[order].tolist(), values


def write_and_read(folder, coo, name, compression=""):
    path = folder / f"graph{SUFFIX[name]}{compression}"
    write_coo(path, coo, name)
    assert [file.name for file in folder.iterdir()] == [path.name], "a temporary file was left"
    found = read_coo(path) if coo.rows.size or name != "metis" else read_coo(path, name)
    assert found.rows.dtype == found.cols.dtype == np.int32
    path.unlink()
    return found


def test_every_format_has_a_round_trip():
    assert set(formats()) == set(SUFFIX)


@pytest.mark.parametrize("name", [name for name in SUFFIX if name not in UNDIRECTED])
@quick
@given(coo=matrices())
def test_directed_formats_keep_everything(tmp_path, name, coo):
    found = write_and_read(tmp_path, coo, name)
    if name == "dimacs" and coo.values is None:
        coo = Coo(coo.nrows, coo.ncols, coo.rows, coo.cols, np.ones(coo.rows.size, np.int64))
    if coo.rows.size == 0:
        assert (found.nrows, found.ncols, found.rows.size) == (coo.nrows, coo.ncols, 0)
    else:
        assert list_cells(found) == list_cells(coo)


@quick
@given(coo=matrices(values=("none",), symmetric=True))
def test_pace_keeps_symmetric_patterns(tmp_path, coo):
    assert list_cells(write_and_read(tmp_path, coo, "pace")) == list_cells(coo)


@quick
@given(coo=matrices(values=("none", "int"), symmetric=True))
def test_metis_keeps_symmetric_weights(tmp_path, coo):
    found = write_and_read(tmp_path, coo, "metis")
    assert list_cells(found) == list_cells(coo)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("name", SUFFIX)
def test_compressions(tmp_path, name, compression):
    rows, cols = np.array([0, 1, 1, 2], np.int32), np.array([1, 0, 2, 1], np.int32)
    values = None if name == "pace" else np.array([5, 5, 7, 7])
    coo = Coo(4, 4, rows, cols, values)
    assert list_cells(write_and_read(tmp_path, coo, name, compression)) == list_cells(coo)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_compressed_files_need_no_suffix_for_it(tmp_path, compression):
    coo = Coo(3, 3, np.array([0]), np.array([2]), np.array([1.5]))
    write_coo(tmp_path / f"a.mtx{compression}", coo)
    (tmp_path / f"a.mtx{compression}").rename(tmp_path / "b.mtx")
    assert list_cells(read_coo(tmp_path / "b.mtx")) == list_cells(coo)


def test_truths_are_a_pattern(tmp_path):
    coo = Coo(2, 2, np.array([0]), np.array([1]), np.array([True]))
    write_coo(tmp_path / "a.mtx", coo)
    assert read_coo(tmp_path / "a.mtx").values is None


def test_a_rectangle_is_a_matrix_but_no_graph(tmp_path):
    coo = Coo(2, 3, np.array([0], np.int32), np.array([2], np.int32), np.array([1]))
    for name in ("matrix_market", "npz"):
        assert list_cells(write_and_read(tmp_path, coo, name)) == list_cells(coo)
    for name in ("pace", "dimacs", "edge_list", "metis"):
        with pytest.raises(NotSupported, match=r"2 × 3; write a \.mtx"):
            write_coo(tmp_path / "x", coo, name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", UNDIRECTED)
def test_undirected_formats_refuse_arcs_without_a_reverse(tmp_path, name):
    coo = Coo(2, 2, np.array([0]), np.array([1]), None)
    with pytest.raises(NotSupported, match="not symmetric"):
        write_coo(tmp_path / "x", coo, name)


def test_metis_refuses_two_weights_for_one_edge(tmp_path):
    coo = Coo(2, 2, np.array([0, 1]), np.array([1, 0]), np.array([3, 4]))
    with pytest.raises(NotSupported, match="not symmetric"):
        write_coo(tmp_path / "x.graph", coo)


def test_formats_refuse_weights_that_they_cannot_hold(tmp_path):
    rows, cols = np.array([0, 1]), np.array([1, 0])
    with pytest.raises(NotSupported, match="no weights"):
        write_coo(tmp_path / "x", Coo(2, 2, rows, cols, np.array([3, 3])), "pace")
    with pytest.raises(NotSupported, match="positive whole weights"):
        write_coo(tmp_path / "x", Coo(2, 2, rows, cols, np.array([0.5, 0.5])), "metis")


def test_an_old_file_stays_if_writing_fails(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("precious")
    with pytest.raises(NotSupported):
        write_coo(path, Coo(2, 2, np.array([0]), np.array([1]), None))
    assert path.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 1


def test_undirected_adds_the_reverse_of_each_arc(tmp_path):
    (tmp_path / "a.el").write_text("0 1\n2 2\n")
    assert list_cells(read_coo(tmp_path / "a.el", undirected=True)) == (3, 3, [0, 1, 2], [1, 0, 2], None)
