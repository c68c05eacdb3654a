"""What a small statement costs the caller: ``python asv_bench/small_statements.py [--size N] [--rounds N]``.

The same statements run in graphla and in python-graphblas, in turn, so that a slow phase of the machine affects both;
the time of each is that of the calling thread on its processor, the least of the rounds. The last line is the
geometric mean of the ratios. Operands have a hundred vertices: what is measured is the way from Python to a kernel.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import exp, log
from time import thread_time
from timeit import Timer
from types import SimpleNamespace
from typing import Any

import numpy as np

import graphla as gl
import semirings

OURS = SimpleNamespace(
    Matrix=gl.Matrix, Vector=gl.Vector, replace=gl.replace, **{s: getattr(semirings, s) for s in ("binary", "semiring")}
)
CALLS = 50
"""Calls of a statement that are timed together."""

STATEMENTS = {
    "level(q.S) << d": lambda s: s.level(s.q.S) << 3,
    "q(~level.S, replace) << any_pair(A.T @ q)": lambda s: s.hit(~s.level.S, s.replace) << s.any_pair(s.A.T @ s.q),
    "w << plus_times(A @ x)": lambda s: s.w << s.plus_times(s.A @ s.x),
    "w << plus(x & y)": lambda s: s.w << s.plus(s.x & s.y),
    "w << plus(x | q)": lambda s: s.w << s.plus(s.x | s.sparse),
    "w(min) << min_plus(A.T @ q)": lambda s: s.best(s.min) << s.min_plus(s.A.T @ s.sparse),
    "w(plus) << x": lambda s: s.w(s.plus) << s.x,
    "w << x.apply(times, .85)": lambda s: s.w << s.x.apply(s.times, right=0.85),
    "x.reduce(plus)": lambda s: s.x.reduce(s.plus).new().value,
    "w[5] = 2": lambda s: s.w.__setitem__(5, 2.0),
    "x.get(7)": lambda s: s.x.get(7),
    "x.dup()": lambda s: s.x.dup(),
    "q.to_coo()": lambda s: s.sparse.to_coo(),
    "x.isequal(y)": lambda s: s.x.isequal(s.y),
    "C << plus(A | B)": lambda s: s.C << s.plus(s.A | s.B),
    "A[:10, :10]": lambda s: s.A[:10, :10].new(),
    "A.select(>, .5)": lambda s: s.A.select(">", 0.5).new(),
    "A.reduce_rowwise(plus)": lambda s: s.A.reduce_rowwise(s.plus).new(),
}


def import_graphblas() -> Any:
    """The names of python-graphblas that the statements use."""
    import graphblas as gb

    return SimpleNamespace(
        Matrix=gb.Matrix, Vector=gb.Vector, replace=gb.replace, binary=gb.binary, semiring=gb.semiring
    )


def make_operands(library: Any, size: int) -> Any:
    """The operands of the statements, and the operators, in one of the libraries."""
    bits = np.random.default_rng(27)
    rows, columns = np.nonzero(bits.random((size, size)) < 0.1)
    weights, full, few = bits.random(rows.size), bits.random(size), np.arange(0, size, 10)
    made: dict[str, Any] = {
        name: library.Matrix.from_coo(rows, columns, weights, nrows=size, ncols=size) for name in ("A", "B", "C")
    }
    made |= {name: library.Vector.from_coo(np.arange(size), full, size=size) for name in ("x", "y", "w", "best")}
    made |= {name: library.Vector.from_coo(few, np.ones(few.size, bool), size=size) for name in ("q", "hit")}
    made |= {"sparse": library.Vector.from_coo(few, full[few], size=size)}
    made |= {"level": library.Vector.from_coo(few, np.zeros(few.size, int), size=size), "replace": library.replace}
    made |= {name: getattr(library.binary, name) for name in ("plus", "times", "min")}
    return SimpleNamespace(**made, **{s: getattr(library.semiring, s) for s in ("any_pair", "plus_times", "min_plus")})


def measure(statement: Callable[[Any], Any], operands: list[Any], rounds: int) -> list[float]:
    """Microseconds of a statement in each library: the least of the rounds, which alternate between them."""
    timers = [Timer(lambda s=s: statement(s), timer=thread_time) for s in operands]
    for timer in timers:
        timer.timeit(CALLS)
    taken = [[timer.timeit(CALLS) for timer in timers] for _ in range(rounds)]
    return [min(times) / CALLS * 1e6 for times in zip(*taken, strict=True)]


def main() -> None:
    """Print a line for each statement, and the geometric mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=60)
    asked = parser.parse_args()
    gl.config.engine = "cpu"
    operands = [make_operands(library, asked.size) for library in (OURS, import_graphblas())]
    ratios = []
    print(f"{'µs, n = ' + str(asked.size):44} graphla  python-graphblas  ratio")
    for name, statement in STATEMENTS.items():
        ours, theirs = measure(statement, operands, asked.rounds)
        ratios.append(ours / theirs)
        print(f"{name:44} {ours:7.1f} {theirs:17.1f} {ours / theirs:6.2f}")
    print(f"{'geometric mean of the ratios':44} {exp(sum(map(log, ratios)) / len(ratios)):32.2f}")


if __name__ == "__main__":
    main()
