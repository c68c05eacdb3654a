"""Lines that hold something, against Python one line at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphla.common.errors import InvalidGraph
from graphla.graphs.io import read_coo
from graphla.graphs.io.lines import LineNumbers, count_skipped_bytes, sift

PIECES = [b"\n", b"%", b"#", b"1 2", b" ", b"\t", b"\r\n", b"% note", b"  % note", b" 3 4", b"\x0b", b"x" * 80]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)


def holds(line: bytes, comments: bytes) -> bool:
    text = line.lstrip(b" \t\r\v\f\n")
    return bool(text) and text[0] not in comments


@settings(max_examples=400, deadline=None)
@given(data=texts, comments=st.sampled_from([b"", b"%", b"#%"]), indent=st.sampled_from([b"", b" " * 100]))
def test_sifting_is_what_python_does_line_by_line(data: bytes, comments: bytes, indent: bytes) -> None:
    data = indent + data
    lines = data.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    expected = [number for number, line in enumerate(lines, 1) if holds(line, comments)]
    found, numbers = sift(data, comments), LineNumbers(7)
    assert found.text == b"".join(lines[number - 1] for number in expected)
    assert found.rows == len(expected)
    for _ in range(2):  # the second block stands behind the first
        numbers.add(found)
    twice = [*expected, *(len(lines) + number for number in expected)]
    assert [numbers.find(row) for row in range(2 * found.rows)] == [7 + number for number in twice]
    skipped = lines[: expected[0] - 1] if expected else lines
    assert count_skipped_bytes(data, comments) == sum(map(len, skipped))


@pytest.mark.parametrize("note", ["% note\n", "%\n", "\n", "   % note\n", "  \n"])
def test_a_fault_behind_many_comments_is_found(tmp_path, monkeypatch: pytest.MonkeyPatch, note: str) -> None:
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 1 << 14)
    path = tmp_path / "a.mtx"
    head = "%%MatrixMarket matrix coordinate pattern general\n"
    path.write_text(head + note * 40_000 + "3 3 3\n" + note * 9_000 + "1 2\n" + note + "2 3\n" + note * 9_000 + "4 1\n")
    with pytest.raises(InvalidGraph, match=r"a\.mtx, line 58006: 4 is out of range"):
        read_coo(path)


def test_rows_of_a_late_block_are_found(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 64)
    path = tmp_path / "a.wel"
    path.write_text("0 1 2\n# x\n" * 100 + "\n0 1 2.5\n")
    coo = read_coo(path)
    assert (coo.values.dtype, coo.values[0], coo.values[-1]) == (np.float64, 2, 2.5)
    assert [coo.origin.entry(k) for k in (0, 1, 99, 100)] == ["line 1", "line 3", "line 199", "line 202"]
