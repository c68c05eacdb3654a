"""Components, communities, trees, matchings and flows."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

import graphla as gl
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported, Overflow
from tests.fuzz.drawn import Case


def has_both_arcs(case: Case, weights: bool = False) -> bool:
    """Whether each arc has its reverse, of the same weight if that counts."""
    return all((v, u) in case.arcs and (not weights or case.arcs[v, u] == w) for (u, v), w in case.arcs.items())


def to_list(found: Any) -> list[Any]:
    """The values of a full vector."""
    host = found.to("cpu")
    assert host.nvals == host.size, found
    return host.to_dense(0).tolist()


def check_components(ask: Any, case: Case, rng: Any) -> None:
    """The smallest vertex that a vertex is joined with."""
    ways = {v: set(case.reach(v)) for v in range(case.n)}
    both = [dict.fromkeys(near) for near in case.near]
    for kind in ("weak", "strong"):
        wanted = [
            min(case.reach(v, both)) if kind == "weak" else min(u for u in ways[v] if v in ways[u])
            for v in range(case.n)
        ]
        for told, found in ask(gl.components, kind=kind):
            assert to_list(found) == wanted, (found, wanted, told)
        for told, (labels, sizes) in ask(gl.components, kind=kind, sizes=True):
            assert to_list(labels) == wanted, (labels, wanted, told)
            assert sizes.to("cpu").to_dict() == {v: wanted.count(v) for v in set(wanted)}, (sizes, told)


def measure_modularity(case: Case, labels: list[int], resolution: float) -> Fraction:
    """The definition, in fractions."""
    weights = {arc: Fraction(w) for arc, w in case.arcs.items()}
    m = sum(weights.values(), Fraction(0))
    inside = sum((w for (u, v), w in weights.items() if labels[u] == labels[v]), Fraction(0))
    chance = Fraction(0)
    for c in set(labels):
        out = sum((w for (u, _), w in weights.items() if labels[u] == c), Fraction(0))
        into = sum((w for (_, v), w in weights.items() if labels[v] == c), Fraction(0))
        chance += out * into
    return inside / m - Fraction(resolution) * chance / m**2


def check_communities(problem: Any, ask: Any, case: Case, rng: Any) -> None:
    """The modularity is no less than that of single vertices, and that which `gl.modularity` tells."""
    due = InvalidGraph if any(w < 0 for (u, v), w in case.arcs.items() if u != v) else ()
    resolution, seed = float(rng.choice([0.3, 1, 1, 1.5, 3])), int(rng.integers(100))
    answers = {}
    for told, found in ask(problem, due=due, resolution=resolution, seed=seed):
        labels = to_list(found)
        answers[told.split("method=")[1].split(",")[0]] = labels
        if any(case.arcs.values()):
            reached, single = (measure_modularity(case, each, resolution) for each in (labels, list(range(case.n))))
            assert reached >= single - Fraction(1, 10**9), (labels, float(reached), float(single), told)
            assert abs(gl.modularity(ask.G, found, resolution) - float(reached)) < 1e-9, (float(reached), told)
        else:
            assert labels == list(range(case.n)), (labels, told)
        sizes = [labels.count(c) for c in range(len(set(labels)))]
        assert sizes == sorted(sizes, reverse=True), (labels, told)
    if "'parallel'" in answers:
        assert answers["'parallel'"] == answers["'algebraic'"], (answers, str(case))
    for _ in ask(problem, due=due, resolution=resolution, seed=seed, max_levels=1):
        pass


def check_louvain(ask: Any, case: Case, rng: Any) -> None:
    """As below."""
    check_communities(gl.louvain, ask, case, rng)


def check_leiden(ask: Any, case: Case, rng: Any) -> None:
    """As below; the verifier asks whether communities are connected."""
    check_communities(gl.leiden, ask, case, rng)


def check_spanning_forest(ask: Any, case: Case, rng: Any) -> None:
    """The weights of the forest are those of Kruskal's, to the last digit."""
    kind = str(rng.choice(["minimum", "maximum"]))
    due = () if has_both_arcs(case, True) else InvalidGraph
    root, chosen = list(range(case.n)), []
    for (u, v), w in sorted(case.arcs.items(), key=lambda arc: arc[1], reverse=kind == "maximum"):
        if root[u] != root[v]:
            chosen.append(w)
            root = [root[v] if each == root[u] else each for each in root]
    for told, found in ask(gl.spanning_forest, due=due, kind=kind):
        values = sorted(found.to("cpu").to_coo()[2].tolist())
        assert values == sorted(chosen * 2), (values, chosen, told)


def check_matching(ask: Any, case: Case, rng: Any) -> None:
    """Greedy by weight; as large as can be by kind."""
    weighted = bool(rng.random() < 0.5)
    due = () if has_both_arcs(case, weighted) else InvalidGraph
    found: set[str] = set()
    for _, mates in ask(gl.matching, due=due, weights=weighted, seed=int(rng.integers(50))):
        found.add(str(mates.to("cpu").to_dict()))
    assert len(found) <= 1, (found, str(case))
    g = nx.Graph([(u, v) for u, v in case.arcs if u != v])
    due = () if has_both_arcs(case) and nx.is_bipartite(g) else InvalidGraph
    for told, mates in ask(gl.matching, due=due, kind="maximum"):
        most = len(nx.max_weight_matching(g, maxcardinality=True))
        assert mates.nvals == 2 * most, (mates, most, told)


def check_max_flow(ask: Any, case: Case, rng: Any) -> None:
    """The value of NetworkX, in fractions."""
    if case.n < 2:
        return
    source, sink = rng.choice(case.n, 2, replace=False).tolist()
    whole = case.weights.dtype.kind != "f"
    total = sum(w for (u, v), w in case.arcs.items() if u != v)
    due: Any = InvalidGraph if any(w < 0 for (u, v), w in case.arcs.items() if u != v) else ()
    may = NotSupported if whole and total >= 2**60 else ()
    if not due:
        g = nx.DiGraph()
        g.add_nodes_from(range(case.n))
        g.add_edges_from((u, v, {"capacity": Fraction(w)}) for (u, v), w in case.arcs.items() if u != v)
        value = nx.maximum_flow_value(g, source, sink, flow_func=nx.algorithms.flow.edmonds_karp)
        may = may or (Overflow if value > Fraction(np.finfo(float).max) else ())
    assert not list(ask(gl.max_flow, source, source, due=InvalidOption))
    for told, found in ask(gl.max_flow, source, sink, due=due, may=may):
        apart = abs(Fraction(found.value) - value)
        room = 0 if whole else Fraction(1, 10**11) * value
        assert apart <= room, (found.value, float(value), told)


def check_biconnected_components(ask: Any, case: Case, rng: Any) -> None:
    """Those of NetworkX, numbered by their first arcs."""
    due = () if has_both_arcs(case) else InvalidGraph
    g = nx.Graph([(u, v) for u, v in case.arcs if u != v])
    of = {frozenset(e): k for k, part in enumerate(nx.biconnected_component_edges(g)) for e in part}
    names: dict[int, int] = {}
    wanted = {(u, v): names.setdefault(of[frozenset((u, v))], len(names)) for u, v in sorted(case.arcs) if u != v}
    for told, found in ask(gl.biconnected_components, due=due):
        rows, cols, values = (part.tolist() for part in found.to("cpu").to_coo())
        assert dict(zip(zip(rows, cols, strict=True), values, strict=True)) == wanted, (found, wanted, told)


def check_label_propagation(ask: Any, case: Case, rng: Any) -> None:
    """The most frequent label of the neighbours, the smallest of these, in each round."""
    rounds, labels = int(rng.integers(0, 5)), list(range(case.n))
    pairs = list(case.arcs)
    sides = [] if has_both_arcs(case) else [(v, u) for u, v in pairs]
    for _ in range(rounds):
        counts: list[dict[int, int]] = [{} for _ in labels]
        for u, v in [*pairs, *sides]:
            counts[u][labels[v]] = counts[u].get(labels[v], 0) + 1
        labels = [min(c, key=lambda x: (-c[x], x)) if c else labels[v] for v, c in enumerate(counts)]
    for told, found in ask(gl.label_propagation, rounds=rounds):
        assert to_list(found) == labels, (found, labels, told)


def check_random_walks(ask: Any, case: Case, rng: Any) -> None:
    """Each step is an arc that can be drawn, a walk ends where there is none, and all methods walk alike."""
    weighted, seed = bool(rng.random() < 0.5), int(rng.integers(100))
    counts = weighted and case.weights.dtype != bool
    due = InvalidGraph if counts and any(w < 0 for w in case.arcs.values()) else ()
    options = {} if rng.random() < 0.6 else {"p": 0.5, "q": 4.0}
    seen = set()
    for told, found in ask(gl.random_walks, length=4, due=due, weights=weighted, seed=seed, walks=2, **options):
        rows = found.to("cpu").to_dicts()
        seen.add(str(rows))
        for row in rows.values():
            steps = list(row.values())
            for u, v in pairwise(steps):
                assert v in case.out[u], (steps, told)
                assert not counts or case.out[u][v] > 0, (steps, told)
            ends = [v for v, w in case.out[steps[-1]].items() if w > 0 or not counts]
            assert len(steps) == 5 or not ends, (steps, told)
    assert len(seen) <= 1, (seen, str(case))


def check_similarity(ask: Any, case: Case, rng: Any) -> None:
    """Neighbours in common, over all of both."""
    due = () if has_both_arcs(case) else InvalidGraph
    first, second = rng.integers(0, case.n, (2, 4)).tolist() if case.n else ([], [])
    near, wanted = case.near, []
    for u, v in zip(first, second, strict=True):
        both = near[u] | near[v]
        wanted.append(len(near[u] & near[v]) / len(both) if both else 0.0)
    for told, found in ask(gl.similarity, due=due, pairs=(first, second), kind="jaccard"):
        np.testing.assert_allclose(found.to("cpu").to_dense(0), wanted, err_msg=told)
    for kind in ("adamic_adar", "overlap", "two"):
        if kind != "two":
            list(ask(gl.similarity, due=due, kind=kind))
        else:
            list(ask(gl.similarity, due=due, pairs="two_hops"))
