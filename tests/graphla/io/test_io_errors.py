"""Bad files are refused with their name, the line, and what is wrong with it."""

from __future__ import annotations

import lzma
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import CannotWrite, InvalidGraph, NotSupported
from graphla.graphs.datasets import new_york
from graphla.graphs.io import read_coo, write_coo
from graphla.storage import Coo

MTX = "%%MatrixMarket matrix coordinate real general\n"
BAD = {
    "pace vertex 0": ("a.gr", "p tw 3 2\n1 2\n0 3\n", "line 3: 0 is out of range: 1 to 3; vertices count from 1"),
    "pace vertex large": ("a.gr", "c\np tw 3 2\nc\n1 4\n2 3\n", "line 4: 4 is out of range: 1 to 3"),
    "pace negative": ("a.gr", "p tw 3 1\n1 -2\n", "line 2: -2 is out of range"),
    "pace three numbers": ("a.gr", "p tw 3 1\n1 2 5\n", "line 2: expected 2 numbers, got 3: '1 2 5'"),
    "pace word": ("a.gr", "p tw 3 1\n1 x\n", "line 2: 'x' is not a whole number"),
    "pace fraction": ("a.gr", "p tw 3 1\n1 2.0\n", "line 2: '2.0' is not a whole number"),
    "pace fewer": ("a.gr", "c hi\np tw 3 2\n1 2\n", "line 2: the header promises 2 edges, and the file has 1"),
    "pace more": ("a.gr", "p tw 3 1\n1 2\n2 3\n", "line 1: the header promises 1 edges, and the file has 2"),
    "pace header": ("a.gr", "p tw 3\n1 2\n", "line 1: expected 'p tw VERTICES EDGES', got 'p tw 3'"),
    "pace header word": ("a.gr", "p tw 3 many\n1 2\n", "line 1: header: 'many' is not a whole number"),
    "pace header negative": ("a.gr", "p tw -3 1\n1 2\n", "line 1: header: -3 is out of range"),
    "pace too many": ("a.gr", "p tw 3000000000 1\n1 2\n", "line 1: 3,000,000,000 vertices are more than"),
    "gr of another kind": ("a.gr", "p edge 3 1\ne 1 2\n", "line 1: it does not begin like"),
    "dimacs letter": ("a.gr", "p sp 3 1\ne 1 2 3\n", "line 2: expected a line that begins with 'a', got 'e 1 2 3'"),
    "dimacs no letter": ("a.gr", "p sp 3 2\na 1 2 3\n1 2 3\n", "line 3: expected a line that begins with 'a'"),
    "dimacs no weight": ("a.gr", "p sp 3 1\na 1 2\n", "line 2: expected 3 numbers, got 2"),
    "dimacs NaN": ("a.gr", "p sp 3 2\na 1 2 1\na 2 3 nan\n", "line 3: the value is NaN"),
    "dimacs fewer": ("a.gr", "p sp 3 2\na 1 2 1\n", "line 1: the header promises 2 arcs, and the file has 1"),
    "mtx banner": ("a.mtx", "%%MatrixMarket tensor\n", "line 1: expected '%%MatrixMarket matrix"),
    "mtx complex": ("a.mtx", MTX.replace("real", "complex") + "2 2 1\n1 2 3\n", "line 3: expected 4 numbers, got 3"),
    "mtx complex NaN": ("a.mtx", MTX.replace("real", "complex") + "2 2 1\n1 2 3 nan\n", "line 3: the value is NaN"),
    "mtx hermitian": ("a.mtx", MTX.replace("general", "hermitian"), "line 1: a hermitian matrix is complex"),
    "mtx hermitian diagonal": (
        "a.mtx",
        MTX.replace("real general", "complex hermitian") + "2 2 1\n1 1 3 4\n",
        "a hermitian matrix has real numbers on the diagonal",
    ),
    "mtx layout": ("a.mtx", MTX.replace("coordinate", "sparse"), "line 1: 'sparse' is not one of coordinate, array"),
    "mtx sizes": ("a.mtx", MTX + "% c\n3 3\n", "line 3: expected 3 sizes, got '3 3'"),
    "mtx no sizes": ("a.mtx", MTX, "line 1: expected 3 sizes"),
    "mtx index": ("a.mtx", MTX + "2 3 1\n3 1 5\n", "line 3: 3 is out of range: 1 to 2"),
    "mtx column": ("a.mtx", MTX + "3 2 1\n3 3 5\n", "line 3: 3 is out of range: 1 to 2"),
    "mtx truncated": ("a.mtx", MTX + "3 3 2\n1 2 3\n", "line 2: the header promises 2 entries, and the file has 1"),
    "mtx cut in a line": ("a.mtx", MTX + "3 3 2\n1 2 3\n1 2", "line 4: expected 3 numbers, got 2: '1 2'"),
    "mtx NaN": ("a.mtx", MTX + "3 3 1\n1 2 NaN\n", "line 3: the value is NaN"),
    "mtx not a number": ("a.mtx", MTX + "3 3 1\n1 2 1x\n", "line 3: '1x' is not a number"),
    "mtx integer": (
        "a.mtx",
        MTX.replace("real", "integer") + "3 3 1\n1 2 1.5\n",
        "line 3: '1.5' is not a whole number",
    ),
    "mtx huge integer": (
        "a.mtx",
        MTX.replace("real", "integer") + "3 3 1\n1 2 99999999999999999999\n",
        "line 3: 99999999999999999999 is out of range",
    ),
    "mtx not square": ("a.mtx", MTX.replace("general", "symmetric") + "2 3 0\n", "a symmetric matrix is square"),
    "mtx skew": (
        "a.mtx",
        MTX.replace("real general", "pattern skew-symmetric") + "2 2 1\n2 1\n",
        "a skew-symmetric matrix has values",
    ),
    "mtx array": (
        "a.mtx",
        MTX.replace("coordinate", "array") + "2 2\n1\n2\n3\n",
        "promises 4 values, and the file has 3",
    ),
    "list negative": ("a.txt", "# c\n0 1\n\n-1 2\n", "line 4: -1 is out of range"),
    "list columns": ("a.el", "0 1 2 3\n", "line 1: expected 2 or 3 columns, got 4"),
    "list one column": ("a.el", "# c\n0\n", "line 2: expected 2 or 3 columns, got 1"),
    "list changes": ("a.el", "0 1\n1 2 3\n", "line 2: expected 2 numbers, got 3"),
    "list NaN": ("a.wel", "0 1 0.5\n1 2 nan\n", "line 2: the value is NaN"),
    "list too large": ("a.el", "0 4294967296\n", "line 1: 4294967296 is out of range"),
    "list csv": ("a.csv", "u,v\n0,1\n1,\n", "line 3: '' is not a whole number"),
    "list of names": (
        "a.csv",
        "from,to\n1,2\nUlm,Kiel\n",
        "line 3: 'Ulm' is not a whole number; gl.read(…, source=…, target=…)",
    ),
    "names change": ("a.tsv", "Ann\tBob\nBob\tCid\t3\n", "line 2: expected 2 columns, as on the first line, got 3"),
    "names weight": ("a.tsv", "# x\nAnn\tBob\t1\nBob\tCid\tx\n", "line 3: 'x' is not a number"),
    "names empty": ("a.tsv", "Ann\tBob\nCid\tDee\n\tCid\n", "line 3: a name is empty"),
    "names no text": ("a.tsv", b"Ann\tBob\nCid\tB\xff\n", "line 2: a name is no text in UTF-8"),
    "list is mtx": (
        "a.txt",
        MTX + "2 2 1\n1 2 3\n",
        "line 1: this is a Matrix Market file: give format='matrix_market'",
    ),
    "metis header": ("a.graph", "3\n", "line 1: expected 'VERTICES EDGES [FMT [NCON]]', got '3'"),
    "metis fmt": ("a.graph", "3 2 7\n", "line 1: FMT is three digits of 0 and 1, got '007'"),
    "metis vertex": ("a.graph", "3 2\n2\n1 4\n2\n", "line 3: 4 is out of range: 1 to 3"),
    "metis zero": ("a.graph", "3 2\n2\n1 0\n2\n", "line 3: 0 is out of range: 1 to 3; vertices count from 1"),
    "metis word": ("a.graph", "3 2\n2\n1 3\ntwo\n", "line 4: 'two' is not a whole number"),
    "metis pairs": ("a.graph", "3 2 1\n2 1\n1 1 3\n2 1\n", "line 3: expected 0 numbers and then pairs"),
    "metis sizes": ("a.graph", "3 2 100\n1 2\n\n1 2\n", "line 3: expected 1 numbers and then neighbours"),
    "metis truncated": ("a.graph", "% c\n3 2\n2\n1 3\n", "promises 3 vertices, and the file ends after 2"),
    "metis more": ("a.graph", "2 1\n2\n1\n1\n", "line 4: the header promises 2 vertices; this is one more"),
    "metis edges": ("a.graph", "3 5\n2\n1 3\n2\n", "line 1: the header promises 5 edges, and the file has 2"),
    "metis one side": ("a.graph", "3 1\n2\n3\n\n", "an edge stands on the line of one of its ends only"),
    "not text": ("a.gr", b"p tw 3 1\n\xff\xfe \x01\x81\n", "line 2: '\xff\xfe' is not a whole number"),
    "zero byte": ("a.gr", b"p tw 3 2\n1 2\n1 \x00\n", "line 3: a zero byte stands here, so this is no text"),
    "utf-16": ("a.el", "0 1\n".encode("utf-16"), "line 1: a zero byte stands here"),
    "long line": ("a.el", b"0 1\n# " + b"x" * 6_000_000, "line 2: a line of more than 1,048,576 bytes stands here"),
    "empty": ("a.gr", "", "the file is empty"),
    "blank": ("a.mtx", " \n\n", "the file is empty"),
    "npz": (
        "a.npz",
        b"PK\x03\x04 no zip",
        "no archive of arrays: File is not a zip file; scipy.sparse.save_npz",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file(tmp_path, case):
    name, content, message = BAD[case]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidGraph) as caught:
        read_coo(tmp_path / name)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_the_line_is_right_far_into_a_long_file(tmp_path, monkeypatch):
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 1000)
    lines = [f"{k % 900} {k % 70}" for k in range(50_000)]
    lines[43_210] = "12 thirteen"
    (tmp_path / "a.el").write_text("# one\n" + "\n".join(lines))
    with pytest.raises(InvalidGraph, match="line 43212: 'thirteen' is not a whole number"):
        read_coo(tmp_path / "a.el")


def test_blocks_make_no_difference(tmp_path, monkeypatch):
    whole = read_coo(new_york())
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 10_007)
    pieces = read_coo(new_york())
    assert np.array_equal(whole.rows, pieces.rows)
    assert np.array_equal(whole.cols, pieces.cols)


def test_weights_with_fractions_in_a_late_block(tmp_path, monkeypatch):
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 64)
    (tmp_path / "a.wel").write_text("0 1 2\n" * 100 + "0 1 2.5\n")
    values: Any = read_coo(tmp_path / "a.wel").values
    assert (values.dtype, values[0], values[-1]) == (np.float64, 2, 2.5)


def test_a_compressed_file_cut_short(tmp_path):
    for name, data in (("a.gr.xz", new_york().read_bytes()), ("a.gr.bz2", None), ("a.gr.gz", None)):
        path = tmp_path / name
        if data is None:
            rows, cols = np.arange(500), np.arange(1, 501)
            write_coo(path, Coo(501, 501, np.r_[rows, cols], np.r_[cols, rows], None), "pace")
            data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        with pytest.raises(InvalidGraph, match=r"damaged or cut short after line \d"):
            read_coo(path)


def test_a_damaged_compressed_file(tmp_path):
    data = bytearray(lzma.compress(b"p tw 2 1\n1 2\n"))
    data[30] ^= 0xFF
    (tmp_path / "a.gr.xz").write_bytes(data)
    with pytest.raises(InvalidGraph, match="damaged"):
        read_coo(tmp_path / "a.gr.xz")


def test_missing_files_folders_and_formats(tmp_path):
    with pytest.raises(InvalidGraph, match="there is no such file"):
        read_coo(tmp_path / "nowhere.gr")
    with pytest.raises(InvalidGraph, match="this is a folder; name a file in it"):
        read_coo(tmp_path)
    with pytest.raises(CannotWrite, match="cannot be written: No such file or directory"):
        write_coo(tmp_path / "nowhere" / "a.mtx", Coo(1, 1, np.empty(0), np.empty(0), None))
    with pytest.raises(CannotWrite, match="cannot be written: Is a directory"):
        write_coo(tmp_path, Coo(1, 1, np.empty(0), np.empty(0), None), "npz")
    with pytest.raises(NotSupported, match=r"format='pajek': there are dimacs \(\.gr\), edge_list"):
        read_coo(tmp_path / "a.net", "pajek")
    (tmp_path / "a.net").write_text("*Vertices 3")
    with pytest.raises(NotSupported, match=r"unknown format; name one with format= \(graphla convert --from\): dimacs"):
        read_coo(tmp_path / "a.net")
    with pytest.raises(NotSupported, match="unknown suffix"):
        write_coo(tmp_path / "b.net", Coo(1, 1, np.empty(0), np.empty(0), None))
    with pytest.raises(NotSupported, match=r"name one with format= \(graphla convert --to\): dimacs, pace"):
        write_coo(tmp_path / "b.gr", Coo(1, 1, np.empty(0), np.empty(0), None))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    (tmp_path / "a.gr").write_text("p tw 1 0\n")
    (tmp_path / "a.gr").chmod(0)
    with pytest.raises(InvalidGraph, match="cannot be read: Permission denied"):
        read_coo(tmp_path / "a.gr")


def test_npz_that_is_no_graph(tmp_path):
    np.savez(tmp_path / "a.npz", numbers=np.arange(3))
    with pytest.raises(InvalidGraph, match=r"^[^ ]*a\.npz: it holds 'numbers' and no sparse matrix; .*save_npz"):
        read_coo(tmp_path / "a.npz")
    from scipy.sparse import coo_array, save_npz

    for values, message in ((np.array([1j]), "real numbers"), (np.array([np.nan]), "NaN")):
        save_npz(tmp_path / "a.npz", coo_array((values, ([0], [0])), shape=(2, 2)))
        with pytest.raises(InvalidGraph, match=message):
            read_coo(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("name", "way"),
    [("kron:3", "gl.generate.from_spec('kron:3') makes this"), ("ny", "gl.read(gl.datasets.new_york())")],
)
def test_what_the_command_line_takes_for_a_graph_is_no_file(name: str, way: str) -> None:
    with pytest.raises(InvalidGraph, match=re.escape(way)):
        gl.read(name)
    assert eval(way.partition(" makes")[0], {"gl": gl}).n > 0


def test_a_file_may_be_named_like_a_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kron:3").write_text("0 1\n")
    assert gl.read("kron:3", format="edge_list").n == 2


def test_a_list_of_arcs_is_refused_with_the_way_out() -> None:
    arcs = [(0, 1), (1, 2)]
    with pytest.raises(InvalidGraph, match=re.escape("gl.Graph(tuple(zip(*arcs))) takes (tails, heads)")):
        gl.Graph(arcs)  # type: ignore[arg-type]
    assert gl.Graph(tuple(zip(*arcs, strict=True))).n == 3
