"""Whatever a file holds, reading ends in a graph or in an error of ours."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphla.common.errors import GraphlaError
from graphla.graphs.io import read_coo, write_coo
from graphla.storage import Coo

NAMES = {
    "pace": "a.gr",
    "dimacs": "a.gr",
    "matrix_market": "a.mtx",
    "edge_list": "a.csv",
    "metis": "a.graph",
    "npz": "a.npz",
}
WORDS = [
    "0",
    "-1",
    "nan",
    "inf",
    "1e400",
    "9" * 30,
    "",
    "\n",
    "\r",
    "\x00",
    "\xff",
    ",",
    "%",
    "c",
    "a",
    "p tw",
    "1_0",
    "٣",
    "\x1c",
    "\x85",
]
fuzz = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(
    scope="module", params=[(name, ending) for name in NAMES for ending in ("", ".gz", ".xz", ".bz2")], ids="".join
)
def good(request, tmp_path_factory):
    """A format, its path, and the bytes of a small file of it."""
    name, ending = request.param
    path = tmp_path_factory.mktemp("fuzz") / (NAMES[name] + ending)
    rows, cols = np.array([0, 1, 1, 2, 3, 3]), np.array([1, 0, 2, 1, 3, 3])[[0, 1, 2, 3, 4, 4]]
    values = None if name == "pace" else np.array([5, 5, 7, 7, 1, 1])
    write_coo(path, Coo(5, 5, rows[:5], cols[:5], None if values is None else values[:5]), name)
    return name, path, path.read_bytes()


def check_survival(name, path, data):
    path.write_bytes(data)
    for format in (name, None):
        with suppress(GraphlaError):
            coo = read_coo(path, format)
            assert coo.rows.size == coo.cols.size
            assert coo.rows.size == 0 or (coo.rows.min() >= 0 and coo.rows.max() < coo.nrows)
            assert coo.values is None or not np.isnan(coo.values).any()


def test_cut_anywhere(good):
    name, path, data = good
    for end in range(len(data)):
        check_survival(name, path, data[:end])


@fuzz
@given(places=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=4))
def test_bytes_changed(good, places):
    name, path, data = good
    changed = bytearray(data)
    for place, byte in places:
        changed[place % len(changed)] = byte
    check_survival(name, path, bytes(changed))


@fuzz
@given(place=st.integers(0, 400), junk=st.sampled_from(WORDS) | st.text(max_size=5), count=st.integers(0, 6))
def test_words_inserted(good, place, junk, count):
    name, path, data = good
    place %= len(data)
    check_survival(name, path, data[:place] + junk.encode() + data[place + count :])


@fuzz
@given(data=st.binary(max_size=200))
def test_any_bytes(good, data):
    name, path, _ = good
    check_survival(name, path, data)
