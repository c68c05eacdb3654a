"""How many modules a first call compiles on ranks with GPUs: of ours as few as here, and of CuPy's none."""

import numpy as np

import graphla as gl
from graphla import binary, select, semiring
from tests.mpi.recorded import trace_modules

PART = list(range(0, 100, 3))


def make_operands(engine):
    """A graph that came from the host, its matrix and vectors."""
    G = gl.generate.kronecker(9, seed=1, weights=(1, 255), engine="cpu")
    A = G.A.to(engine)
    x = gl.Vector.from_dense(np.linspace(0, 1, G.n), engine=engine)
    q = gl.Vector.from_coo(PART, np.ones(len(PART)), size=G.n, engine=engine)
    return {"A": A, "x": x, "q": q, "y": x[: len(PART)].new(), "engine": engine}


def assign_vector(x, y, **_):
    x[PART] << y
    return x


CALLS = {
    "A @ x": (lambda A, x, **_: semiring.plus_times(A @ x).new(), 5),
    "push": (lambda A, q, **_: semiring.plus_times(A.T @ q).new(), 6),
    "reduce rows": (lambda A, **_: A.reduce_rowwise("plus").new(), 5),
    "x[part]": (lambda x, **_: x[PART].new(), 4),
    "A[part, part]": (lambda A, **_: A[PART, PART].new(), 12),
    "A[:, 5]": (lambda A, **_: A[:, 5].new(), 7),
    "A | Aᵀ": (lambda A, **_: binary.plus(A | A.T).new(), 6),
    "x[part] << y": (assign_vector, 9),
    "tril": (lambda A, **_: select.tril(A).new(), 4),
    "min_secondi": (lambda A, q, **_: semiring.min_secondi(A.T @ q).new(), 7),
    "diag": (lambda x, **_: x.diag(), 6),
    "from_coo": (lambda engine, **_: gl.Matrix.from_coo(PART, PART[::-1], 1.5, nrows=100, ncols=100, engine=engine), 6),
}


def case_a_first_call_compiles_few_modules(world):
    if world.size != 2:  # one number of ranks is enough
        return
    for name, (call, most) in CALLS.items():
        cupy, own = trace_modules(world, make_operands, lambda held, call=call: call(**held).nvals)
        assert cupy == [], (name, cupy)
        assert len(own) <= most, f"{name}: {len(own)} modules, by their first kernels: {own}"
