"""Louvain and Leiden on all cores find the communities of the algebra."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.leiden import _inside, _parts_cpu, _split_cpu
from graphla.algorithms.shared.communities import cores
from graphla.algorithms.shared.communities.level import make_level, round_values
from graphla.engine import get_engine
from tests.graphla.algorithms.louvain.test_communities import PROBLEMS, make_hub, make_planted


@pytest.mark.parametrize("seed", [3, 17])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_cores_answer_as_the_algebra_does(problem: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of threads; of directed graphs, hubs and many equal gains, too."""
    cpu = get_engine("cpu")
    graphs = (
        make_hub(300),
        make_planted(seed, 400, directed=True, weights=lambda pairs: pairs % 9 + 0.1),
        gl.generate.grid2d(30, engine="cpu"),
        gl.generate.kronecker(9, 8, seed=seed, engine="cpu"),
    )
    expected = [problem(G.to(cpu), 0.9, seed, method="algebraic").to_numpy().tolist() for G in graphs]
    for threads in (1, 2, 3):
        for module in (cores, _parts_cpu):
            monkeypatch.setattr(module, "WORTH_A_THREAD", 0)
        monkeypatch.setattr(cores, "count_workers", lambda threads=threads: threads)
        found = [problem(G, 0.9, seed, method="parallel").to_numpy().tolist() for G in graphs]
        assert found == expected, (seed, threads)


def test_moves_apart_on_merged_levels_are_those_of_the_algebra() -> None:
    """A level that the CPU has merged has its columns in no order, and these seeds move apart on one."""
    for seed, resolution in ((39, 1.0), (127, 1.7)):
        tails, heads = np.random.default_rng(seed).integers(0, 120, (2, 400))
        weights = np.tile(tails * heads % 9 / 7, 2)
        G = gl.Graph((np.r_[tails, heads], np.r_[heads, tails], weights), n=120, dup="first", engine="cpu")
        found, expected = (gl.louvain(G, resolution, seed, method=name) for name in ("parallel", "algebraic"))
        assert found.isequal(expected), seed


def test_hubs_move_as_well_as_one_after_the_other() -> None:
    """igraph's Leiden reaches 0.1214 in the mean; a quarter of all vertices at a time reached 0.1201."""
    G = gl.generate.kronecker(12, engine="cpu")
    simple = gl.Graph(G.A.select("offdiag").new())
    reached = [gl.modularity(simple, gl.leiden(simple, seed=seed)) for seed in range(6)]
    assert np.mean(reached) > 0.1210


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_default_is_the_same_on_every_engine(problem: Any) -> None:
    assert {problem.methods[name].name for name in list(problem.methods)[:1]} == {"parallel"}
    assert {"cpu", "cuda"} <= set(problem.methods["parallel"].engines)


def test_the_unit_of_weights_is_the_same_in_any_order_of_additions() -> None:
    values = np.full(20480, 0.1)
    for error in (-1e-12, 0.0, 1e-12):
        found = round_values(np, values, lambda number, how, error=error: number * (1 + error * (how.name == "plus")))
        assert (found[1], found[0][0]) == (40, np.rint(0.1 * 2.0**40)), error


def test_pieces_on_the_host_are_those_of_the_components() -> None:
    for seed in range(4):
        for directed in (False, True):
            G = make_planted(seed, 90, directed=directed)
            labels, level = np.random.default_rng(seed).integers(0, 30, G.n).astype(np.int32), make_level(G)
            assert _split_cpu.split(level, labels).tolist() == _inside.split(G.engine, level, labels).tolist(), (
                seed,
                directed,
            )
