"""Batches for PyTorch: tensors of the memory of samples, features in their order, and a model that learns from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.torch import NeighborLoader
from tests.graphla.engine.engines import get_engine_named
from tests.pages import find_blocks

ENGINES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
PAGE = Path(__file__).parents[3] / "docs" / "methods" / "graphsage.md"


def make(engine: str = "cpu", **options: Any) -> tuple[gl.Graph, NeighborLoader]:
    pytest.importorskip("torch")
    G = gl.generate.kronecker(8, engine="cpu").to(get_engine_named(engine))
    x, y = np.arange(2.0 * G.n).reshape(G.n, 2), np.arange(G.n)
    return G, NeighborLoader(G, [4, 3], batch_size=50, x=x, y=y, edge_attr=np.arange(G.nvals), **options)


@pytest.mark.parametrize("engine", ENGINES)
def test_batches_hold_the_samples_and_the_features(engine: str) -> None:
    G, loader = make(engine)
    batches = list(loader)
    assert len(batches) == len(loader) == -(-G.n // 50)
    csr, to_host = G.csr, G.engine.to_host
    tails, indices = np.repeat(np.arange(G.n), np.diff(to_host(csr.indptr))), to_host(csr.indices)
    for number, batch in enumerate(batches):
        nodes = batch.n_id.cpu().numpy()
        seeds = range(50 * number, min(G.n, 50 * number + 50))
        assert nodes[: batch.batch_size].tolist() == list(seeds) == batch.y.tolist() == batch.input_id.tolist()
        row, col = batch.edge_index.cpu().numpy()
        arcs = batch.e_id.cpu().numpy()
        assert (nodes[row] == tails[arcs]).all()
        assert (nodes[col] == indices[arcs]).all()
        assert (batch.x.numpy()[:, 0] == 2 * nodes).all()
        assert (batch.edge_attr.numpy() == arcs).all()
        assert batch.to("cpu").n_id.tolist() == nodes.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_tensors_share_the_memory_of_samples(engine: str) -> None:
    torch = pytest.importorskip("torch")
    sample = gl.sample_neighbors(gl.generate.kronecker(6, engine="cpu").to(get_engine_named(engine)), [1, 2], [3, 3])
    for name in ("row", "col", "node", "edge"):
        array = getattr(sample, name)
        tensor = torch.from_dlpack(array)
        array[0] += 1
        assert int(tensor[0]) == int(array[0])


def test_epochs_differ_and_repeat() -> None:
    _, loader = make(shuffle=True, seed=3)
    first, second = ([batch.n_id.tolist() for batch in loader] for _ in range(2))
    _, again = make(shuffle=True, seed=3)
    assert first == [batch.n_id.tolist() for batch in again] != second
    assert sorted(sum((nodes[:50] for nodes in second[:-1]), second[-1][: loader.G.n % 50])) == list(range(loader.G.n))
    _, short = make(drop_last=True)
    assert {batch.batch_size for batch in short} == {50}


def test_times_and_trees() -> None:
    G, loader = make(vertex_time=np.arange(gl.generate.kronecker(8, engine="cpu").n))
    for batch in loader:
        limits = batch.n_id[batch.batch]
        assert (batch.n_id <= batch.n_id[: batch.batch_size][batch.batch]).all(), limits
    time = np.arange(G.nvals)
    _, loader = make(time=time, seed_time=np.full(G.n, 700))
    assert all(int(batch.e_id.max()) <= 700 for batch in loader if batch.e_id.numel())


def test_relations_give_dicts() -> None:
    torch = pytest.importorskip("torch")
    key = ("author", "writes", "paper")
    writes = gl.Matrix.from_coo([0, 0, 1], [0, 1, 2], 1, nrows=2, ncols=3, engine="cpu")
    x = {"author": torch.ones(2, 4), "paper": torch.arange(3.0)[:, None]}
    loader = NeighborLoader({key: writes}, [2], input_nodes=("paper", [2, 0]), x=x, y={"paper": torch.arange(3)})
    batch = next(iter(loader))
    assert batch.edge_index[key].tolist() == [[0], [0]]
    assert (batch.n_id["author"].tolist(), batch.x["paper"].tolist(), batch.y.tolist()) == ([1], [[2.0]], [2])


def test_bad_input_is_refused() -> None:
    pytest.importorskip("torch")
    G = gl.generate.path(4, engine="cpu")
    for options, message in (
        ({"batch_size": 0}, "batch_size=0"),
        ({"shuffle": "x"}, "shuffle='x'"),
        ({"num_neighbors": [-2]}, "fanouts=-2"),
        ({"seed_time": [1]}, "seed_time: its shape is"),
        ({"time": np.zeros(6)}, "seed_time=None"),
    ):
        with pytest.raises(InvalidOption, match=message):
            NeighborLoader(G, **{"num_neighbors": [2], **options})
    with pytest.raises(InvalidGraph, match="input_nodes=9"):
        NeighborLoader(G, [2], input_nodes=[9])
    with pytest.raises(InvalidOption, match="as G is a dict of graphs"):
        NeighborLoader({("a", "b", "a"): G}, [2], input_nodes=[0])


@pytest.mark.slow
def test_a_model_of_pyg_learns_the_planted_classes() -> None:
    """The page, as it stands."""
    pytest.importorskip("torch_geometric")
    (block,) = find_blocks(PAGE, "{code-block}")
    namespace: dict[str, Any] = {}
    exec(block[1], namespace)
    assert namespace["accuracy"] > 0.8


def test_masks_are_seeds_and_features_have_a_row_each() -> None:
    torch = pytest.importorskip("torch")
    G, mask = gl.generate.path(6, engine="cpu"), np.array([False, True, False, False, True, False])
    for given in (mask, torch.as_tensor(mask)):
        (batch,) = NeighborLoader(G, [1], input_nodes=given, batch_size=6)
        assert batch.n_id[: batch.batch_size].tolist() == [1, 4]
    short: Any = {"x": np.zeros((5, 2)), "y": np.zeros(7), "edge_attr": np.zeros(6)}
    others: list[dict[str, Any]] = [{"x": "abc"}, {"x": 3}, {"x": {"paper": np.zeros(6)}}]
    wrong = [{name: value} for name, value in short.items()] + others
    for options in wrong:
        with pytest.raises(InvalidOption, match=next(iter(options))):
            NeighborLoader(G, [1], **options)
    with pytest.raises(gl.errors.GraphlaError, match="is no Graph"):
        NeighborLoader(object(), [1])  # pyright: ignore[reportArgumentType]
