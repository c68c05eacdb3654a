"""What neighbours and arcs alone decide: orders, colors, cores, triangles, closures."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.errors import CyclicGraph, InvalidGraph
from tests.fuzz.drawn import Case
from tests.fuzz.rules.groups import has_both_arcs, to_list


def find_due(case: Case) -> Any:
    """The error that is due of a graph that is no undirected one."""
    return () if has_both_arcs(case) else InvalidGraph


def peel(near: list[set[int]], least: int) -> set[int]:
    """The vertices that are left once none has fewer neighbours than so many."""
    left = set(range(len(near)))
    while weak := {v for v in left if len(near[v] & left) < least}:
        left -= weak
    return left


def check_core_numbers(ask: Any, case: Case, rng: Any) -> None:
    """The largest k whose core has the vertex; k-cores keep weights."""
    due, near = find_due(case), case.near
    wanted = [max((k for k in range(case.n + 1) if v in peel(near, k)), default=0) for v in range(case.n)]
    for told, found in ask(gl.core_numbers, due=due):
        assert to_list(found) == wanted, (found, wanted, told)
    if not due:
        for k in (1, 2, 3):
            left = peel(near, k)
            arcs = {(u, v): w for (u, v), w in case.arcs.items() if u in left and v in left}
            check_arcs(gl.k_core(ask.G, k), arcs, f"k_core(G, {k}): {case}", loops=None)


def check_arcs(found: Any, arcs: dict[tuple[int, int], Any], told: str, loops: Any = True) -> None:
    """A matrix has these arcs with their weights, loops left out if they do not matter."""
    rows, cols, values = (part.tolist() for part in found.to("cpu").to_coo())
    told_arcs = {(u, v): w for u, v, w in zip(rows, cols, values, strict=True) if loops or u != v}
    assert told_arcs == {(u, v): w for (u, v), w in arcs.items() if loops or u != v}, (found, arcs, told)


def find_truss(case: Case, k: int) -> set[tuple[int, int]]:
    """The edges that are left once each is in k - 2 triangles of them."""
    left = {(u, v) for u, v in case.arcs if u < v}
    while True:
        near: list[set[int]] = [set() for _ in range(case.n)]
        for u, v in left:
            near[u].add(v)
            near[v].add(u)
        weak = {(u, v) for u, v in left if len(near[u] & near[v]) < k - 2}
        if not weak:
            return left
        left -= weak


def check_truss_numbers(ask: Any, case: Case, rng: Any) -> None:
    """The largest k whose truss has the edge; k-trusses keep weights."""
    due = find_due(case)
    if due:
        assert not list(ask(gl.truss_numbers, due=due))
        return
    trusses = {k: find_truss(case, k) for k in range(2, case.n + 2)}
    wanted = {
        (u, v): max(k for k, edges in trusses.items() if (min(u, v), max(u, v)) in edges)
        for u, v in case.arcs
        if u != v
    }
    for told, found in ask(gl.truss_numbers):
        check_arcs(found, wanted, told)
    for k in (3, 4):
        edges = trusses.get(k, set())
        arcs = {(u, v): w for (u, v), w in case.arcs.items() if (min(u, v), max(u, v)) in edges}
        check_arcs(gl.k_truss(ask.G, k), arcs, f"k_truss(G, {k}): {case}")


def check_triangles(ask: Any, case: Case, rng: Any) -> None:
    """Triples of neighbours."""
    near = case.near
    found = [t for t in combinations(range(case.n), 3) if t[1] in near[t[0]] and t[2] in near[t[0]] & near[t[1]]]
    for told, count in ask(gl.triangles, due=find_due(case)):
        assert count == len(found), (count, len(found), told)
    for told, counts in ask(gl.triangles, due=find_due(case), per_vertex=True):
        assert to_list(counts) == [sum(v in t for t in found) for v in range(case.n)], (counts, told)


def check_clustering(ask: Any, case: Case, rng: Any) -> None:
    """The arcs between the neighbours of a vertex, over all that could be."""
    closed = [sum((a, b) in case.arcs for a in near for b in near if a != b) for near in case.near]
    possible = [len(near) * (len(near) - 1) for near in case.near]
    local = [c / p if p else 0.0 for c, p in zip(closed, possible, strict=True)]
    wanted: dict[str, Any] = {"local": local, "average": sum(local) / len(local) if local else 0.0}
    wanted["transitivity"] = sum(closed) / sum(possible) if sum(possible) else 0.0
    for kind, right in wanted.items():
        for told, found in ask(gl.clustering, kind=kind):
            np.testing.assert_allclose(to_list(found) if kind == "local" else found, right, atol=1e-12, err_msg=told)


def check_coloring(ask: Any, case: Case, rng: Any) -> None:
    """Neighbours differ, and there are no more colors than a greedy loop could need."""
    answers = set()
    for told, found in ask(gl.coloring, due=find_due(case), seed=int(rng.integers(100))):
        colors = to_list(found)
        answers.add(str(colors))
        assert all(colors[u] != colors[v] for u, v in case.arcs if u != v), (colors, told)
        assert all(0 <= colors[v] <= len(case.near[v]) for v in range(case.n)), (colors, told)
    assert len(answers) <= 1, (answers, str(case))


def check_independent_set(ask: Any, case: Case, rng: Any) -> None:
    """No two are neighbours, and each other one is next to one."""
    answers = set()
    for told, found in ask(gl.independent_set, due=find_due(case), seed=int(rng.integers(100))):
        chosen = {v for v, yes in enumerate(to_list(found)) if yes}
        answers.add(str(chosen))
        assert not any(u in chosen and v in chosen for u, v in case.arcs if u != v), (chosen, told)
        assert all(v in chosen or case.near[v] & chosen for v in range(case.n)), (chosen, told)
    assert len(answers) <= 1, (answers, str(case))


def check_dominators(ask: Any, case: Case, rng: Any) -> None:
    """Without its dominator a vertex cannot be reached, nor without those of that."""
    if not case.n:
        return
    source = int(rng.integers(case.n))
    there = case.reach(source)
    over: dict[int, set[int]] = {v: {v} for v in there}
    for u in there:
        if u != source:
            rest = case.reach(source, [{v: w for v, w in row.items() if v != u} for row in case.out])
            for v in there.keys() - rest.keys():
                over[v].add(u)
    wanted = {source: source}
    for v in there.keys() - {source}:
        above = (over[v] | {source}) - {v}
        wanted[v] = max(above, key=lambda u: len(over[u] | {source}))
    for told, found in ask(gl.dominators, source):
        assert found.to("cpu").to_dict() == wanted, (found, wanted, told)


def check_transitive_closure(ask: Any, case: Case, rng: Any) -> None:
    """Whether paths of an arc or more lead from one vertex to another."""
    for reflexive in (False, True):
        wanted = {(u, w) for u in range(case.n) for v in case.out[u] for w in case.reach(v)}
        wanted |= {(v, v) for v in range(case.n)} if reflexive else set()
        for told, found in ask(gl.transitive_closure, reflexive=reflexive):
            rows, cols, values = (part.tolist() for part in found.to("cpu").to_coo())
            assert set(zip(rows, cols, strict=True)) == wanted, (found, wanted, told)
            assert all(values), told


def check_topological_order(ask: Any, case: Case, rng: Any) -> None:
    """Arcs lead on, by one level or more; a cycle is an error."""
    cyclic = any(u in case.reach(v) for u, v in case.arcs)
    for told, (order, levels) in ask(gl.topological_order, due=CyclicGraph if cyclic else (), levels=True):
        place = {v: k for k, v in enumerate(to_list(order))}
        level = to_list(levels)
        assert sorted(place) == list(range(case.n)), (order, told)
        assert all(place[u] < place[v] and level[u] < level[v] for u, v in case.arcs), (order, levels, told)
        for v in range(case.n):
            before = [level[u] for u, w in case.arcs if w == v]
            assert level[v] == (max(before) + 1 if before else 0), (levels, told)
