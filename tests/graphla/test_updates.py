"""Graphs that change: thousands of random updates against graphs that are built anew, facts and all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Graph
from graphla.common.errors import InvalidGraph, UnknownLabel
from semirings.dtypes import lookup
from tests.graphla.engine.engines import get_engine_named

Arcs = dict[tuple[int, int], Any]
FACTS = ("symmetric", "degrees", "in_degrees", "max_degree", "min_weight", "max_weight")
ENGINES = [
    pytest.param("cpu", 250),
    pytest.param("cpu", 3000, marks=pytest.mark.slow),
    pytest.param("emulated", 10, marks=pytest.mark.emulated),
]


def build(arcs: Arcs, n: int, dtype: str, engine: Any) -> Graph:
    """A graph of these arcs and no other facts."""
    ends = np.array(sorted(arcs), int).reshape(-1, 2)
    values = np.array([arcs[u, v] for u, v in ends.tolist()]).astype(lookup(dtype).numpy)
    return Graph((ends[:, 0], ends[:, 1], values), n=n, engine=engine)


def draw(rng: Any, n: int, count: int, dtype: str) -> Arcs:
    """Random arcs with a weight each."""
    high = 2 if dtype == "BOOL" else 5
    return {(int(u), int(v)): int(rng.integers(dtype == "BOOL", high)) for u, v in rng.integers(0, n, (count, 2))}


def to_arrays(arcs: Any, weights: bool = True) -> tuple[Any, ...]:
    """(tails, heads, weights) of arcs in any order."""
    ends = np.array(list(arcs), int).reshape(-1, 2)
    return (ends[:, 0], ends[:, 1], *([np.array(list(arcs.values()), int)] if weights else []))


def check(G: Graph, right: Graph) -> None:
    """Assert that a graph is the right one, and all that is known of it true."""
    assert G.A.isequal(right.A, check_dtype=True)
    csr, to_host = G.csr, G.engine.to_host
    assert np.all(np.diff(to_host(csr.indptr)) >= 0)
    for name in [name for name in FACTS if name in G._known]:
        found, true = (to_plain(G, value) for value in (G._known[name], getattr(right, name)))
        assert (name, found, type(found)) == (name, true, type(true))
    if csr.is_cached("transposed"):
        back, true = csr.cached("transposed", None), G.engine.transpose(right.csr)
        for part in ("indptr", "indices", "values"):
            assert np.array_equal(to_host(getattr(back, part)), to_host(getattr(true, part)))


def to_plain(G: Graph, value: Any) -> Any:
    """A fact as a Python object."""
    return G.engine.to_host(value).tolist() if hasattr(value, "dtype") and value.ndim else value


def join(old: Any, new: Any, dup: str | None) -> Any:
    """The weight of an arc that may be there and is inserted."""
    return {None: new, "first": old, "min": min(old, new), "sum": old + new}[dup]


@pytest.mark.parametrize(("engine", "rounds"), ENGINES)
def test_random_updates_are_as_built_anew(engine: str, rounds: int) -> None:
    home, rng = get_engine_named(engine), np.random.default_rng(7)
    kept: dict[str, int] = dict.fromkeys(FACTS, 0)
    for turn in range(rounds):
        dtype = ("INT32", "FP64", "BOOL", "UINT8")[turn % 4]
        n, both = int(rng.integers(1, 9)), bool(rng.integers(2))
        arcs = draw(rng, n, int(rng.integers(0, 25)), dtype)
        arcs = mirror(arcs) if both else arcs
        G = build(arcs, n, dtype, home)
        asked = [name for name in FACTS if rng.integers(2)]
        _ = [getattr(G, name) for name in asked], [G.csc] * int(rng.integers(2))
        before = build(arcs, n, dtype, home)
        gone = [arc for arc in arcs if rng.random() < 0.2]
        left = {arc: w for arc, w in arcs.items() if arc not in gone}
        weights = {arc: w for arc, w in draw(rng, n, 30, dtype).items() if arc in left and rng.random() < 0.3}
        size = n + int(rng.integers(0, 3))
        dup = (None, "first", "min", "sum")[int(rng.integers(0, 3 if dtype == "BOOL" else 4))]
        fresh = draw(rng, size, int(rng.integers(0, 6)), dtype)
        insert = {arc: w for arc, w in fresh.items() if dup or arc not in left}
        if both and rng.integers(2):
            gone, weights, insert = ([*gone, *[(v, u) for u, v in gone]], mirror(weights), mirror(insert))
            left = {arc: w for arc, w in arcs.items() if arc not in gone}
            weights = {arc: w for arc, w in weights.items() if arc in left}
            insert = {arc: w for arc, w in insert.items() if dup or arc not in left}
        out, new, into = to_arrays(gone, False), to_arrays(weights), to_arrays(insert)
        H = G.update(delete=out, weights=new, insert=into, n=size, dup=dup)
        right = {**left, **weights}
        right |= {arc: join(right[arc], w, dup) if arc in right else w for arc, w in insert.items()}
        check(H, build(right, size, dtype, home))
        check(G, before)
        for name in H._known.keys() & kept.keys():
            kept[name] += 1
    assert min(kept.values()) > rounds / 30, kept


def mirror(arcs: Arcs) -> Arcs:
    """Both arcs of each edge."""
    return {arc: w for (u, v), w in arcs.items() for arc in ((u, v), (v, u))}


class OnDevice(np.ndarray):
    """An array that says that it is on a device."""

    __cuda_array_interface__ = property(lambda self: {"shape": self.shape})

    def get(self) -> np.ndarray:
        return self.view(np.ndarray)


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_batches_on_a_device(engine: str) -> None:
    """They stay there for a graph that is, and are fetched for one that is not."""
    G = Graph(([0, 1], [1, 2], [4, 5]), n=3, engine=get_engine_named(engine))
    tails, heads, weights = (np.array(part).view(OnDevice) for part in ([2, 0], [0, 2], [7, 8]))
    H = G.update(insert=(tails, heads, weights), delete=(tails[1:], heads[1:] - 1))
    assert H.A.to_dicts() == {0: {2: 8}, 1: {2: 5}, 2: {0: 7}}
    with pytest.raises(InvalidGraph, match="insert: -1 is no vertex"):
        G.update(insert=(tails - 1, heads - 1, weights))


@pytest.mark.emulated
@pytest.mark.parametrize("dup", ["first", "sum"])
def test_both_directions_of_arcs_on_a_device(dup: str) -> None:
    """They are listed there: with repeats, loops, and reverse arcs that are there already."""
    rng = np.random.default_rng(3)
    parts = (*rng.integers(0, 9, (2, 60)), rng.integers(1, 4, 60))
    for given in (parts[:2], parts):
        there = [part.view(OnDevice) for part in given]
        made = Graph(tuple(there), n=9, dup=dup, undirected=True, engine=get_engine_named("emulated"))
        assert made.to("cpu").A.isequal(Graph(given, n=9, dup=dup, undirected=True, engine="cpu").A, check_dtype=True)


def test_many_updates_in_a_row() -> None:
    rng, n = np.random.default_rng(9), 60
    arcs = mirror(draw(rng, n, 400, "INT32"))
    G = build(arcs, n, "INT32", "cpu")
    _ = [getattr(G, name) for name in FACTS]
    for _ in range(60):
        pairs = list(arcs)
        gone = [pairs[k] for k in rng.choice(len(pairs), min(len(pairs), 6), replace=False)]
        gone = list({(min(arc), max(arc)) for arc in gone})
        arcs = {arc: w for arc, w in arcs.items() if (min(arc), max(arc)) not in gone}
        fresh = {arc: w for arc, w in draw(rng, n, 16, "INT32").items() if arc not in arcs and arc[0] <= arc[1]}
        arcs |= mirror(fresh)
        G = G.update(delete=to_arrays(gone, False), insert=to_arrays(fresh), undirected=True)
        assert G._known["symmetric"]
        assert G.csr.cached("transposed", None) is G.csr
    check(G, build(arcs, n, "INT32", "cpu"))


def test_facts_are_carried_and_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    G = Graph(([0, 1, 1, 2], [1, 0, 2, 1], [3, 3, 4, 4]), engine="cpu")
    _ = [getattr(G, name) for name in FACTS]
    monkeypatch.setattr(type(G.engine), "transpose", None)
    H = G.update(insert=([0], [2], [9]), undirected=True)
    assert (H.symmetric, H.max_weight, H.min_weight, H.degrees.tolist()) == (True, 9, 3, [2, 2, 2])
    one = H.update(delete=([0], [2]))
    assert (one.symmetric, one.csr.cached("transposed", None).indices.tolist()) == (False, [1, 2, 0, 2, 1])
    assert "max_weight" not in one._known  # an arc of the largest weight has gone, and another may be there
    assert (one.max_weight, one._known["min_weight"]) == (9, 3)
    assert gl.sssp(H, 0).to_dict() == {0: 0, 1: 3, 2: 7}


def test_names_in_and_out() -> None:
    G = Graph({"source": ["a", "b"], "target": ["b", "c"], "weight": [1, 2]}, engine="cpu")
    H = G.update(
        insert={"source": ["c", "d"], "target": ["d", "e"], "weight": [3, 4]},
        delete=(["a"], ["b"]),
        weights=(np.array(["b"]), np.array(["c"]), [7]),
    )
    assert H.to_arrow().to_pydict() == {"source": ["b", "c", "d"], "target": ["c", "d", "e"], "weight": [7, 3, 4]}
    assert (H.labels.tolist(), G.labels.tolist()) == (list("abcde"), list("abc"))
    assert G.update(insert=([0], [2])).A[0, 2].value == 1
    numbers = Graph(([0], [1]), labels=[30, 10], engine="cpu")
    assert numbers.update(insert=([10, 30], [30, 5])).labels.tolist() == [30, 10, 5]
    assert numbers.update(n=4).labels.tolist() == [30, 10, None, None]
    assert G.update(delete=G.A).nvals == 0
    assert G.update().A.isequal(G.A)


@pytest.mark.parametrize(
    ("batches", "error", "message"),
    [
        ({"delete": ([0], [2])}, InvalidGraph, r"delete: there is no arc 'a' → 'c'; missing='ignore'"),
        ({"weights": ([0], [2], [1])}, InvalidGraph, r"weights: there is no arc 'a' → 'c'"),
        ({"weights": ([0], [1])}, InvalidGraph, r"weights: give the new weights"),
        ({"weights": ([0], [1], [5]), "delete": ([0], [1])}, InvalidGraph, r"weights: there is no arc 'a' → 'b'"),
        ({"weights": ([0, 0], [1, 1], [5, 6])}, InvalidGraph, r"weights: the arc 'a' → 'b' occurs twice"),
        ({"insert": ([0], [1])}, InvalidGraph, r"insert: the arc 'a' → 'b' is there already; dup='first'"),
        ({"insert": ([1, 1], [0, 0])}, InvalidGraph, r"insert: the arc 'b' → 'a' occurs twice"),
        ({"insert": ([1], [0], [0.5])}, InvalidGraph, r"insert: the weight 0.5 is no INT64"),
        ({"insert": ([1], [0], [float("nan")])}, InvalidGraph, r"insert: the weight nan is no INT64"),
        ({"insert": ([-1], [0])}, InvalidGraph, r"insert: -1 is no vertex"),
        ({"insert": ([1, 2], [0])}, InvalidGraph, r"different lengths"),
        ({"insert": ([1], [0], ["x"])}, InvalidGraph, r"insert.*"),
        ({"insert": ([1], [0]), "dup": "last"}, InvalidGraph, r"dup='last': there are"),
        ({"missing": "pass"}, InvalidGraph, r"missing='pass'"),
        ({"n": 2}, InvalidGraph, r"n=2: there are 3 vertices"),
        ({"delete": (["a"], ["q"])}, UnknownLabel, r"delete: no vertex has the label 'q'"),
        ({"insert": 5}, InvalidGraph, r"is no graph"),
    ],
)
def test_what_is_refused(batches: dict[str, Any], error: type, message: str) -> None:
    G = Graph(([0, 1], [1, 2], [4, 5]), labels=["a", "b", "c"], engine="cpu")
    with pytest.raises(error, match=message):
        G.update(**batches)
    assert G.nvals == 2


def test_other_refusals() -> None:
    G = Graph(([0], [1]), engine="cpu")
    with pytest.raises(InvalidGraph, match="dup='sum': the arcs of this graph have no weights"):
        G.update(insert=([0], [1]), dup="sum")
    with pytest.raises(InvalidGraph, match="this graph has no labels"):
        G.update(insert={"source": ["a"], "target": ["b"]})
    with pytest.raises(InvalidGraph, match="give the numbers of vertices"):
        G.update(insert=(["a"], ["b"]))
    assert G.update(delete=([1, 7], [0, 9]), missing="ignore").nvals == 1
    floats = Graph(([0], [1], [0.5]), engine="cpu")
    for wrong in (float("nan"), 1e300):
        narrow = Graph(floats.A.dup("FP32"))
        with pytest.raises(InvalidGraph, match=r"is no FP32"):
            narrow.update(insert=([1], [0], [wrong]))
    assert floats.update(insert=([1], [0], [float("inf")])).max_weight == float("inf")
