"""The language on many ranks: each statement gives what it gives on the engine of one process, on fresh graphs."""

import secrets

import numpy as np

import graphla as gl
from graphla import Matrix, Scalar, Vector, agg, binary, indexunary, monoid, replace, unary
from graphla.common.errors import GraphlaError, NotSupported, OutOfMemory
from graphla.graphs.reading import spreading
from semirings import any_pair, any_secondi, max_firstj, min_first, min_plus, min_secondi1, plus_pair, plus_times
from tests.mpi.cases_communicator import raises

ENGINES = "cpu", "mpi"


class Operands:
    """Random matrices and vectors of one seed on an engine: sparse, full and empty ones, of odd sizes."""

    def __init__(self, seed, engine):
        self.engine, self.rng = engine, np.random.default_rng(seed)
        self.n, self.m = (int(size) for size in self.rng.integers(123, 160, 2))
        n, m = self.n, self.m
        self.A, self.B, self.C = self.matrix(n, n, 6), self.matrix(n, n, 3, "FP64"), self.matrix(n, m, 4)
        self.F = Matrix.from_dense(self.rng.integers(1, 9, (n, m)), engine=engine)
        self.E = Matrix("INT64", n, n, engine=engine)
        self.u, self.v = self.vector(n, 0.5), self.vector(n, 0.3)
        self.few, self.w = self.vector(n, 0.03), self.vector(m, 0.6)
        self.full = Vector.from_dense(self.rng.integers(1, 9, n), engine=engine)
        self.p = Vector.from_dense(self.rng.integers(0, n, n), engine=engine)
        self.bits = self.truths()

    def matrix(self, nrows, ncols, degree, dtype="INT64"):
        cells = np.unique(self.rng.integers(0, nrows * ncols, degree * nrows))
        values = self.rng.integers(-9, 10, cells.size).astype(np.dtype(dtype.lower().replace("fp", "float")))
        return Matrix.from_coo(cells // ncols, cells % ncols, values, nrows=nrows, ncols=ncols, engine=self.engine)

    def vector(self, size, share):
        indices = np.flatnonzero(self.rng.random(size) < share)
        return Vector.from_coo(indices, self.rng.integers(-9, 10, indices.size), size=size, engine=self.engine)

    def truths(self):
        indices = np.flatnonzero(self.rng.random(self.n) < 0.4)
        return Vector.from_coo(indices, self.rng.random(indices.size) < 0.5, size=self.n, engine=self.engine)


def check(world, statements, engines=ENGINES):
    """Run statements on both engines with the same operands, and compare all that they give."""
    seed = world.share_object(secrets.randbits(32))
    held = [Operands(seed, engine) for engine in engines]
    wanted, found = (list(statements(o)) for o in held)
    assert len(wanted) == len(found)
    for number, (one, many) in enumerate(zip(wanted, found, strict=True)):
        compare(one, many, f"result {number} of seed {seed}")


def compare(one, many, where):
    """Compare shape, dtype, entries and their number."""
    if not hasattr(one, "to_coo"):
        one, many = getattr(one, "value", one), getattr(many, "value", many)
        assert one == many or np.isclose(one, many), f"{where}: {many}, not {one}"
        return
    assert (one.shape, one.dtype, one.nvals) == (many.shape, many.dtype, many.nvals), f"{where}: {many!r} {one!r}"
    assert many.engine.name == "mpi", where
    for held, wanted in zip(many.to_coo(), one.to_coo(), strict=True):
        np.testing.assert_allclose(many.engine.to_host(held), wanted, rtol=1e-12, err_msg=where)


def case_products_of_matrix_and_vector(world):
    def statements(o):
        for semiring in (plus_times, any_pair, min_first):
            for v in (o.u, o.few, o.full):
                yield semiring(o.A @ v).new() if semiring is not any_pair else unary.one(semiring(o.A @ v)).new()
                yield min_plus(o.A.T @ v).new()
                yield semiring(v @ o.A).new() if semiring is not any_pair else unary.one(semiring(v @ o.A)).new()
                yield min_plus(v @ o.A.T).new()
        yield plus_times(o.C @ o.w).new()
        yield plus_times(o.C.T @ o.u).new()
        yield plus_times(o.F @ o.w).new()
        yield plus_times(o.u @ o.F).new()
        yield plus_times(o.B @ o.u).new()
        yield plus_times(o.E @ o.u).new()
        yield plus_times((o.A.dup("FC64") * 1j).new() @ o.full).new()
        yield plus_times(o.u @ o.v).new()
        yield min_plus(o.E[0, :].new() @ o.u).new()

    check(world, statements)


def case_products_with_masks_and_accumulators(world):
    def statements(o):
        for direction in ("push", "pull"):
            for mask in (o.v.S, ~o.v.S, o.bits.V, ~o.bits.V, ~o.few.S):
                for accum, clear in ((None, False), (binary.min, True), (None, True)):
                    w = o.u.dup()
                    w(mask=mask, accum=accum, replace=clear, direction=direction) << min_plus(o.A.T @ o.full)
                    yield w
        w = o.full.dup()
        w(binary.plus) << plus_times(o.A @ o.v)
        yield w
        yield plus_times(o.A @ o.v).new(mask=~o.u.S)
        C = o.A.dup()
        C(o.A.S, replace) << plus_times(o.A @ o.A.T)
        yield C
        C(~o.A.S, binary.plus) << plus_times(o.A @ o.A)
        yield C

    check(world, statements)


def case_products_by_position(world):
    def statements(o):
        for semiring in (min_secondi1, max_firstj, *(gl.semiring[f"min_{op}"] for op in ("firsti", "secondj1"))):
            yield semiring(o.A @ o.u).new()
            yield semiring(o.A.T @ o.u).new()
            yield semiring(o.u @ o.A).new()
            yield semiring(o.A @ o.A.T).new()
        yield unary.one(any_secondi(o.A.T @ o.few)).new()

    check(world, statements)


def case_products_of_matrices(world):
    def statements(o):
        for semiring in (plus_times, min_plus, plus_pair):
            yield semiring(o.A @ o.A).new()
            yield semiring(o.A @ o.C).new()
            yield semiring(o.C.T @ o.A).new()
            yield semiring(o.C.T @ o.A.T).new()
            yield semiring(o.C @ o.C.T).new()
        yield plus_times(o.F @ o.F.T).new()
        yield plus_times(o.F.T @ o.A).new()
        yield plus_times(o.A @ o.F).new()
        yield plus_times(o.E @ o.A).new()
        yield plus_pair(o.A @ o.A.T).new(mask=o.A.S)

    check(world, statements)


def case_kronecker_products(world):
    def statements(o):
        for left, right in (((1, 1), (9, 7)), ((2, 3), (5, 4)), ((7, 1), (1, 9)), ((11, 13), (3, 2)), ((4, 4), (1, 1))):
            A, B = (o.matrix(*sides, 1) for sides in (left, right))
            yield A.kronecker(B).new()
            yield A.kronecker(B.T, "minus").new()
            yield A.T.kronecker(B, binary.first).new()
        A, E, F = o.matrix(5, 4, 2, "FP64"), Matrix("INT64", 3, 2, engine=o.engine), o.F[:3, :4].new()
        for left, right in ((A, E), (E, A), (F, A), (A, F), (F, F), (A, Matrix("INT64", 0, 3, engine=o.engine))):
            yield left.kronecker(right).new()
        C = A.kronecker(F).new()
        C(binary.plus) << A.kronecker(F)
        C(~A.kronecker(F).new().S, replace) << F.kronecker(A).new()[: C.nrows, : C.ncols]
        yield C

    check(world, statements)


def case_entry_by_entry(world):
    def statements(o):
        for one, other in (
            (o.u, o.v),
            (o.few, o.full),
            (o.full, o.p),
            (o.A, o.B),
            (o.A, o.A.T),
            (o.E, o.A),
            (o.F, o.F),
        ):
            yield (one + other).new()
            yield (one * other).new()
            yield (one - other).new()
            yield binary.min(one | other).new()
            yield one.ewise_union(other, "minus", 3, 4).new()
            yield (one < other).new()
        w = o.u.dup()
        w(o.few.S) << o.u + o.full
        yield w
        w += o.v
        yield w
        w *= 3
        yield w

    check(world, statements)


def case_apply_and_select(world):
    def statements(o):
        for x in (o.u, o.full, o.few, o.A, o.F, o.A.T, o.E):
            yield unary.ainv(x).new()
            yield (x + 3).new() if x.shape == o.full.shape and x.nvals == o.n else binary.plus(x, 3).new()
            yield binary.minus(2, x).new()
            yield indexunary.rowindex(x, 2).new()
            yield x.select(">", 2).new()
            yield indexunary.valuege(x, 0).new()
        for x in (o.A, o.F, o.A.T, o.C):
            yield indexunary.colindex(x).new()
            for name, thunk in (("tril", 0), ("triu", 1), ("diag", 0), ("offdiag", -2), ("rowle", 9), ("colgt", 11)):
                yield x.select(name, thunk).new()
        w = o.u.dup()
        w(~o.v.S, binary.plus) << o.full.select("rowle", 20)
        yield w

    check(world, statements)


def case_reductions(world):
    def statements(o):
        for x in (o.u, o.full, o.few, o.A, o.B, o.F, o.E):
            for op in ("plus", "min", "max", "times", "any") if x is o.full else ("plus", "min", monoid.max):
                yield x.reduce_scalar(op).new() if x.ndim == 2 else (x.reduce(op).new() if op != "any" else 0)
        for x in (o.A, o.A.T, o.C, o.F, o.E):
            yield x.reduce_rowwise("plus").new()
            yield x.reduce_columnwise("min").new()
            yield x.reduce_rowwise(agg.mean).new()
            yield x.reduce_columnwise(agg.count).new()
        yield o.u.reduce(agg.mean).new()
        yield o.E.reduce_scalar("plus", allow_empty=False).new()
        s = Scalar("INT64")
        s << o.u.reduce("plus")
        yield s

    check(world, statements)


def case_parts_are_extracted(world):
    def statements(o):
        several = o.rng.integers(0, o.n, 17)
        for index in (several, slice(3, 19), slice(None), slice(None, None, -2), [5], np.zeros(0, int), o.p):
            for x in (o.u, o.full, o.few):
                yield x[index].new()
            yield o.A[index, :].new()
            yield o.A[:, index].new()
            yield o.A.T[index, several].new()
            yield o.F[index, 1:7].new()
        for place in (0, 7, o.n - 1):
            yield o.u[place].new()
            yield o.full[place].new()
            yield o.A[place, :].new()
            yield o.A[:, place].new()
            yield o.A[place, [3, 1, 2]].new()
            yield o.A[place, 4].new()
            yield o.F[place, 4].new()
            yield o.A.T[place, 4].new()
            yield o.u.get(place, -99)
        yield o.u[2:9].new(mask=o.u[3:10].new().S)

    check(world, statements)


def case_parts_are_assigned(world):
    def statements(o):
        several = o.rng.permutation(o.n)[:13]
        for index in (several, slice(3, 16), slice(15, 2, -1)):
            for source in (o.full[:13].new(), o.u[:13].new()):
                w = o.u.dup()
                w[index] << source
                yield w
                w(binary.plus)[index] << source
                yield w
                w(~o.v.S, replace)[index] << source
                yield w
            C = o.A.dup()
            C[index, :] << o.A[:13, :]
            yield C
            C(binary.min)[:, index] << o.A[:, 5:18]
            yield C
            C(~o.A.S)[index, index] << o.B[:13, 2:15].new("INT64")
            yield C
            C[index, 3] << o.full[:13]
            yield C
            C[4, index] << o.u[:13]
            yield C
            C[index, index] << 7
            yield C
            w = o.few.dup()
            w[index] << 5
            yield w
            w(o.u.S)[index] << 6
            yield w
        w = o.u.dup()
        w[3] = 11
        del w[5]
        yield w
        w(o.few.S) << 2
        yield w
        w << 3
        yield w
        C = o.A.dup()
        C[2, 3] = 99
        C[1, 1] = 98
        del C[0, 0]
        yield C
        C(o.A.V) << 1
        yield C
        w = o.full.dup()
        w(binary.min)[o.p] << o.full  # repeated places are joined
        yield w
        w(binary.plus)[several[[0, 1, 0, 2]]] << o.u[:4]
        yield w

    check(world, statements)


def case_transposes_and_copies(world):
    def statements(o):
        for x in (o.A, o.C, o.F, o.E):
            yield x.T.new()
            yield x.T.new().T.new()
            yield x.dup()
            yield x.dup("FP64")
        C = o.A.dup()
        C(binary.plus) << o.A.T
        yield C
        yield o.u.dup(clear=True)
        w = o.u.dup()
        w.clear()
        yield w
        w.resize(o.n - 5)
        yield w
        w.resize(o.n + 5)
        yield w
        C.resize(o.n + 3, o.n - 3)
        yield C
        C.setdiag(o.full[: o.n - 3])
        yield C
        C.setdiag(5, 2)
        yield C
        yield o.u.diag(1)
        yield o.A.diag(-1)
        yield (o.u.S | o.v.S).new()
        yield (o.u.S & ~o.v.S).new()
        yield o.u.outer(o.w).new()
        yield o.full.outer(o.few, "minus").new()
        yield (o.A + o.u).new()
        yield (o.A * o.u).new()
        yield (o.u * o.A).new()

    check(world, statements)


def case_parts_may_be_empty(world):
    def statements(o):
        for n, m in ((0, 0), (1, 0), (0, 2), (1, 1), (3, 2), (2, 5)):
            rng = np.random.default_rng(n * 7 + m)
            A, B = (Matrix.from_dense(rng.integers(0, 3, s), 0, engine=o.engine) for s in ((n, m), (m, n)))
            u = Vector.from_dense(rng.integers(0, 3, m), 0, engine=o.engine)
            v = Vector.from_dense(rng.integers(1, 3, n), engine=o.engine)
            yield from (plus_times(A @ u).new(), plus_times(A.T @ v).new(), min_plus(v @ A).new(), v.outer(u).new())
            yield from (plus_times(A @ B).new(), plus_times(B @ A).new(), (A + B.T).new(), A.select("tril").new())
            yield from (A.reduce_rowwise().new(), A.reduce_columnwise().new(), A.reduce_scalar().new(), u.diag())
            if n:
                yield from (v[[0, 0, 0]].new(), v[0].new(), A[0, :].new(), A[[0, 0], :].new())
            v(binary.plus)[:] << plus_times(A @ u)
            A(binary.plus) << 1
            yield from (v, A)

    check(world, statements)


def case_loops(world):
    def statements(o):
        G = gl.generate.kronecker(7, weights=(1, 9), engine=o.engine)
        q, level = Vector.from_coo([3], [True], size=G.n, engine=o.engine), Vector("INT32", G.n, engine=o.engine)

        def step(depth):
            level(q.S) << depth
            q(~level.S, replace) << any_pair(G.A.T @ q)

        done = gl.loop(step, while_entries=q)
        assert o.engine == "cpu" or done.plan == "statement by statement: the operands are spread over ranks"
        yield done.rounds
        yield level
        q, level, depth = (
            Vector.from_coo([3], [True], size=G.n, engine=o.engine),
            Vector("INT32", G.n, engine=o.engine),
            0,
        )
        while q.nvals:
            level(q.S) << depth
            q(~level.S, replace) << any_pair(G.A.T @ q)
            depth += 1
        yield level
        d, before = Vector.from_coo([3], [0], size=G.n, engine=o.engine), Vector("INT64", G.n, engine=o.engine)

        def relax(_):
            before << d
            d(binary.min) << min_plus(G.A.T @ before)

        yield gl.loop(relax, while_true=lambda: d.reduce("plus") != before.reduce("plus"), max_rounds=99).rounds
        yield d

    check(world, statements)


def case_rest_of_a_container(world):
    def statements(o):
        for x in (o.u, o.full, o.A, o.F):
            yield float(x.nvals)
            *_, values = x.head(5)
            yield float(np.sum(values))
            yield float(x.isequal(x.dup())) + 2 * float(x.isclose(x.dup("FP64"))) + 4 * float(x.isequal(-x))
        yield float(sum(o.u.to_dict().values()))
        yield float(o.A.to_dense(0).sum()) + float(o.u.to_dense(3).sum()) + float(o.F.to_numpy().sum())

    check(world, statements)
    o = Operands(world.share_object(secrets.randbits(32)), "mpi")
    assert repr(o.A) == world.share_object(repr(o.A))
    assert "on mpi" in repr(o.u)
    assert o.A.to("cpu").to("mpi").isequal(o.A)
    assert "live on" in raises(NotSupported, lambda: (o.u.to("cpu") + o.u).new())
    product = plus_times(o.A @ o.u)
    for text in (product.explain(), str(product.estimate())):
        assert text == world.share_object(text)
    with gl.config.set(memory_limit=100):
        assert raises(OutOfMemory, product.new) == world.share_object(raises(OutOfMemory, product.new))
    with gl.trace() as traced:
        product.new()
    assert "plus_times(A v)" in str(traced)
    assert world.all_reduce(o.A.nbytes, monoid.plus) > 12 * o.A.nvals
    refused = (
        lambda: gl.Graph(o.A).csr,
        lambda: gl.compare("bfs", gl.Graph(o.A)),
    )
    for work in refused:
        assert world.share_object(raises(NotSupported, work)) == raises(NotSupported, work)


def case_graphs_are_made_in_small_pieces(world):
    before = spreading.SORTED_PIECE, dict(spreading.PIECES)
    spreading.SORTED_PIECE = spreading.PIECES["cpu"] = 100
    many, one = (gl.generate.rmat(7, weights=(1, 9), engine=engine) for engine in ("mpi", "cpu"))
    assert many.A.to("cpu").isequal(one.A)
    spreading.SORTED_PIECE, spreading.PIECES["cpu"] = before[0], before[1]["cpu"]


def case_graphs_are_made_in_parts(world):
    calls = (
        ("kronecker", (8,), {}),
        ("kronecker", (7, 4), {"weights": (1, 9), "seed": 5}),
        ("kronecker", (0,), {}),
        ("rmat", (7,), {"symmetric": False, "weights": (0.0, 1.0)}),
        ("uniform", (300, 7), {}),
        ("from_spec", ("kron:7?weights=1..5",), {}),
        ("path", (30,), {"weights": (1, 9)}),
        ("cycle", (2,), {}),
        ("star", (1,), {}),
        ("complete", (11,), {"weights": (0.0, 1.0)}),
        ("grid2d", (9, 4), {"weights": (1, 9)}),
        ("grid3d", (3, 1, 5), {}),
        ("hubs", (60, 4, 0.1, 7), {"weights": (1, 9), "seed": 4}),
        ("road", (200,), {"weights": (1, 9)}),
        ("road", (2,), {}),
        ("random_geometric", (90, 0.2), {"weights": (1, 9)}),
        ("from_spec", ("rgg:6",), {}),
    )
    for name, arguments, options in calls:
        make = getattr(gl.generate, name)
        many, one = make(*arguments, **options, engine="mpi"), make(*arguments, **options, engine="cpu")
        assert many.A.to("cpu").isequal(one.A, check_dtype=True), name
        assert (many.n, many.nvals, many.symmetric, many.name) == (one.n, one.nvals, one.symmetric, one.name)
    text = raises(GraphlaError, lambda: gl.generate.kronecker(8, simple=False, engine="mpi"))
    assert text == world.share_object(text)
    assert "occurs twice" in text


def case_products_on_emulated_gpus(world):
    from graphla.engine.cuda.engine import CudaEngine
    from graphla.engine.mpi.engine import MpiEngine
    from graphla.engine.mpi.grid import Grid
    from tests.emulator import make_loader

    engine = MpiEngine(Grid(world), CudaEngine(np, make_loader(build="plain")), "emulated")

    def statements(o):
        for direction in ("push", "pull"):
            w = o.u.dup()
            w(mask=~o.v.S, accum=binary.min, direction=direction) << min_plus(o.A.T @ o.full)
            yield w
        yield min_plus(o.A @ o.A).new()
        yield (o.u + o.v).new()
        yield o.A.reduce_columnwise("min").new()
        yield o.u[o.p].new()

    check(world, statements, ("cpu", engine))
