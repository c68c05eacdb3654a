"""Calls that read and write files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import graphla as gl
from graphla.graphs import io
from tests.fuzz.calls.call import Call, make_operands, plain

FOLDER = Path(tempfile.mkdtemp(prefix="graphla-arguments-"))
FILE = FOLDER / "g.mtx"
NAMED = FOLDER / "named.csv"
NAMED.write_text("x,y,z\na,b,1\nb,a,2\n")
FILE.write_text("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 3\n")


def list_files() -> Iterator[Call]:
    coo = io.Coo(2, 2, np.array([0], "int32"), np.array([1], "int32"), np.array([5]))
    yield plain("read", gl.read, file=FILE, format=None, undirected=False, dup="error", progress=False, engine="cpu")
    columns = {"source": "x", "target": "y", "weight": "z", "format": "csv", "undirected": False, "dup": "min"}
    yield plain("read columns", gl.read, file=NAMED, **columns, progress=False, engine="cpu")
    yield plain("io.read_coo", io.read_coo, file=FILE, format=None, undirected=False, progress=False)
    yield plain("write", gl.write, file=FOLDER / "w.mtx", G=make_operands()["G"], format=None, labels=True)
    saved = FOLDER / "g.graphla"
    gl.save(make_operands()["G"], saved)
    yield plain("save", gl.save, G=make_operands()["G"], path=FOLDER / "s.graphla")
    yield plain("load", gl.load, path=saved, engine="cpu", mmap=True, check=True)
    yield plain("io.write_coo", io.write_coo, file=FOLDER / "w.mtx", coo=coo, format="matrix_market")
    yield plain("io.join_repeats", io.join_repeats, coo=coo, dup="min")
    yield plain("io.relabel", io.relabel, coo=coo)
    yield plain("io.refuse_gaps", io.refuse_gaps, coo=coo)
    yield plain("datasets.path", gl.datasets.path, name="road-NY")
