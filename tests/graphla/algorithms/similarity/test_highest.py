"""The highest scores of each row, against a sort of all; what others say who have no such option."""

from __future__ import annotations

from typing import Any

import pytest

import graphla as gl
from graphla.common.errors import InvalidOption, VerificationError
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named


@pytest.mark.parametrize("kind", ["common_neighbors", "jaccard", "adamic_adar"])
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.similarity))
def test_the_highest_of_each_row(name: str, engine: str, kind: Any) -> None:
    """Those that a sort of all scores has first, of equal ones the lower vertices; as many as there are.

    Scores are compared at twelve digits, and which of equal ones there are is not on a GPU, where a product adds up in
    an order of its own each time.
    """
    G = gl.generate.from_spec("kron:6?edge_factor=3").to("cpu")
    moved = G.to(get_engine_named(engine))
    for pairs in ("two_hops", None):
        whole = round_scores(gl.similarity(moved, pairs, kind=kind, method=name))
        for top in (1, 3, 1000):
            found = gl.similarity(moved, pairs, kind=kind, method=name, top=top)
            rows = round_scores(found)
            for u, row in rows.items():
                first = sorted(whole[u].items(), key=lambda pair: (-pair[1], pair[0]))[:top]
                assert row.items() <= whole[u].items(), u
                assert sorted(row.values(), reverse=True) == [score for _, score in first], u
                assert engine == "cuda" or row == dict(first), u
            assert rows.keys() == whole.keys()
            gl.similarity.verify(moved, found, pairs, kind=kind, top=top)


def round_scores(scores: gl.Matrix) -> dict[int, dict[int, float]]:
    """The rows of a matrix, at twelve significant digits."""
    rows = scores.to("cpu").to_dicts()
    return {u: {v: float(f"{score:.12g}") for v, score in row.items()} for u, row in rows.items()}


def test_refusals_of_top() -> None:
    G = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]), engine="cpu")
    search: Any = gl.similarity
    for pairs, top in (("two_hops", 0), ("two_hops", 1.5), (None, "3"), (([0], [1]), 2)):
        with pytest.raises(InvalidOption, match="top="):
            search(G, pairs, top=top)
    empty = gl.Graph(([], []), n=3, engine="cpu")
    assert gl.similarity(empty, "two_hops", top=2).nvals == 0


def test_verifier_finds_wrong_tops() -> None:
    """A lower score in place of a higher, one too few, one that is wrong, one of no pair."""
    G = gl.generate.from_spec("kron:6?edge_factor=3").to("cpu")
    right = gl.similarity(G, "two_hops", top=2)
    all_of_them = gl.similarity(G, "two_hops")
    rows, cols, _ = right.to_coo()
    u, v = int(rows[0]), int(cols[0])
    lower = right.dup()
    del lower[u, v]
    with pytest.raises(VerificationError, match="instead of 2"):
        gl.similarity.verify(G, lower, "two_hops", top=2)
    worst = min((x for x in all_of_them.to_dicts()[u].items() if x[0] not in right.to_dicts()[u]), key=lambda x: x[1])
    lower[u, worst[0]] = worst[1]
    with pytest.raises(VerificationError, match="is left out"):
        gl.similarity.verify(G, lower, "two_hops", top=2)
    wrong = right.dup()
    wrong[u, v] = 7
    with pytest.raises(VerificationError, match="has 7"):
        gl.similarity.verify(G, wrong, "two_hops", top=2)
    strange = right.dup()
    del strange[u, v]
    strange[u, u] = 1
    with pytest.raises(VerificationError, match="no pair"):
        gl.similarity.verify(G, strange, "two_hops", top=2)


def test_others_say_that_they_have_no_such_option() -> None:
    compare: Any = gl.compare
    G = gl.generate.from_spec("path:9").to("cpu")
    for problem, asked in (("similarity", {"top": 1}), ("bfs", {"limit": 2})):
        table = compare(problem, G, methods="algebraic", peers=["networkx"], repeat=1, **asked)
        told = {row.name: row.note for row in table.rows if row.kind == "peer"}
        assert list(told.values()) == [f"it is compared without {next(iter(asked))}="], told
