"""Tables with columns on a device: numbered there as pyarrow numbers those of the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph
from graphla.containers.device_columns import number_ends
from tests.graphla.engine.engines import get_engine_named
from tests.graphla.test_updates import OnDevice

KINDS = [np.int64, np.uint64, np.int32, np.uint8]


def put(**columns: Any) -> dict[str, Any]:
    """A table on a device; the second column stays on the host."""
    return {name: np.asarray(c) if name == "target" else np.asarray(c).view(OnDevice) for name, c in columns.items()}


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
@pytest.mark.parametrize("kind", KINDS)
def test_integers_are_numbered_as_they_occur(kind: Any, engine: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ids = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, int(rng.integers(1, 20)), dtype=kind)
        columns = {name: ids[rng.integers(0, ids.size, int(seed * 3))] for name in ("source", "target")}
        columns["weight"] = rng.random(seed * 3)
        how = {"relabel": True, "dup": "first", "undirected": bool(seed % 2)}
        host = gl.Graph.from_arrow(columns, engine="cpu", **how)
        made = gl.Graph.from_arrow(put(**columns), engine=get_engine_named(engine), **how)
        assert made.to("cpu").A.isequal(host.A, check_dtype=True), seed
        assert made.labels is not None
        np.testing.assert_array_equal(made.labels, host.labels)
        assert made.labels.dtype == kind


@pytest.mark.gpu
def test_on_a_gpu() -> None:
    cupy = pytest.importorskip("cupy")
    rng = np.random.default_rng(5)
    ends = [rng.choice([-(2**62), -5, 0, 7, 2**33, 2**62, *range(900, 2000)], 50_000) for _ in range(2)]
    numbers, labels = number_ends([cupy.asarray(end) for end in ends])
    host = gl.Graph.from_arrow(dict(zip(("source", "target"), ends, strict=True)), relabel=True, dup="first")
    np.testing.assert_array_equal(labels, host.labels)
    for found, end in zip(numbers, ends, strict=True):
        np.testing.assert_array_equal(labels[found.get()], end)


def test_numbers_of_vertices_are_taken_as_they_are() -> None:
    G = gl.Graph(put(source=[2, 0], target=[0, 1], weight=[3, 4]), engine="cpu")
    assert G.A.to_dicts() == {0: {1: 4}, 2: {0: 3}}
    assert G.labels is None
    named = gl.Graph.from_arrow(put(a=[2, 0], target=[0, 1], w=[3, 4]), "a", weight="w", engine="cpu")
    assert named.A.isequal(G.A)


@pytest.mark.parametrize(
    ("columns", "how", "what"),
    [
        ({"source": [0.5], "target": [1.0]}, {}, "columns of float64 on a device, where labels are integers"),
        ({"source": [0], "target": [1.0]}, {}, "columns of float64 and int64: cast one"),
        ({"source": [0, 1], "target": [1]}, {}, "source has 2 rows and target 1"),
        ({"source": [[0]], "target": [1]}, {}, r"source='source': a column has one dimension"),
        ({"source": [0, 2**40], "target": [1, 1]}, {}, "row 1 of that column is 1099511627776.* relabel=True"),
        ({"x": [0], "target": [1]}, {}, "source='source': the table has no such column; it has 'x', 'target'"),
        ({"source": [0], "target": [1]}, {"weight": "km"}, "weight='km': the table has no such column"),
        ({"source": [0, 1], "target": [1, 1], "weight": [1, np.nan]}, {}, "row 1 of that column is NaN, and 1 are"),
        ({"source": [0], "target": [1]}, {"labels": ["a", "b"]}, "labels=.*columns on a device are numbered as they"),
        ({"source": [7, 7], "target": [9, 9]}, {"relabel": True}, "7.* → .*9.* occurs twice, in rows 0 and 1"),
    ],
)
def test_what_cannot_be_read_is_refused(columns: dict[str, Any], how: dict[str, Any], what: str) -> None:
    with pytest.raises(InvalidGraph, match=what):
        gl.Graph.from_arrow(put(**columns), engine="cpu", **how)


def test_updates_ask_for_a_tuple() -> None:
    G = gl.Graph(([0], [1]), engine="cpu")
    with pytest.raises(InvalidGraph, match=r"on a device: give them as a tuple, \(source, target, weight\), or"):
        G.update(insert=put(source=[1], target=[0]))
    with pytest.raises(InvalidGraph, match="none of the names 'source' and 'target'"):
        gl.Graph(put(a=[1], target=[0]))
