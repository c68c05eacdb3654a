"""Saved graphs: what comes back, who else reads the file, and each byte that is wrong or missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather

import graphla as gl
from graphla import Graph
from graphla.common.errors import CannotWrite, GraphlaError, InvalidGraph, NotSupported
from graphla.graphs.reading import frame, saved
from graphla.storage import CompressedMatrix
from semirings.dtypes import REAL, lookup
from tests.graphla.engine.engines import get_engine_named

ENGINES = [pytest.param("cpu"), pytest.param("emulated", marks=pytest.mark.emulated)]
LABELS = {
    "none": None,
    "texts": ["Ulm", "Bonn", "Kiel", "Rom", "", "Ö"],
    "some": ["Ulm", None, "Kiel", None, "Rom", "x"],
    "integers": [5, -7, 10**12, 0, 1, 2],
    "dates": np.arange("2026-01-01", "2026-01-07", dtype="M8[D]"),
}


def make(rng: Any, dtype: str = "FP64", labels: Any = None, engine: Any = "cpu") -> Graph:
    """Some arcs between six vertices."""
    cells = rng.permutation(36)[: rng.integers(0, 20)]
    values = rng.integers(0, 2 if dtype == "BOOL" else 100, cells.size).astype(lookup(dtype).numpy)
    return Graph((cells // 6, cells % 6, values), n=6, labels=labels, engine=engine)


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("mmap", [True, False])
def test_labels_come_back(tmp_path: Path, labels: Any, mmap: bool) -> None:
    G = make(np.random.default_rng(1), labels=labels)
    gl.save(G, tmp_path / "g")
    found = gl.load(tmp_path / "g", engine="cpu", mmap=mmap)
    assert found.A.isequal(G.A, check_dtype=True)
    assert (found.labels is None) == (labels is None)
    if labels is not None:
        assert found.labels.tolist() == G.labels.tolist()
        assert found.labels.dtype.kind == G.labels.dtype.kind


@pytest.mark.parametrize("dtype", [dtype.name for dtype in REAL])
def test_weights_of_every_dtype(tmp_path: Path, dtype: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        G = make(rng, dtype)
        gl.save(G, tmp_path / "g")
        assert gl.load(tmp_path / "g", engine="cpu").A.isequal(G.A, check_dtype=True)


@pytest.mark.parametrize("engine", ENGINES)
def test_graphs_of_any_engine(tmp_path: Path, engine: str) -> None:
    home = get_engine_named(engine)
    G = Graph(([0, 1], [1, 2], [1, 2]), labels=["a", "b", "c"], engine=home)
    gl.save(G, tmp_path / "g")
    found = gl.load(tmp_path / "g", engine=home)
    assert found.engine is home
    assert gl.sssp(found, "a").to_dict() == {0: 0, 1: 1, 2: 3}


@pytest.mark.parametrize("n", [0, 1, 5])
def test_graphs_without_arcs(tmp_path: Path, n: int) -> None:
    gl.save(Graph((np.zeros(0, int), np.zeros(0, int)), n=n, engine="cpu"), tmp_path / "g")
    found = gl.load(tmp_path / "g", engine="cpu")
    assert (found.n, found.nvals) == (n, 0)


def test_facts_come_back_and_are_not_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = Graph(([0, 1, 1, 2], [1, 0, 2, 1], [3, 3, 4, 4]), name="path", engine="cpu")
    one = Graph(([0, 1], [1, 2], [3, 4]), engine="cpu")
    for k, G in enumerate((both, one)):
        _ = G.symmetric, G.max_weight, G.min_weight, G.csc
        gl.save(G, tmp_path / str(k))
    monkeypatch.setattr("graphla.engine.cpu.engine.CpuEngine.transpose", None)
    found, other = (gl.load(tmp_path / str(k), engine="cpu") for k in range(2))
    assert (found.symmetric, found.csc is found.csr, found.max_weight, found.name) == (True, True, 4, "path")
    assert (other.symmetric, other.name) == (False, str(tmp_path / "1"))
    assert other.csr.cached("transposed", None).indices.tolist() == [0, 1]


def test_arrays_are_those_of_the_file(tmp_path: Path) -> None:
    G = gl.generate.cycle(1000, engine="cpu")
    gl.save(G, tmp_path / "g")
    before = (tmp_path / "g").read_bytes()
    found = gl.load(tmp_path / "g", engine="cpu")
    assert not found.csr.indices.flags.owndata
    found.csr.indices[0] = 7  # a page of its own, and not of the file
    gl.save(G, tmp_path / "g")
    assert found.csr.indices[1:3].tolist() == G.csr.indices[1:3].tolist()
    assert (tmp_path / "g").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["g"]


def test_others_read_the_file(tmp_path: Path) -> None:
    gl.save(Graph(([0, 1], [1, 2], [1.5, 2.5]), labels=["a", "b", "c"], engine="cpu"), tmp_path / "g.feather")
    found = feather.read_table(tmp_path / "g.feather").to_pydict()
    assert found["indptr"] == [[0, 1, 2, 2]]
    assert (found["indices"], found["values"], found["labels"]) == ([[1, 2]], [[1.5, 2.5]], [["a", "b", "c"]])


def test_each_wrong_or_missing_byte_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "PIECE", 256)
    G = Graph(([0, 1], [1, 2], [1.5, 2.5]), labels=["a", "b", "c"], engine="cpu")
    _ = G.csc
    gl.save(G, tmp_path / "g")
    whole, bad = (tmp_path / "g").read_bytes(), tmp_path / "bad"
    rng = np.random.default_rng(5)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= int(rng.integers(1, 256))
        for content in (bytes(changed), whole[:place], whole[:place] + whole[place + 1 :]):
            bad.write_bytes(content)
            with pytest.raises((InvalidGraph, NotSupported), match="bad: "):
                gl.load(bad, engine="cpu")
    bad.write_bytes(whole + b"\0")
    with pytest.raises(InvalidGraph, match="it is cut short"):
        gl.load(bad, engine="cpu")
    assert gl.load(tmp_path / "g", engine="cpu").A.isequal(G.A)


def test_pieces_of_many_bytes_are_summed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "PIECE", 4096)
    G = gl.generate.kronecker(10, engine="cpu")
    gl.save(G, tmp_path / "g")
    content = bytearray((tmp_path / "g").read_bytes())
    assert len(content) > 20 * 4096
    assert gl.load(tmp_path / "g", engine="cpu").A.isequal(G.A)
    content[50_000] ^= 1
    (tmp_path / "g").write_bytes(content)
    with pytest.raises(InvalidGraph, match=r"damaged: a byte from 49,152 to 53,248 is not the one that was written"):
        gl.load(tmp_path / "g", engine="cpu")
    assert gl.load(tmp_path / "g", engine="cpu", check=False).n == G.n


def test_indices_that_lead_astray_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    G = Graph(([0, 1], [1, 2]), engine="cpu")
    for indptr, indices, message in (
        ([0, 1, 2, 2], [1, 3], r"indices\[1\] = 3 is out of range"),
        ([0, 5, 2, 2], [1, 2], r"indptr falls"),
        ([0, 1, 2], [1, 2], r"indptr has shape"),
    ):
        wrong = CompressedMatrix(3, 3, np.array(indptr), np.array(indices, "int32"), np.ones(2, bool))
        monkeypatch.setattr(Graph, "csr", property(lambda _, held=wrong: held))
        gl.save(G, tmp_path / "g")
        with pytest.raises(InvalidGraph, match=message):
            gl.load(tmp_path / "g", engine="cpu")


def test_a_later_version_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(frame, "VERSION", 9)
        gl.save(Graph(([0], [1]), engine="cpu"), tmp_path / "g")
    with pytest.raises(NotSupported, match="it is of version 9, and this graphla reads 1"):
        gl.load(tmp_path / "g", engine="cpu")


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    with pytest.raises(InvalidGraph, match="x: it cannot be read"):
        gl.load(file)
    for content, message in ((b"", "the file is empty"), (b"0 1\n", "no file of gl.save"), (b"ARROW1", "cut short")):
        file.write_bytes(content)
        with pytest.raises(InvalidGraph, match=message):
            gl.load(file)
    feather.write_feather(pa.table({"a": [1]}), file)
    with pytest.raises(InvalidGraph, match="it has no sums"):
        gl.load(file)
    with pytest.raises(InvalidGraph, match="y: it cannot be read"):
        gl.load(tmp_path / "x" / "y")


def test_a_table_with_sums_that_is_no_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.dumps({"n": 1, "dtype": "INT8", "name": None, "facts": {}}).encode()
    for metadata, message in (({}, "not one of gl.save"), ({saved.KEY: told}, "does not hold the arrays")):
        batch = pa.record_batch({"a": [1]}).replace_schema_metadata(metadata)
        monkeypatch.setattr(saved, "make_row", lambda _, batch=batch: batch)
        gl.save(Graph(([0], [1]), engine="cpu"), tmp_path / "g")
        with pytest.raises(InvalidGraph, match=message):
            gl.load(tmp_path / "g")


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    G: Any = Graph(([0], [1]), labels=[(0, 1), (1, "x")], engine="cpu")
    (tmp_path / "g").write_bytes(b"before")
    with pytest.raises(InvalidGraph, match="Arrow has no column for labels"):
        gl.save(G, tmp_path / "g")
    assert (tmp_path / "g").read_bytes() == b"before"
    with pytest.raises(CannotWrite, match="No such file"):
        gl.save(Graph(([0], [1]), engine="cpu"), tmp_path / "no" / "g")
    with pytest.raises(GraphlaError, match="is no Graph"):
        gl.save(G.A, tmp_path / "g")
