"""The cuGraph peer against a stand-in that takes and gives what cuGraph's documentation says (26.10)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csgraph

import graphla as gl
from graphla.measuring.peers import list_known
from graphla.measuring.peers.cugraph import convert_weights


class Series:
    """A column on the device: it comes to the host only when asked."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def to_numpy(self) -> Any:
        return self._values.copy()


class DataFrame:
    """Columns of one length."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        assert len({len(values) for values in data.values()}) == 1
        self._columns = {name: Series(values) for name, values in data.items()}

    def __getitem__(self, name: str) -> Series:
        return self._columns[name]


class Graph:
    """`cugraph.Graph`: only vertices with an edge belong to it."""

    def __init__(self, m_graph: Any = None, directed: bool = False) -> None:
        self.directed = directed

    def from_cudf_edgelist(
        self,
        input_df: DataFrame,
        source: str = "source",
        destination: str = "destination",
        edge_attr: str | None = None,
        renumber: bool = True,
    ) -> None:
        assert renumber, "vertices need not be numbered without gaps"
        self.tails, self.heads = input_df[source].to_numpy(), input_df[destination].to_numpy()
        assert self.tails.dtype == self.heads.dtype == np.int32
        self.weights = None if edge_attr is None else input_df[edge_attr].to_numpy()
        assert self.weights is None or self.weights.dtype in (np.float32, np.float64)

    def distances(self, source: int, weights: Any) -> tuple[Any, Any]:
        vertices = np.unique(np.concatenate([self.tails, self.heads]))[::-1]
        if source not in vertices:
            raise ValueError("A provided vertex was not valid")
        n = int(vertices.max()) + 1
        A = coo_array((weights, (self.tails, self.heads)), shape=(n, n)).tocsr()
        return vertices, csgraph.dijkstra(A, indices=source)[vertices]


def bfs(
    G: Graph,
    start: int | None = None,
    depth_limit: int | None = None,
    i_start: int | None = None,
    directed: bool | None = None,
    return_predecessors: bool = True,
) -> DataFrame:
    """Distances as int32, the largest where there is no path."""
    assert G.directed
    assert directed is None, "only for matrices"
    vertices, d = G.distances(int(start or 0), np.ones(len(G.tails)))
    levels = np.where(np.isinf(d), np.iinfo(np.int32).max, d).astype(np.int32)
    return DataFrame({"vertex": vertices, "distance": levels, "predecessor": np.full(len(d), -1, np.int32)})


def sssp(G: Graph, source: int | None = None, method: str | None = None, directed: bool | None = None) -> DataFrame:
    """Distances in the type of the weights, the largest where there is no path."""
    assert G.weights is not None, "unweighted graphs are not supported"
    vertices, d = G.distances(int(source or 0), G.weights.astype(np.float64))
    largest = np.finfo(G.weights.dtype).max
    return DataFrame({"vertex": vertices, "distance": np.where(np.isinf(d), largest, d).astype(G.weights.dtype)})


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, parts in (("cudf", [DataFrame]), ("cugraph", [Graph, bfs, sssp])):
        module = ModuleType(name)
        for part in parts:
            setattr(module, part.__name__, part)
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize("problem", ["bfs", "sssp"])
def test_answers_read_as_ours(problem: str, dtype: str, stand_in: None) -> None:
    rng = np.random.default_rng(3)
    tails, heads = rng.integers(0, 40, (2, 60))
    G = gl.Graph((tails, heads, rng.integers(1, 9, 60).astype(dtype)), n=45, dup="min", engine="cpu")
    source = int(tails[0])
    task = list_known()["cugraph"].tasks[problem](G.csr)
    ours = getattr(gl, problem)(G, source)
    fill = -1 if problem == "bfs" else (np.inf if dtype != "int32" else np.iinfo(np.int32).max)
    expected = ours.to_numpy(fill)
    found = task.answer(task.run(source))
    assert 1 < ours.nvals < G.n
    assert found.dtype == expected.dtype
    assert (found == expected).all()


def test_weights_stay_exact() -> None:
    def find_dtype(values: Any) -> Any:
        return convert_weights(gl.Graph(([0, 1], [1, 2], values), n=70_000, engine="cpu").csr).dtype

    assert find_dtype(np.array([1, 255], np.int32)) == np.float32
    assert find_dtype(np.array([1, 256], np.int32)) == np.float64
    assert find_dtype(np.array([0.5, 3.0], np.float32)) == np.float32
    assert find_dtype(np.array([0.5, 3.0])) == np.float64
