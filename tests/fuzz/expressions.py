"""Programs of the common notation, run by graphla and by SuiteSparse:GraphBLAS, on the same entries."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import graphblas as gb
import numpy as np

import graphla as gl
from graphla.storage import FullVector
from graphla.storage.formats import as_bitmap, as_sparse
from tests.fuzz.programs import FILLS, Operand, Program, write


class Difference(AssertionError):
    """Both libraries computed, and not the same."""


def draw_values(operand: Operand, count: int, rng: np.random.Generator) -> Any:
    """Small values of which sums and products are exact in any order, or the ends of the dtype, whose sums wrap."""
    if operand.dtype == "BOOL":
        return rng.integers(0, 2, count).astype(bool)
    if operand.ends:
        ends = np.iinfo(operand.dtype.lower())
        return rng.choice(np.array([ends.min, ends.min + 1, 0, 1, ends.max - 1, ends.max], ends.dtype), count)
    low = 0 if operand.dtype.startswith("U") else -2
    return rng.integers(low, 4, count).astype(gl.Vector(operand.dtype, 1).dtype.numpy)


def make(operand: Operand, engine: Any) -> tuple[Any, Any]:
    """The container in both libraries."""
    rng = np.random.default_rng(operand.seed)
    cells = int(np.prod(operand.shape))
    places = np.flatnonzero(rng.random(cells) < operand.fill)
    held = draw_values(operand, places.size, rng)
    if len(operand.shape) == 1:
        size = operand.shape[0]
        ours = gl.Vector.from_coo(places, held, operand.dtype, size=size, engine=engine)
        return to_form(ours, operand.form), gb.Vector.from_coo(places, held, operand.dtype, size=size)
    rows, cols = places // max(1, operand.shape[1]), places % max(1, operand.shape[1])
    shape = {"nrows": operand.shape[0], "ncols": operand.shape[1]}
    theirs = gb.Matrix.from_coo(rows, cols, held, operand.dtype, **shape)
    if places.size == cells and operand.form == "full" and cells:
        return gl.Matrix.from_dense(held.reshape(operand.shape), dtype=operand.dtype, engine=engine), theirs
    return gl.Matrix.from_coo(rows, cols, held, operand.dtype, engine=engine, **shape), theirs


def to_form(v: Any, form: str) -> Any:
    """The vector with its storage sparse, bitmap or (where every entry is there) full."""
    xp, made = v.engine.xp, v.dup()
    if form == "full" and v.nvals == v.size:
        made._held = FullVector(as_bitmap(xp, v._storage).values.copy())
    else:
        made._held = as_sparse(xp, v._storage) if form == "sparse" else as_bitmap(xp, v._storage)
    return made


def make_namespace(lib: Any, containers: dict[str, Any]) -> dict[str, Any]:
    """What a statement may name."""
    return {**list_names(lib), "np": np, "like": cast_like, **containers}


def list_names(lib: Any) -> dict[str, Any]:
    """The operators of a library."""
    names = ("binary", "unary", "monoid", "semiring", "select", "indexunary")
    return {name: getattr(lib, name) for name in names}


def cast_like(of: Any, number: int) -> Any:
    """A number in the dtype of a container: the libraries take plain ints for different dtypes."""
    dtype = of.dtype
    return np.dtype(getattr(dtype, "numpy", None) or dtype.np_type).type(number)


def run(program: Program, engine: Any = "cpu") -> None:
    """Run a program in both libraries.

    Raises
    ------
    Difference
        If the containers differ after a statement, or one library refuses what the other computes.
    """
    pairs = {operand.name: make(operand, engine) for operand in program.operands}
    ours, theirs = ({name: pair[side] for name, pair in pairs.items()} for side in (0, 1))
    for statement in program.statements:
        errors = [attempt(statement, make_namespace(lib, held)) for lib, held in ((gl, ours), (gb, theirs))]
        if is_narrower(errors[1]):
            return
        if (errors[0] is None) != (errors[1] is None):
            raise Difference(f"{program}\nin {statement}\ngraphla: {errors[0]!r}\nSuiteSparse: {errors[1]!r}")
        if errors[0] is not None:
            return
        for name in ours:
            compare(program, statement, name, ours[name], theirs[name])


def is_narrower(error: Exception | None) -> bool:
    """Whether python-graphblas lacks an operator on a dtype that graphla has, as `docs/coming_from.md` says."""
    return isinstance(error, KeyError) and "does not work with" in str(error)


def attempt(statement: str, names: dict[str, Any]) -> Exception | None:
    try:
        exec(statement, names)
    except Exception as error:
        return error
    return None


def compare(program: Program, statement: str, name: str, ours: Any, theirs: Any) -> None:
    *here, mine = (np.asarray(ours.engine.to_host(part)) for part in ours.to_coo())
    *there, other = (np.asarray(part) for part in theirs.to_coo())
    same = all(a.tolist() == b.tolist() for a, b in zip(here, there, strict=True))
    with contextlib.suppress(TypeError):
        same = same and np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    if not same:
        raise Difference(f"{program}\nafter {statement}\n{name} here:\n{ours!r}\nthere:\n{theirs!r}")


def shrink(program: Program, engine: Any = "cpu") -> Program:
    """The same failure with fewer statements, and operands with fewer entries."""
    for smaller in make_smaller(program):
        if fails(smaller, engine):
            return shrink(smaller, engine)
    return program


def make_smaller(program: Program) -> Iterator[Program]:
    """The program without one statement, then with one operand of fewer entries."""
    if len(program.statements) > 1:
        yield from (program.drop(k) for k in reversed(range(len(program.statements))))
    for k, operand in enumerate(program.operands):
        for fill in [fill for fill in FILLS if fill < operand.fill][:1]:
            operands = (*program.operands[:k], replace(operand, fill=fill), *program.operands[k + 1 :])
            yield replace(program, operands=operands)


def fails(program: Program, engine: Any) -> bool:
    try:
        run(program, engine)
    except Difference:
        return True
    except Exception:
        return False
    return False


def check(seed: int, engine: Any = "cpu") -> None:
    """Run the program of a seed.

    Raises
    ------
    Difference
        Of the smallest program that still shows the fault.
    """
    program = write(seed)
    try:
        run(program, engine)
    except Difference:
        run(shrink(program, engine), engine)
        raise
