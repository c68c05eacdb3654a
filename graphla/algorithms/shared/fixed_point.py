"""Centralities that are a fixed point: x = step(x), in rounds, with products by expressions or by one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.rounds import check_dtype, check_rounds, check_weights, is_number
from graphla.algorithms.shared.start import cast_anew, read_start
from graphla.common.errors import InvalidOption, NotConverged, Overflow, VerificationError
from graphla.containers.container import move_storage
from graphla.containers.loop import loop
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.planning.schedules import choose_pull_schedule
from graphla.planning.steps import MatVec
from graphla.problem import Problem
from graphla.problem import Settings as Checked
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from graphla.storage.convert import make_full
from graphla.storage.flags import copy_flagged
from graphla.storage.list_kernels import find_list_kernels
from semirings import binary, plus_second, plus_times
from semirings.dtypes import DType

Array = Any
Step = Callable[[Any], Any]
CHANGES, CHANGE_BLOCKS, CHANGE_THREADS = Path(__file__).with_name("changes.cuh"), 256, 256
MAX_ROUNDS = 1000
TOLERANCE = 1e-6
ROUNDING = {"FP32": 1e-6, "FP64": 1e-12}
"""How far sums of values may be from those of float64 (they add up to 1)."""


@dataclass(frozen=True, eq=False)
class Power(Checked):
    """The options of such a centrality.

    `tolerance` is the change of a round, in the sum of absolute differences over the sum of the values, at which the
    rounds end; None for a number of `rounds`. `start` are float64 values on the engine that the rounds begin with; None
    for those that the centrality begins with.
    """

    tolerance: float | None
    rounds: int
    weighted: bool
    dtype: DType
    start: Array | None

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Power:
        """Check the options, and fill in defaults."""
        return cls(**read_options(G, asked))

    def begin(self, G: Any, value: float, dtype: str = "float64") -> Array:
        """What the rounds begin with, a new array on the engine: what the caller gives, or one value for all."""
        return make_full(G.engine.xp, G.n, value, dtype) if self.start is None else cast_anew(self.start, dtype)

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given."""
        return asked

    def require_convergence(self, name: str, residual: float) -> None:
        """Raise if the last round has changed the values by more than the tolerance."""
        if self.tolerance is None or residual <= self.tolerance:
            return
        if not np.isfinite(residual):
            raise NotConverged(f"{name}: {self.describe_growth(name)}", residual)
        raise NotConverged(
            f"{name}: max_rounds={self.rounds}: the last round changed the values by {residual:.3g} of their sum, "
            f"which is more than tolerance={self.tolerance:g}; give a larger max_rounds=, or a larger tolerance="
            f"{self.advise_dtype()}",
            residual,
        )

    def describe_growth(self, name: str) -> str:
        """What to say of values that are infinite or NaN."""
        return f"the values grow beyond {self.dtype.name}: {WAYS_OUT.get(name, 'give smaller weights')}"

    def advise_dtype(self) -> str:
        """What to say of a tolerance that the digits of the dtype may not reach."""
        finest = float(np.finfo(self.dtype.numpy).eps)
        if self.tolerance is None or self.tolerance >= 100 * finest:
            return ""
        finer = "; dtype='FP64' has more" if self.dtype.name == "FP32" else ""
        return f", for the digits of {self.dtype.name} end at {finest:.2g}{finer}"


def read_options(G: Any, asked: Mapping[str, Any], signed: bool = False) -> dict[str, Any]:
    """The options that all have, checked, with defaults; `signed` if values to begin with may be negative."""
    tolerance, rounds, most = asked["tolerance"], asked["rounds"], asked["max_rounds"]
    if rounds is not None and (tolerance is not None or most is not None):
        raise InvalidOption(f"rounds={rounds!r} with tolerance={tolerance!r}, max_rounds={most!r}: give one of them")
    tolerance = TOLERANCE if tolerance is None else tolerance
    if not is_number(tolerance) or not tolerance > 0:
        raise InvalidOption(f"tolerance={tolerance!r}: give a positive number, or rounds= for a number of rounds")
    if rounds is None:
        rounds = MAX_ROUNDS if most is None else check_rounds("max_rounds", most, 1)
    else:
        tolerance, rounds = None, check_rounds("rounds", rounds, 0)
    dtype = check_dtype(asked["dtype"])
    start = read_start(G, asked.get("start"), dtype, signed)
    weighted = check_weights(G, asked["weights"])
    return {"tolerance": tolerance, "rounds": rounds, "weighted": weighted, "dtype": dtype, "start": start}


def iterate(
    step: Step, x: Any, s: Power, change: Callable[[Any, Any], float], swings: bool = False
) -> tuple[Any, float]:
    """Repeat a step until it changes x no more than wanted; return x and the last change.

    Where changes swing, every other round may change little long before x has settled: the larger of the last two
    changes counts.
    """
    last, residual, rounds = 0.0, float("inf"), 0
    with np.errstate(over="ignore", invalid="ignore"):
        while rounds < s.rounds and (s.tolerance is None or residual > s.tolerance):
            before, x = x, step(x)
            former, last = last, 0.0 if s.tolerance is None else change(before, x)
            residual = max(last, former) if swings else last
            rounds += 1
    return x, residual


def repeat(body: Callable[[Vector], Any], x: Vector, s: Power, swings: bool = False) -> float:
    """Repeat statements that compute x of `before`, which the body is given; return the last change, as `iterate`."""
    before, change, total = x.dup(), Scalar("FP64", float("inf")), Scalar("FP64", 1)
    former, last = Scalar("FP64"), Scalar("FP64", 0) if swings else change

    def step(_: Any) -> None:
        before << x
        body(before)
        if swings:
            former << last
        last << abs(x - before).reduce()
        if swings:
            change << binary.max(last, former)
        total << abs(x).reduce()

    tolerance = s.tolerance
    loop(step, while_true=None if tolerance is None else lambda: change > tolerance * total, times=s.rounds)
    return 0.0 if tolerance is None else relate(change.get(0.0), total.get(0.0))


def change_of_arrays(before: Array, after: Array) -> float:
    """The sum of absolute differences over the sum of absolute values."""
    lists: Any = find_list_kernels(before, after)
    if lists is not None:
        return relate(*add_changes(lists.engine, before, after))
    return relate(*(float(abs(each).sum(dtype="float64")) for each in (after - before, after)))


def add_changes(engine: Any, before: Array, after: Array) -> Array:
    """The same two sums by one kernel of a GPU."""
    n, blocks = int(after.size), max(1, min(CHANGE_BLOCKS, -(-int(after.size) // CHANGE_THREADS)))
    sums = engine.xp.empty((2, blocks))
    kernel = engine.kernel(CHANGES, f"add_changes<{engine.c_type(after)}>")
    kernel(blocks, CHANGE_THREADS, (before, after, np.int32(n), sums))
    return engine.to_host(sums).sum(axis=1)


def relate(change: float, total: float) -> float:
    """A change over the sum of all values; infinite if these are all 0 now, and were not before."""
    return change / total if total else float("inf") if change else 0.0


def gatherer(G: Any, rows: CompressedMatrix, s: Power) -> Step:
    """A function of x: for each row the sum of the x of its columns, by the weights of the arcs if they count."""
    if G.engine.name == "cpu":
        from graphla.algorithms.shared.gather_cpu import gather

        values = rows.values.astype(s.dtype.numpy) if s.weighted else None
        return lambda x: gather(rows, values, x)
    return lambda x: gather_by_product(G, rows, s, x)


def gather_by_product(G: Any, rows: CompressedMatrix, s: Power, x: Array) -> Array:
    """The same by the product of the engine."""
    semiring, vector, xp = plus_times if s.weighted else plus_second, FullVector(x), G.engine.xp
    if not rows.nvals:
        return xp.zeros_like(x)
    schedule = choose_pull_schedule(rows, vector, semiring, s.dtype, None)
    step = MatVec(rows, False, vector, semiring, s.dtype, rows.nrows, False, "pull", None, schedule)
    found = G.engine.compute(step)
    if not isinstance(found, BitmapVector):
        return found.values
    held = xp.zeros_like(x)
    copy_flagged(held, found.present, found.values)
    return held


def start(G: Any, s: Power, value: float) -> Array:
    """The values to begin with, as an array of the dtype on the engine."""
    return s.begin(G, value, s.dtype.numpy)


def start_vector(G: Any, s: Power, value: float) -> Vector:
    """The same as a vector of FP64: what is added up over all vertices needs its digits."""
    return Vector.from_dense(s.begin(G, value), engine=G.engine)


def find_semiring(s: Power) -> Any:
    """Sums of the weights times x, or of x alone."""
    return plus_times if s.weighted else plus_second


def finish(G: Any, name: str, s: Power, residual: float, *found: Any) -> tuple[Vector, ...]:
    """Vectors of arrays, if these have settled and are numbers.

    Raises
    ------
    NotConverged
        If they have not settled.
    Overflow
        If a value is infinite or NaN.
    """
    s.require_convergence(name, residual)
    answers = (each if isinstance(each, Vector) else Vector.from_dense(each, engine=G.engine) for each in found)
    try:
        return tuple(map(partial(to_numbers, s.dtype), answers))
    except OverflowError:
        raise Overflow(f"{name}: {s.describe_growth(name)}") from None


def to_numbers(dtype: DType, x: Vector) -> Vector:
    """The vector in its dtype, if no value is infinite or NaN: then x - x is zero."""
    x = x if x.dtype == dtype else x.dup(dtype)
    if not binary.minus(x & x).new().reduce().new().get(0) == 0:
        raise OverflowError
    return x


WAYS_OUT = {"katz": "alpha must be less than 1 over the largest eigenvalue of A; give a smaller one, or fewer rounds"}


def host_matrix(G: Any, weighted: bool, unit: float = 1.0) -> Any:
    """The adjacency matrix over a number in float64 for SciPy."""
    from scipy.sparse import csr_array

    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    values = csr.values.astype(np.float64) / unit if weighted else np.ones(csr.nvals)
    return csr_array((values, csr.indices, csr.indptr), shape=csr.shape)


def verify_fixed_point(name: str, found: Array, step: Step, first: Array, s: Power, norm: Step | None = None) -> None:
    """Assert that a step in float64 changes an answer no more than the tolerance, or that it is that of the rounds.

    And that all values are numbers, of the norm 1.
    """
    if found.shape != first.shape:
        raise VerificationError(f"{name}: the answer has shape {found.shape}, the graph has {first.size} vertices")
    x = found.astype(np.float64)
    if not np.isfinite(x).all():
        v = int(np.flatnonzero(~np.isfinite(x))[0])
        raise VerificationError(f"{name}: vertex {v} has the value {x[v]}")
    rounding = ROUNDING[s.dtype.name]
    if s.tolerance is not None:
        expected, allowed, what = step(x), 2 * s.tolerance + rounding, "a further round changes it"
    else:
        expected, allowed, what = first, rounding, f"it differs from that of {s.rounds} rounds"
        for _ in range(s.rounds):
            expected = step(expected)
    differs = change_of_arrays(x, expected)
    if not differs <= allowed:
        worst = int(np.nan_to_num(abs(expected - x), nan=np.inf).argmax())
        raise VerificationError(
            f"{name}: {what} by {differs:.3g} of its sum, and {allowed:.3g} is allowed; most at vertex {worst}: "
            f"{x[worst]:.8g} instead of {expected[worst]:.8g}"
        )
    if norm is not None and x.size and not abs(norm(x) - 1) <= 1e3 * ROUNDING[s.dtype.name]:
        raise VerificationError(f"{name}: the norm of the values is {norm(x):.8g}, and must be 1")


def describe_difference(found: Any, reference: Any, request: Mapping[str, Any]) -> str | None:
    """Describe how an answer differs from a right one, if by more than two answers within the tolerance may."""
    if found.shape != reference.shape:
        return f"its shape is {found.shape}, not {reference.shape}"
    differs = change_of_arrays(found.astype(float), reference.astype(float))
    if differs <= 1e-4 + 100 * (request.get("tolerance") or TOLERANCE):
        return None
    worst = int(abs(found - reference).argmax())
    return f"by {differs:.3g} of its sum, most at vertex {worst}: {found[worst]:.8g} instead of {reference[worst]:.8g}"


OPTIONS = "tolerance", "rounds", "max_rounds", "weights", "dtype"


class Centrality(Problem):
    """A problem whose answer is a fixed point."""

    def _finish(self, G: Any, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """Vectors, if the last change says that they have settled."""
        *values, residual = found
        return finish(G, self.name, settings, residual, *values)
