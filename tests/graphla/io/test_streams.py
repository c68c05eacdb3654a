"""Pipes and streams, in and out; what is behind compression is looked at before it is held."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import threading
import time

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs.io import formats, read_coo, write_coo
from graphla.storage import Coo

SQUARE = Coo(3, 3, np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1]), np.array([1, 1, 1, 1]))
COMPRESS = {"": bytes, "gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


def write(name: str) -> bytes:
    stream = io.BytesIO()
    write_coo(stream, SQUARE, name)
    return stream.getvalue()


def pipe(data: bytes) -> int:
    """The end of a pipe through which these bytes come, a few at a time."""
    out, end = os.pipe()

    def send() -> None:
        with os.fdopen(end, "wb", buffering=0) as sink:
            for start in range(0, len(data), 7):
                sink.write(data[start : start + 7])

    threading.Thread(target=send, daemon=True).start()
    return out


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("name", formats())
def test_every_format_comes_through_a_pipe(name: str, compression: str) -> None:
    end = pipe(COMPRESS[compression](write(name)))
    with os.fdopen(end, "rb", buffering=0) as raw:
        assert (
            read_coo(raw, name).rows.tolist() == [0, 1, 1, 2] if name != "pace" else read_coo(raw, name).rows.size == 4
        )
    end = pipe(COMPRESS[compression](write(name)))
    try:
        assert read_coo(f"/dev/fd/{end}", name).nrows == 3
    finally:
        os.close(end)


def test_the_beginning_of_a_stream_tells_its_format() -> None:
    assert gl.read(io.BytesIO(write("matrix_market")), engine="cpu").nvals == 4
    with pytest.raises(InvalidGraph, match="is a stream of text: give a binary one"):
        write_coo(io.StringIO(), SQUARE, "matrix_market")
    with pytest.raises(NotSupported, match="the stream: unknown suffix"):
        write_coo(io.BytesIO(), SQUARE)


def test_a_stream_of_text_is_read_like_its_bytes() -> None:
    text = write("matrix_market").decode().replace("%%MatrixMarket", "%%MatrixMarket", 1).replace("\n", "\n% é\n", 1)
    of_text, of_bytes = read_coo(io.StringIO(text)), read_coo(io.BytesIO(text.encode()))
    assert of_text.rows.tolist() == of_bytes.rows.tolist() == [0, 1, 1, 2]
    long = "%%MatrixMarket matrix coordinate integer general\n" + "% é\n" * 300_000 + "1 1 1\n1 1 7\n"
    assert read_coo(io.StringIO(long)).values.tolist() == [7]


def test_errors_in_a_stream_name_it(tmp_path) -> None:
    path = tmp_path / "bad.mtx"
    path.write_bytes(write("matrix_market").replace(b"2 3", b"2 9"))
    with path.open("rb") as stream, pytest.raises(InvalidGraph, match=r"bad\.mtx, line 5: 9 is out of range"):
        read_coo(stream)


@pytest.mark.parametrize("compression", ["gz", "xz", "bz2"])
@pytest.mark.parametrize(
    ("byte", "said"), [(b"\0", "line 2: a zero byte stands here"), (b"x", "line 2: a line of more")]
)
def test_a_bomb_is_refused_at_its_beginning(tmp_path, compression: str, byte: bytes, said: str) -> None:
    path = tmp_path / f"bomb.el.{compression}"
    path.write_bytes(COMPRESS[compression](b"0 1\n" + byte * (1 << 24)))
    began = time.process_time()
    with pytest.raises(InvalidGraph, match=said):
        read_coo(path)
    assert time.process_time() - began < 1


def test_a_promise_that_is_broken_ends_the_reading(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.graphs.io.source.BLOCK", 100)
    (tmp_path / "a.gr").write_text("p tw 9 2\n" + "1 2\n" * 1000 + "what comes here is not looked at\n")
    with pytest.raises(InvalidGraph, match="line 1: the header promises 2 edges, and the file has more"):
        read_coo(tmp_path / "a.gr")


def test_a_mark_of_utf_8_is_passed_over(tmp_path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbffrom,to\r\n0,1\r\n")
    assert read_coo(tmp_path / "a.csv").rows.size == 1


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
def test_a_line_of_headings_is_no_edge(tmp_path, name: str) -> None:
    between = {"a.csv": ",", "a.tsv": "\t", "a.txt": " "}[name]
    rows = [["from", "to", "weight"], ["0", "1", "2.5"], ["1", "2", "3"]]
    (tmp_path / name).write_text("# made by hand\n" + "\n".join(map(between.join, rows)) + "\n")
    coo = read_coo(tmp_path / name)
    assert (coo.rows.tolist(), coo.values.tolist()) == ([0, 1], [2.5, 3.0])
    (tmp_path / name).write_text(between.join(["0", "1", "nan"]) + "\n")
    with pytest.raises(InvalidGraph, match="line 1: the value is NaN"):
        read_coo(tmp_path / name)
