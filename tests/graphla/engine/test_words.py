"""Matrices of few rows as words: products of truths, masks and numbers under masks, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import get_engine_named

import graphla as gl
from graphla import Matrix, binary, replace
from graphla.common.errors import DimensionMismatch, DomainMismatch
from graphla.engine.arrays import words as shared
from graphla.planning import words as planned
from graphla.planning.steps import WordProduct, WordStep
from graphla.storage.words import WordMatrix
from semirings import any_pair, lor_pair, plus_first

N = 170
ENGINES = [
    "cpu",
    pytest.param("emulated", marks=pytest.mark.emulated),
    pytest.param("cuda", marks=pytest.mark.gpu),
]
WIDTHS = [2, 32, 33, 64, 65, 160]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Any:
    return get_engine_named(request.param)


@pytest.fixture(autouse=True)
def _by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEAST_WORD_CELLS", "LEAST_DEGREE", "LEAST_ARCS", "LEAST_COLUMNS"):
        monkeypatch.setattr(planned, name, 0)
    monkeypatch.setattr(planned, "LEAST_SHARE", 1 << 40)


def make_graph(engine: Any, rng: Any) -> tuple[Matrix, Any]:
    """A hub in each direction, vertices without arcs, the rest at random; not symmetric."""
    dense = rng.random((N, N)) < 0.014
    dense[7], dense[:, 11] = rng.random(N) < 0.9, rng.random(N) < 0.9
    dense[40:60], dense[:, 80:90] = False, False
    rows, columns = np.nonzero(dense)
    values = rng.integers(0, 2, rows.size)
    return Matrix.from_coo(rows, columns, values, nrows=N, ncols=N, engine=engine), dense


def make_few(
    engine: Any, rng: Any, k: int, share: float, dtype: str = "BOOL", values: Any = True
) -> tuple[Matrix, Any]:
    dense = rng.random((k, N)) < share
    dense[0] = False
    rows, columns = np.nonzero(dense)
    return Matrix.from_coo(rows, columns, values, dtype, nrows=k, ncols=N, engine=engine), dense


def multiply(f: Any, a: Any) -> Any:
    return f.astype("int64") @ a.astype("int64") > 0


def read(matrix: Matrix) -> Any:
    """Structure and values, zero where there is no entry."""
    rows, columns, values = (matrix.engine.to_host(part) for part in matrix.to_coo())
    there, held = np.zeros(matrix.shape, bool), np.zeros(matrix.shape, matrix.dtype.numpy)
    there[rows, columns], held[rows, columns] = True, values
    return there, held


def expect(matrix: Matrix, there: Any, values: Any) -> None:
    """By words until it is read: first how many entries there are, then which."""
    assert isinstance(matrix._held, WordMatrix)
    assert matrix.nvals == there.sum()
    assert isinstance(matrix._held, WordMatrix)
    found, held = read(matrix)
    assert (found == there).all()
    assert (held == np.where(there, values, 0)).all()


@pytest.mark.parametrize("k", WIDTHS)
@pytest.mark.parametrize("direction", [None, "push", "pull"])
def test_searches(engine: Any, k: int, direction: Any) -> None:
    """Levels of several searches, with F on both sides of the product."""
    rng = np.random.default_rng(k)
    A, dense = make_graph(engine, rng)
    sources = rng.integers(0, N, k)
    F = Matrix.from_coo(range(k), sources, True, nrows=k, ncols=N, engine=engine)
    level = Matrix("INT32", k, N, engine=engine)
    f, levels, depth = np.zeros((k, N), bool), np.full((k, N), -1), 0
    f[np.arange(k), sources] = True
    while F.nvals:
        level(F.S) << depth
        F(~level.S, replace, direction=direction) << any_pair(F @ A)
        assert isinstance(F.plan.step, WordProduct)
        levels[f] = depth
        f = multiply(f, dense) & (levels < 0)
        assert F.nvals == f.sum()
        depth += 1
    assert depth > 3
    assert isinstance(level._held, WordMatrix)
    expect(level, levels >= 0, levels)


CASES = [
    ((3, 64, 70)[(i + j) % 3], ("push", "pull")[(i + j) % 2], bool((i + j // 2) % 2), kind, how)
    for i, kind in enumerate(["none", "S", "~S", "V", "~V"])
    for j, how in enumerate(["plain", "replace", "lor", "lor, replace"])
    if kind != "none" or "replace" not in how
]


@pytest.mark.parametrize(("k", "direction", "across", "kind", "how"), CASES)
def test_products_under_masks(engine: Any, k: int, direction: Any, across: bool, kind: str, how: str) -> None:
    """Every way to write a product into a target that has entries."""
    rng = np.random.default_rng([k, across, len(kind), len(how)])
    A, dense = make_graph(engine, rng)
    (F, f), (M, m), (C, c) = (make_few(engine, rng, k, share) for share in (0.05, 0.4, 0.3))
    t = multiply(f, dense.T if across else dense)
    mask = {"none": None, "S": M.S, "~S": ~M.S, "V": M.V, "~V": ~M.V}[kind]
    allowed = np.ones_like(m) if mask is None else ~m if mask.complement else m
    settings = {"mask": mask, "accum": binary.lor if "lor" in how else None, "replace": "replace" in how}
    C(direction=direction, **settings) << lor_pair(F @ (A.T if across else A))
    assert isinstance(C.plan.step, WordProduct)
    inside = t | c if "lor" in how else t
    expect(C, np.where(allowed, inside, c & ("replace" not in how)), True)


@pytest.mark.parametrize("kind", ["S", "~S"])
@pytest.mark.parametrize("how", ["plain", "replace", "second", "listed"])
def test_numbers_under_masks(engine: Any, kind: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number under a mask of words into a matrix of other numbers, more than twice as often as there are layers."""
    monkeypatch.setattr(shared, "MOST_CELL_BYTES", 0 if how == "listed" else 1 << 32)
    rng = np.random.default_rng(len(how))
    k = 67
    C, c = make_few(engine, rng, k, 0.3, "FP64", 2.5)
    values = np.where(c, 2.5, 0)
    A, dense = make_graph(engine, rng)
    F, f = make_few(engine, rng, k, 0.02)
    for round_ in range(70):
        F(~F.S, replace) << any_pair(F @ A)
        f = multiply(f, dense) & ~f
        allowed = f if kind == "S" else ~f
        accum = binary.second if how == "second" else None
        C(F.S if kind == "S" else ~F.S, accum=accum, replace=how == "replace") << 7 + round_
        assert isinstance(C.plan.step, WordStep)
        c = allowed if how == "replace" else c | allowed
        values = np.where(allowed, 7 + round_, values)
    expect(C, c, values)


def test_truths_are_united_and_copied(engine: Any) -> None:
    """`seen(lor) << F`, `P(F.S) << True`, copies, and what else reads words sees entries."""
    rng = np.random.default_rng(5)
    A, dense = make_graph(engine, rng)
    (F, f), (P, p), (Q, q) = (make_few(engine, rng, 40, 0.1) for _ in range(3))
    F << any_pair(F @ A)
    f = multiply(f, dense)
    P(binary.lor) << F
    assert isinstance(P.plan.step, WordStep)
    Q(F.S) << True
    R = F.dup()
    R << P
    expect(P, p | f, True)
    expect(Q, q | f, True)
    expect(R, p | f, True)
    P << any_pair(P @ A)
    p = multiply(p | f, dense)
    expect(binary.land(P & Q).new(), p & (q | f), True)
    expect(binary.lor(P | Q).new(mask=~F.S), (p | q | f) & ~f, True)
    expect(any_pair(Q @ A.T).new(mask=P.S), multiply(q | f, dense.T) & p, True)
    P |= Q
    Q(F.S, replace) << binary.lor(P & F)
    expect(Q, (p | q | f) & f, True)
    p = p | q | f
    assert P.reduce_rowwise("lor").new().nvals == np.count_nonzero(p.any(1))
    F << any_pair(F @ A)
    f = multiply(f, dense)
    P(F.S) << 0  # the truths are no longer all true: a mask of values is not the structure
    D = Matrix("INT8", 40, N, engine=engine)
    D(P.V) << 1
    assert (read(D)[0] == (p & ~f)).all()


def test_values_are_not_truths(engine: Any) -> None:
    """A mask of values that are not all true, and operands with false entries."""
    rng = np.random.default_rng(6)
    A, dense = make_graph(engine, rng)
    F, f = make_few(engine, rng, 5, 0.1)
    M, m = make_few(engine, rng, 5, 0.5, "BOOL", False)
    F(~M.V, replace) << any_pair(F @ A)
    F << any_pair(F @ A)
    f = multiply(multiply(f, dense), dense)
    assert isinstance(F._held, WordMatrix)
    there, values = read(binary.lor(F | M).new())
    assert (there == (f | m)).all()
    assert (values == f).all()
    assert not read(binary.land(F & M).new())[1].any()
    assert (read(F)[0] == f).all()
    F(~M.S, replace) << any_pair(F @ A)
    assert (read(F)[0] == (multiply(f, dense) & ~m)).all()


def test_what_is_explained(engine: Any) -> None:
    rng = np.random.default_rng(7)
    A, _ = make_graph(engine, rng)
    F, f = make_few(engine, rng, 64, 0.2)
    A.T.new()
    assert any_pair(F @ A).explain().startswith("wordproduct (pull)\n  words, pull: push would visit")
    F << any_pair(F @ A)
    assert F.plan.why[0].startswith("words, pull: push would visit")
    assert F.plan.nbytes == 8 * N
    assert f.any()


def test_the_first_number_is_written_by_words(engine: Any) -> None:
    """Into an empty matrix: its entries stand where those of the mask do; copies share what is never written again."""
    rng = np.random.default_rng(8)
    M, m = make_few(engine, rng, 30, 0.2, "INT8", 1)
    if not engine.streams_words:
        pytest.skip("entries are packed for products alone")
    C = Matrix("FP32", 30, N, engine=engine)
    C(M.S) << 2.5
    D = C.dup()
    D(M.S) << 4
    expect(D, m, 4.0)
    expect(C, m, 2.5)
    E = Matrix("INT64", 30, N, engine=engine)
    E(M.V) << 1
    assert (read(E)[0] == m).all()


def test_bad_input_is_refused(engine: Any) -> None:
    A = Matrix.from_coo([0, 1], [1, 0], True, nrows=9, ncols=9, engine=engine)
    F = Matrix.from_coo([0, 1], [0, 1], True, nrows=3, ncols=9, engine=engine)
    F << any_pair(F @ A)
    wrong = Matrix("BOOL", 3, 8, engine=engine)
    with pytest.raises(DimensionMismatch, match=r"\(3, 8\)"):
        wrong << any_pair(F @ A)
    with pytest.raises(DimensionMismatch, match=r"mask has shape \(3, 8\)"):
        F(~wrong.S, replace) << any_pair(F @ A)
    with pytest.raises(DimensionMismatch, match=r"mask has shape \(3, 8\)"):
        F(wrong.S) << True
    with pytest.raises(DimensionMismatch, match=r"\(3, 8\)"):
        wrong << F
    with pytest.raises(DomainMismatch, match="INT8"):
        Matrix("INT8", 3, 9, engine=engine)(F.S) << 300


def test_loops_over_truths_run_by_statements(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`gl.loop` takes statements over words where these are faster, and rounds of its own for other bodies."""
    if not engine.streams_words:
        pytest.skip("a loop on a CPU has no host to wait for")
    monkeypatch.setattr(planned, "LEAST_LOOP_ARCS", 0)
    rng = np.random.default_rng(9)
    k = 33
    A, dense = make_graph(engine, rng)
    sources = rng.integers(0, N, k)
    F = Matrix.from_coo(range(k), sources, True, nrows=k, ncols=N, engine=engine)
    level = Matrix("INT32", k, N, engine=engine)

    def search(depth: Any) -> None:
        level(F.S) << depth
        F(~level.S, replace) << any_pair(F @ A)

    done = gl.loop(search, while_entries=F)
    assert done.plan == "statement by statement: its truths are words of 64 rows, which statements compute faster"
    f, levels, depth = np.zeros((k, N), bool), np.full((k, N), -1), 0
    f[np.arange(k), sources] = True
    while f.any():
        levels[f] = depth
        f, depth = multiply(f, dense) & (levels < 0), depth + 1
    assert done.rounds == depth
    expect(level, levels >= 0, levels)
    P = Matrix.from_coo(range(k), sources, 1.0, nrows=k, ncols=N, engine=engine)

    def count(_: Any) -> None:
        P << plus_first(P @ A)

    assert "words" not in gl.loop(count, times=2).plan


def test_a_cpu_packs_what_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for a matrix of low degree, where a search has many levels, and not for a few entries."""
    monkeypatch.undo()
    engine, rng, n = get_engine_named("cpu"), np.random.default_rng(10), 5000
    few = {4: 1000, 60: 1000, 61: 100}
    plans = {}
    for degree, entries in few.items():
        rows, columns = np.repeat(np.arange(n), degree), rng.integers(0, n, n * degree)
        A = Matrix.from_coo(rows, columns, True, nrows=n, ncols=n, engine=engine)
        F = Matrix.from_coo(rng.integers(0, 20, entries), np.arange(entries), True, nrows=20, ncols=n, engine=engine)
        plans[degree] = any_pair(F @ A).explain().split()[0]
    assert plans == {4: "matmat", 60: "wordproduct", 61: "matmat"}


def draw_statement(rng: Any, k: int) -> str:
    """A statement over the truths F, P, Q, the levels L and the graph A; some are over words, others read entries."""
    one, two, three = rng.choice(["F", "P", "Q"], 3)
    mask = rng.choice(["F.S", "~F.S", "P.V", "~P.V", "~L.S", "Q.S", "~Q.S", "L.S"])
    replaced = rng.choice(["", ", replace"])
    number, row, column = rng.integers(1, 5), rng.integers(0, k), rng.integers(0, N)
    return rng.choice(
        [
            f"{one}({mask}{replaced}) << any_pair({two} @ A)",
            f"{one}({mask}{replaced}) << any_pair({two} @ A.T)",
            f"{one}({mask}, binary.lor{replaced}) << any_pair({one} @ A)",
            f"{one} << any_pair({two} @ A)",
            f"L({mask}{replaced}) << {number}",
            f"{one}({mask}{replaced}) << True",
            f"{one}({mask}{replaced}) << {rng.choice(['True', 'False'])}",
            f"L({one}.S, binary.second) << {number}",
            f"L({one}.S, binary.plus) << {number}",
            f"{one}(binary.lor) << {two}",
            f"{one}({mask}{replaced}) << {two}",
            f"{one} << binary.lor({two} | {three})",
            f"{one}({mask}{replaced}) << binary.land({two} & {three})",
            f"{one} = {two}.dup()",
            f"{one}[{row}, {column}] = True",
            f"del {one}[{row}, {column}]",
            f"{one} << {two}.select('valuene', False)",
            "L << L.apply('ainv')",
            f"{one}[{row}, :] << True",
            f"L({one}.S) << L.apply(binary.plus, right={number})",
            f"{one}.clear()",
        ]
    )


@pytest.mark.parametrize("seed", range(5))
def test_random_programs(engine: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same statements by words and by lists leave the same entries."""
    rng = np.random.default_rng([11, seed])
    k = int(rng.choice([2, 33, 64, 70]))
    tools = {"any_pair": any_pair, "lor_pair": lor_pair, "binary": binary, "replace": replace}

    def make() -> dict[str, Any]:
        again = np.random.default_rng([12, seed])
        held = {"A": make_graph(engine, again)[0], "L": Matrix("INT32", k, N, engine=engine)}
        return {**tools, **held, **{name: make_few(engine, again, k, 0.05)[0] for name in "FPQ"}}

    ways = [make(), make()]
    words = 0
    for statement in ["F << any_pair(F @ A)", *(draw_statement(rng, k) for _ in range(30))]:
        for least, names in zip((0, 1 << 60), ways, strict=True):
            monkeypatch.setattr(planned, "LEAST_WORD_CELLS", least)
            exec(statement, names)
        by_words, by_lists = ways
        assert all(not isinstance(by_lists[name]._held, WordMatrix) for name in "FPQL")
        words += sum(isinstance(by_words[name]._held, WordMatrix) for name in "FPQL")
        assert [by_words[name].nvals for name in "FPQL"] == [by_lists[name].nvals for name in "FPQL"], statement
    for name in "FPQL":
        for one, two in zip(read(by_words[name]), read(by_lists[name]), strict=True):
            assert (one == two).all(), name
    assert words
