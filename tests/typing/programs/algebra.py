"""Algebra as a user writes it, with annotations: no error in strict mode."""

import numpy as np

import graphla as gl
from graphla import Matrix, Scalar, Vector, agg, binary, monoid, replace, select, semiring, unary
from graphla.language.recording import Round
from graphla.typing import SparseMatrix
from semirings import any_pair, min_plus, plus_times, register_binary


def search(A: Matrix, source: int) -> Vector:
    """Levels of a breadth-first search."""
    q: Vector = Vector.from_coo([source], [True], size=A.nrows)
    level: Vector = Vector("INT32", A.nrows)
    depth: int = 0
    while q.nvals:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(A.T @ q)
        depth += 1
    return level


def distances(A: Matrix, source: int, rounds: int) -> Vector:
    d = Vector.from_coo([source], [0.0], "FP64", size=A.nrows)
    for _ in range(rounds):
        d(binary.min) << min_plus(A.T @ d)
    return d


def in_one_loop(A: Matrix, source: int) -> int:
    q, level = Vector.from_coo([source], [True], size=A.nrows), Vector("INT32", A.nrows)

    def step(depth: Round) -> None:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(A.T @ q)

    done = gl.loop(step, while_entries=q, max_rounds=10)
    return done.rounds


def until_it_settles(A: Matrix, f: Vector) -> tuple[Vector, float]:
    x, before, norm = f.dup("FP64"), f.dup("FP64"), Scalar("FP64")

    def step(_: Round) -> None:
        before << x
        x(binary.plus) << plus_times(A.T @ (before * 0.5))
        norm << plus_times(x @ x) ** 0.5
        x << x / norm
        f(binary.min)[f] << f[f]

    gl.loop(step, while_true=lambda: abs(x - before).reduce() > 1e-6, max_rounds=100)
    return x, float(norm)


def count_triangles(A: Matrix) -> int:
    L: Matrix = select.tril(A, -1).new()
    C: Matrix = plus_times(L @ L.T).new(mask=L.S)
    total: Scalar = C.reduce_scalar("plus").new()
    return int(total.get(0))


def rank(A: Matrix, damping: float = 0.85) -> Vector:
    degree: Vector = A.reduce_rowwise(agg.count).new("FP64")
    r = Vector.from_scalar(1.0 / A.nrows, A.nrows)
    for _ in range(20):
        share: Vector = (r / degree).new()
        r = (0.15 / A.nrows + damping * plus_times(A.T @ share).new()).new()
    return r


def parts(A: Matrix, v: Vector) -> tuple[float, Vector, Matrix]:
    row: Vector = A[0, :].new()
    column: Vector = A[[0, 1], 2].new()
    block: Matrix = A[:2, np.array([0, 1])].new()
    cell: Scalar = A[0, 1].new()
    A[0, :] = row
    v[2:4] << column
    v[1] = 3.5
    v += row
    v *= row
    del v[1]
    return float(cell.get(0.0)), v[[0, 1]].new(), block


def make_own_operators(u: Vector, v: Vector) -> list[Vector]:
    """Functions where operators are expected."""
    below: Vector = u.select(lambda x, i, j, thunk: x < i + thunk, 3).new()
    twice: Vector = u.apply(lambda x: 2 * x + 1).new()
    less: Vector = u.apply(lambda x, y: x - 2 * y, right=3).new()
    both: Vector = u.ewise_add(v, lambda x, y: 100 * x + y).new()
    roots: Vector = u.apply(np.sqrt).new()
    u(lambda x, y: x + 2 * y).update(v)
    nearer = semiring.register_anonymous(monoid.min, binary.register_anonymous(lambda x, y: x + 2 * y))
    near: Vector = nearer(v @ v.diag()).new()
    return [below, twice, less, both, roots, near]


def elementwise(u: Vector, v: Vector, S: SparseMatrix) -> Vector:
    both: Vector = binary.times(u & v).new()
    either: Vector = binary.minus(u | v, 0, 0).new("INT64")
    shifted: Vector = (abs(-u) + 1 - v * 2.0).new()
    large: Vector = u.select(">", 3).new()
    true: Vector = u.select(u > v).new()
    dot: Scalar = u.inner(v).new()
    root: Vector = unary.sqrt(u).new()
    less: Vector = binary.minus(1, u).new()
    B: Matrix = Matrix.from_scipy_sparse(S, engine="cpu").dup("FP32").to("cpu")
    outer: Matrix = u.outer(v).new()
    clip = register_binary("clip_of_a_user", lambda a, b: a + b)
    norm = float(agg.hypot(u).new().value)
    print(monoid.plus, dot.is_empty, B.shape, outer.nvals, clip, norm, both.to_dict(), less.to_coo())
    return binary.first(either & shifted).new(mask=large.S) if true.isequal(root) else shifted


def read_expressions(A: Matrix, u: Vector, v: Vector) -> tuple[int, dict[int, float], Matrix]:
    """An expression is read like the container that it gives."""
    sums = u + v
    count: int = sums.nvals + sums.size + plus_times(A @ A).nrows
    total: Scalar = sums.reduce().new()
    square: Matrix = plus_times(A @ A).mxm(A).new()
    return count, sums.to_dict(), square.dup() if total.value else plus_times(A @ A).T.new()


def without_operators(A: Matrix, u: Vector, v: Vector) -> Vector:
    """The default operators: plus_times of a product, lor and land of BOOL."""
    either: Vector = (u | v).new()
    reached: Vector = (A @ either).new()
    v << A @ u
    return ((A @ v) + reached).new()
