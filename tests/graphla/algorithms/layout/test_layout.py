"""Layouts: forces against sums over all pairs, steps against the paper's, and pictures in which neighbours are near."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.layout import _tree_cpu, _tree_cuda
from graphla.algorithms.layout.arrange import SHIFT
from graphla.algorithms.layout.physics import LEAF, NUMBER_MASK, SOFT, Physics
from graphla.algorithms.layout.start import draw_cube
from graphla.algorithms.layout.tree import repel
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidOption
from graphla.engine.cpu import threads
from tests.graphla.engine.engines import NAMES, get_engine_named

PHYSICS = Physics(0.7, 3.0, 0.25)


def fresh(seed: int, n: int = 40, arcs: int = 90) -> gl.Graph:
    """A directed graph with loops, weights, and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, arcs))
    return gl.Graph((tails, heads, 0.5 + rng.random(arcs)), n=n + 2, dup="first", engine="cpu")


def join_both_ways(pairs: Any, n: int | None = None) -> gl.Graph:
    i, j = np.transpose(pairs)
    return gl.Graph((np.r_[i, j], np.r_[j, i]), n=n, engine="cpu")


def scatter(rng: np.random.Generator, n: int, dims: int) -> tuple[Any, Any]:
    """Points of which half are in a twentieth of the width, one far away, and two at one place; and their masses."""
    X = 100 * rng.standard_normal((n, dims))
    X[: n // 2] /= 20
    X[-1:] *= 30
    X[1:2] = X[:1]
    return X.astype("float32"), rng.integers(1, 20, n).astype("float32")


def push_all(X: Any, masses: Any, physics: Physics) -> Any:
    """The repulsion and gravity of every pair, in FP64."""
    apart = X[:, None].astype(float) - X[None]
    squares = (apart**2).sum(axis=2) + SOFT
    push = (apart * (masses / squares)[:, :, None]).sum(axis=1)
    return masses[:, None] * (physics.scaling * push - physics.gravity * X)


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("engine", NAMES)
def test_the_tree_repels_as_all_pairs_do(engine: str, dims: int) -> None:
    place, rng = get_engine_named(engine), np.random.default_rng(dims)
    for n in (1, 2, LEAF, LEAF + 1, 3 * LEAF, 2000):
        X, masses = scatter(rng, n, dims)
        expected = push_all(X, masses, PHYSICS)
        found = place.to_host(repel(place, place.asarray(X), place.asarray(masses), PHYSICS))
        lengths = np.linalg.norm(expected, axis=1)
        errors = np.linalg.norm(found - expected, axis=1)
        scale = np.sqrt((lengths**2).mean()) + 1e-9
        assert errors.max() < (1e-5 if n <= LEAF else 0.1) * scale, n
        assert np.median(errors / (lengths + 1e-9)) < 0.01
    sharp = place.to_host(repel(place, place.asarray(X), place.asarray(masses), PHYSICS._replace(theta=0.05)))
    assert np.linalg.norm(sharp - expected, axis=1).max() < 1e-4 * scale


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("engine", NAMES)
def test_cells_along_the_curve_are_neighbours(engine: str, dims: int) -> None:
    place, rng = get_engine_named(engine), np.random.default_rng(dims)
    X = rng.permutation(np.indices((8,) * dims).reshape(dims, -1).T).astype("float32")
    kernels = _tree_cpu if engine == "cpu" else _tree_cuda
    keys = np.sort(place.to_host(kernels.encode(place, place.asarray(X))))
    steps = np.diff(X[keys & NUMBER_MASK], axis=0)
    assert (np.abs(steps).sum(axis=1) == 1).all()


def move_all(A: Any, degrees: Any, X: Any, steps: int, physics: Physics) -> Any:
    """The steps of the paper, with all pairs, in FP64."""
    masses, last, speed = degrees + 1.0, np.zeros(X.shape), np.inf
    for _ in range(steps):
        F = push_all(X, masses, physics) + A @ X - A.sum(axis=1)[:, None] * X
        swing, drawn, length = (np.linalg.norm(V, axis=1) for V in (F - last, (F + last) / 2, F))
        wanted = (masses * drawn).sum() / (masses * swing).sum()
        speed = min(wanted, 1.5 * speed)
        X, last = X + np.minimum(0.1 * speed / (1 + speed * np.sqrt(swing)), 10 / length)[:, None] * F, F
    return X


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("engine", NAMES)
def test_steps_are_those_of_forceatlas2(engine: str, weights: bool) -> None:
    G, rng = fresh(3, LEAF - 2), np.random.default_rng(4)
    H, A = G.to(get_engine_named(engine)), G.A.to_dense(0)
    A = A / A[A > 0].mean() if weights else (A > 0).astype(float)
    degrees = ((A + A.T) > 0).sum(axis=1)
    options: dict[str, Any] = {"scaling": 3.0, "gravity": 0.25, "weights": weights, "seed": 6}
    for dims, steps in ((2, 0), (2, 1), (3, 12)):
        start = (30 * rng.standard_normal((G.n, dims))).astype("float32")
        moved = start + SHIFT * draw_cube(gl.engine.get_engine("cpu"), G.n, dims, 6)
        found = H.engine.to_host(gl.layout(H, dims, steps=steps, start=start, **options))
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, move_all(A + A.T, degrees, moved, steps, PHYSICS), atol=2e-3)


def measure_energy(G: gl.Graph, X: Any, scaling: float = 2.0, gravity: float = 0.01) -> float:
    """What the forces lower: springs of arcs, minus the logarithms of the distances of pairs, and gravity."""
    masses, X = G.degrees + 1.0, X.astype(float)
    rows = np.repeat(np.arange(G.n), G.degrees)
    springs = ((X[rows] - X[G.csr.indices]) ** 2).sum() / 4
    first, second = np.triu_indices(G.n, 1)
    logs = np.log(np.linalg.norm(X[first] - X[second], axis=1))
    return float(
        springs - scaling * (masses[first] * masses[second] * logs).sum() + gravity / 2 * (masses @ X**2).sum()
    )


GRAPHS = {
    "grid": gl.generate.grid2d(14, 14),
    "path": gl.generate.path(150),
    "cycle": gl.generate.cycle(80),
    "tree": join_both_ways([(v, (v - 1) // 2) for v in range(1, 127)]),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_neighbours_are_near_and_the_energy_falls(name: str) -> None:
    G = gl.Graph(GRAPHS[name], engine="cpu")
    rng, rows = np.random.default_rng(1), np.repeat(np.arange(G.n), G.degrees)
    for seed in range(3):
        X = gl.layout(G, seed=seed)
        length = np.linalg.norm(X[rows] - X[G.csr.indices], axis=1).mean()
        pairs = rng.integers(0, G.n, (2, 4000))
        assert length < 0.25 * np.linalg.norm(X[pairs[0]] - X[pairs[1]], axis=1).mean()
        start = (rng.standard_normal(X.shape) * X.std()).astype("float32")
        energies = [measure_energy(G, each) for each in (start, gl.layout(G, start=start, steps=60), X)]
        assert energies == sorted(energies, reverse=True)


def test_a_grid_is_laid_out_as_one() -> None:
    """Opposite corners are farther from each other than any two vertices at half of their distance."""
    X = gl.layout(gl.generate.grid2d(12, 12, engine="cpu"), steps=200).reshape(12, 12, 2)
    corners = X[0, 0], X[0, -1], X[-1, -1], X[-1, 0]
    across = [np.linalg.norm(corners[0] - corners[2]), np.linalg.norm(corners[1] - corners[3])]
    sides = [np.linalg.norm(a - b) for a, b in pairwise((*corners, corners[0]))]
    assert min(across) > 1.15 * max(sides)
    assert min(sides) > 0.6 * max(sides)


def test_a_layout_begins_with_that_of_communities() -> None:
    """The members of a community begin around one place, and places of joined communities are near each other."""
    G = gl.generate.grid2d(20, 20, engine="cpu")
    group, X = gl.louvain(G, seed=3, max_levels=1).to_numpy(), gl.layout(G, steps=0, seed=3)
    centres = np.stack([np.bincount(group, axis) / np.bincount(group) for axis in X.T], axis=1)
    tails, heads, _ = gl.contract(G, group, loops=False).A.to_coo()
    joined = np.linalg.norm(centres[tails] - centres[heads], axis=1).mean()
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    assert np.linalg.norm(X - centres[group], axis=1).max() < 0.5 * joined
    assert joined < 0.4 * apart[~np.eye(len(apart), dtype=bool)].mean()


def test_communities_are_apart() -> None:
    part = np.arange(120) // 40
    rng = np.random.default_rng(2)
    joined = rng.random((120, 120)) < np.where(part[:, None] == part, 0.4, 0.01)
    G = join_both_ways(np.argwhere(np.triu(joined, 1)), n=120)
    X = gl.layout(G, seed=5)
    centres = np.stack([X[part == k].mean(axis=0) for k in range(3)])
    nearest = np.linalg.norm(X[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == part).mean() > 0.97


def test_heavy_arcs_are_short_and_only_shares_of_weights_count() -> None:
    i, j = np.triu_indices(30, 1)
    weights = np.where(j == i + 1, 50.0, 0.01)
    G = gl.Graph((np.r_[i, j], np.r_[j, i], np.r_[weights, weights]), engine="cpu")
    X = gl.layout(G, weights=True)
    lengths = np.linalg.norm(X[i] - X[j], axis=1)
    assert lengths[weights == 50].mean() < 0.3 * lengths[weights < 1].mean()
    H = gl.Graph((np.r_[i, j], np.r_[j, i], 1024 * np.r_[weights, weights]), engine="cpu")
    np.testing.assert_array_equal(gl.layout(H, weights=True), X)


def test_a_seed_gives_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.kronecker(10, weights=(1, 9), engine="cpu")
    found = []
    for workers in (1, 2, 5):
        for module in ("graphla.engine.cpu.threads", "graphla.algorithms.layout._tree_cpu"):
            monkeypatch.setattr(f"{module}.count_workers", lambda count=workers: count)
        threads.get_pool.cache_clear()
        found.append(gl.layout(G, weights=True, seed=3))
    threads.get_pool.cache_clear()
    assert all((each == found[0]).all() for each in found)
    assert (gl.layout(G, weights=True, seed=4) != found[0]).any()


@pytest.mark.parametrize("engine", NAMES)
def test_corners(engine: str) -> None:
    place = get_engine_named(engine)
    for n, arcs in ((0, ([], [])), (1, ([], [])), (1, ([0], [0])), (2, ([0], [1])), (70, ([], [])), (45, ([3], [4]))):
        for dims in (2, 3):
            X = place.to_host(gl.layout(gl.Graph(arcs, n=n, engine=place), dims, steps=8))
            assert X.shape == (n, dims)
            assert np.isfinite(X).all()
            assert len(np.unique(X, axis=0)) == n
    G = gl.generate.cycle(40, engine="cpu").to(place)
    X = place.to_host(gl.layout(G, start=np.zeros((40, 2)), steps=30))
    assert len(np.unique(X, axis=0)) == 40
    zeros = gl.Graph(([0, 1], [1, 0], [0.0, 0.0]), n=40, engine=place)
    assert np.isfinite(place.to_host(gl.layout(zeros, weights=True))).all()
    huge = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1], [1e38, 1e38, 1.0, 1.0]), n=40, engine=place)
    assert np.isfinite(place.to_host(gl.layout(huge, weights=True))).all()


def test_bad_input() -> None:
    G = gl.generate.path(4, engine="cpu")
    for options, message in (
        ({"dimensions": 4}, "dimensions=4"),
        ({"steps": -1}, "steps=-1"),
        ({"scaling": 0}, "scaling=0"),
        ({"gravity": -1.0}, "gravity=-1"),
        ({"gravity": float("nan")}, "gravity=nan"),
        ({"theta": 1.5}, r"theta=1\.5.*at most 1"),
        ({"weights": 3}, "weights=3"),
        ({"seed": 0.5}, r"seed=0\.5"),
        ({"start": np.full((4, 2), 1e12)}, "beyond 1e\\+09"),
    ):
        with pytest.raises(InvalidOption, match=message):
            gl.layout(G, **options)
    for start in (np.zeros((3, 2)), np.zeros((4, 3)), np.zeros(4)):
        with pytest.raises(DimensionMismatch, match="start"):
            gl.layout(G, start=start)
    with pytest.raises(DomainMismatch, match="start: a number is NaN"):
        gl.layout(G, start=np.full((4, 2), np.nan))
    for weight in (-1.0, np.inf):
        with pytest.raises(InvalidGraph, match="layout: a weight is"):
            gl.layout(gl.Graph(([0], [1], [weight]), engine="cpu"), weights=True)
