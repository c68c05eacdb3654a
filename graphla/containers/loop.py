"""`loop`: expressions written once, run round after round without going back to Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import CodeType, FunctionType
from typing import Any

from graphla.common.arguments import show, to_int
from graphla.common.config import config
from graphla.common.errors import (
    DimensionMismatch,
    DomainMismatch,
    GraphlaError,
    IndexOutOfBounds,
    NotConverged,
    NotSupported,
)
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import budget
from graphla.containers import display
from graphla.containers.execute import find_engine, run
from graphla.containers.matrix import Matrix
from graphla.containers.scalar import Scalar
from graphla.containers.update import is_scalar
from graphla.containers.vector import Vector
from graphla.engine import tracing
from graphla.language.expr import Expr, list_leaves
from graphla.language.index import resolve_index
from graphla.language.masks import require_mask
from graphla.language.recording import Recorded, Recording, Round, recorders, refuse_in_loop
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.key import make_loop_key
from graphla.planning.loops.plans import ReadyLoop, get_planned, keep_planned, plan_loop
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.word_plans import runs_by_words

ROOM_TIMES = 3
"""Bytes of a loop over arrays of fixed size relative to those of its containers: queues, and copies of results."""
ALWAYS_ROOM = 1 << 26
"""Bytes of containers for which free memory is not asked for."""


class Loop:
    """A loop that has run; `loop` returns it.

    Attributes
    ----------
    plan : str
        ``"one kernel"``; of a body over arrays of fixed size ``"one CUDA graph"``, on the CPU ``"compiled rounds"``, or
        how else its launches were repeated; or ``"statement by statement: …"`` with the reason.
    rounds : int
        How many rounds ran.
    pulled : int or None
        How many of the rounds of a kernel pulled; the others pushed. Of statements a trace tells more.
    why : tuple of str
        The facts that decided, which `explain` shows.

    Examples
    --------
    >>> import graphla as gl
    >>> v = gl.Vector.from_coo([0], [1], size=2)
    >>> def double(depth):
    ...     v << v + v
    >>> gl.loop(double, times=3).rounds, v.to_dict()
    (3, {0: 8})
    """

    def __init__(
        self, plan: str, rounds: int, pulled: int | None = None, why: Callable[[], tuple[str, ...]] = tuple
    ) -> None:
        self.plan, self.rounds, self.pulled, self._why = plan, rounds, pulled, why

    @property
    def why(self) -> tuple[str, ...]:
        """The facts that decided."""
        return self._why()

    def explain(self) -> str:
        """Say which form of a loop ran and why, how each container was stored, and how products were computed.

        Returns
        -------
        str
            One fact per line.

        Examples
        --------
        >>> import graphla as gl
        >>> v = gl.Vector.from_coo([0], [1], size=2)
        >>> "INT64" in gl.loop(lambda _: v << v + v, times=3).explain()
        True
        """
        return "\n".join([repr(self), *(f"  {line}" for line in self.why)])

    def __repr__(self) -> str:
        pulled = "" if self.pulled is None else f", {self.pulled:,} of them pulled"
        return f"loop of {self.rounds:,} {'round' if self.rounds == 1 else 'rounds'}{pulled}: {self.plan}"

    def _repr_html_(self) -> str:
        return display.format_lines(self.explain())


def loop(
    body: Callable[[Round], object],
    *,
    while_entries: Vector | Matrix | None = None,
    while_true: Callable[[], Expr[Scalar]] | Expr[Scalar] | None = None,
    times: int | None = None,
    max_rounds: int | None = None,
) -> Loop:
    """Run the statements of `body` round after round.

    The body is called once, to record its statements ``out(mask, accum, replace) << expression``; the rounds then run
    what was recorded. It can assign the number of the round, write Scalars (``s << v.reduce()``) and use them in
    expressions (``v << v / s``), and can look at nothing: no ``nvals``, no ``new()``, no ``float(s)``.

    A body around one product of a square matrix and a vector, with up to six vectors of that size and four bound
    numbers, of real dtypes, becomes one kernel, which decides push or pull in each round; on the GPU it asks the host
    nothing. A body over vectors and over matrices of few rows or few columns, with any number of products with sparse
    matrices, reductions, Scalars and parts of vectors, becomes a CUDA graph of the kernels of a round, or compiled
    rounds on the CPU. Any other body (results of unknown size, parts of matrices, complex numbers), and all under
    `graphla.trace`, run statement by statement, with the same result; `plan` of what is returned says which and why.

    Parameters
    ----------
    body : callable
        Called with the number of the round, from 0 on.
    while_entries : Vector or Matrix, optional
        Go on as long as this has entries, asked before each round.
    while_true : callable, Scalar or expression, optional
        Go on as long as this is true, asked before each round: a Scalar that the body writes, or a function without
        arguments that returns an expression of one value, ``lambda: abs(x - y).reduce() > tolerance``. It is called
        once, as the body is. An empty value is not true. Needs `times` or `max_rounds`.
    times : int, optional
        Stop after so many rounds.
    max_rounds : int, optional
        Raise after so many rounds if the loop would go on; with `while_entries` by default its (longer) size and one
        more. Not with `times`.

    Returns
    -------
    Loop
        How many rounds ran, and how.

    Raises
    ------
    NotConverged
        If `max_rounds` rounds were not enough; the vectors are as the last round left them.
    NotSupported
        If the body computes while it is recorded, reads a Scalar that it writes, or its operands live on several
        engines.
    DomainMismatch
        If `while_true` is no condition, or nothing that the body writes changes it.
    GraphlaError
        If the body is no function, or the rounds are not limited as they can be.

    Examples
    --------
    Levels of a breadth-first search:

    >>> import graphla as gl
    >>> from semirings import any_pair
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
    >>> q, level = gl.Vector.from_coo([0], [True], size=4), gl.Vector("INT32", 4)
    >>> def step(depth):
    ...     level(q.S) << depth
    ...     q(~level.S, gl.replace) << any_pair(G.A.T @ q)
    >>> gl.loop(step, while_entries=q).rounds
    3
    >>> level.to_dict()
    {0: 0, 1: 1, 2: 2}

    Powers of a matrix, until a round changes little:

    >>> from semirings import plus_times
    >>> x, y, norm = gl.Vector.from_dense([1.0, 0, 0, 0]), gl.Vector.from_scalar(0.0, 4), gl.Scalar("FP64")
    >>> def power(_):
    ...     y << x
    ...     x(gl.binary.plus) << plus_times(G.A.T @ y)
    ...     norm << x.reduce("plus")
    ...     x << x / norm
    >>> gl.loop(power, while_true=lambda: abs(x - y).reduce() > 1e-6, max_rounds=100).rounds
    21
    """
    refuse_in_loop("run another loop")
    if not callable(body) or isinstance(body, type) or not takes(body, 1):
        raise GraphlaError(f"body={show(body)}: give a function of the number of the round, which writes statements")
    limit = find_limit(while_entries, while_true, times, max_rounds)
    depth = Round()
    statements = record_body(body, depth)
    condition = None if while_true is None else record_condition(while_true, statements)
    task = Task(statements, depth, while_entries, condition)
    done = run_fused(task, limit)
    if isinstance(done, str):
        done = Loop(f"statement by statement: {done}", run_each(task, limit))
    if times is None and done.rounds == limit and task.goes_on():
        raise NotConverged(
            f"max_rounds={limit}: {task.describe_rest()} after {limit:,} rounds; give a larger "
            "max_rounds= if the loop ends at all"
        )
    return done


@dataclass(frozen=True, eq=False)
class Task:
    """What a loop repeats, and what decides whether it goes on."""

    statements: list[Recorded]
    depth: Round
    live: Vector | Matrix | None
    condition: Any

    def goes_on(self) -> bool:
        """Whether another round is to run, if their number allows it."""
        if self.condition is not None:
            return bool(self.condition._value)
        return self.live is None or bool(self.live.nvals)

    def describe_rest(self) -> str:
        """Say why another round would run."""
        if self.condition is not None:
            return "while_true is still true"
        return f"while_entries still has {self.live.nvals:,} entries" if self.live is not None else "the loop goes on"


def find_limit(live: Vector | Matrix | None, condition: Any, times: int | None, max_rounds: int | None) -> int:
    """The number of rounds after which the loop stops whatever happens."""
    if live is not None and not isinstance(live, (Vector, Matrix)):
        raise GraphlaError(f"while_entries={show(live)}: give a Vector or a Matrix, or times= for a number of rounds")
    if live is not None and condition is not None:
        raise GraphlaError(f"while_entries={show(live)}, while_true={show(condition)}: give one of the two")
    if (live is None and condition is None and times is None) or (times is not None and max_rounds is not None):
        raise GraphlaError(
            f"times={show(times)}, max_rounds={show(max_rounds)}: give while_entries= (with max_rounds= if wanted), "
            "or while_true= with max_rounds=, or times=, or one of these conditions and times="
        )
    name, rounds = ("max_rounds", max_rounds) if times is None else ("times", times)
    if rounds is None and live is None:
        raise GraphlaError("max_rounds=None: give max_rounds= or times= with while_true=, which may never become false")
    if rounds is None:
        return min(max(live.shape) + 1, 2**31 - 1)  # type: ignore[union-attr]
    return to_int(rounds, name, 0, 2**31 - 1)


def record_body(body: Callable[[Round], object], depth: Round) -> list[Recorded]:
    """Call the body once and return the statements that it recorded."""
    with recorders.open(Recording()) as recording:
        body(depth)
        for s in recording.statements:
            settle_index(s.update)
    if not recording.statements:
        raise GraphlaError(f"{body!r} holds no statement `out(mask, accum, replace) << expression`")
    require_unread(recording.reads, recording.statements, "the body")
    return recording.statements


def settle_index(update: Any) -> None:
    """Check the index of a statement; that of a vector of positions, which a round may write, stays what it is."""
    if getattr(update, "index", None) is not None:
        update.index = resolve_index(update.index, update.out.shape)


def require_unread(reads: list[Any], statements: list[Recorded], who: str) -> None:
    """Refuse that the host reads a Scalar which the body writes: it would get the value from before the loop."""
    written = {id(s.update.out) for s in statements}
    for scalar in reads:
        if id(scalar) in written:
            raise NotSupported(
                f"{who} reads {show(scalar)} on the host, and the body writes it: its value is known in a round alone. "
                "Use the Scalar itself in an expression, v << v / s or s > 3, or write the loop in Python"
            )


def record_condition(condition: Any, statements: list[Recorded]) -> Any:
    """The expression of `while_true`."""
    with recorders.open(Recording()) as recording:
        value = condition() if takes_nothing(condition) else condition
    if recording.statements:
        raise GraphlaError(f"while_true={show(condition)} writes a statement: write it in the body")
    require_unread(recording.reads, statements, "while_true")
    if not isinstance(value, Expr) or value.rank:
        raise DomainMismatch(
            f"while_true={show(value)}: give a Scalar that the body writes, or a function that returns an expression "
            "of one value, such as lambda: abs(x - y).reduce() > tolerance"
        )
    value = value._resolved
    written = {id(s.update.out) for s in statements}
    if not any(id(leaf) in written for leaf in list_leaves(value)):
        raise DomainMismatch(
            f"while_true={show(value)}: the body writes nothing that it reads, so it never changes. An expression that "
            "is given as it is was computed before the loop: give a function, lambda: abs(x - y).reduce() > tolerance"
        )
    return value


def takes_nothing(condition: Any) -> bool:
    """Whether a condition is a function that is called without arguments; an operator is none."""
    if not callable(condition) or isinstance(condition, (Expr, type)) or hasattr(condition, "sort"):
        return False
    return takes(condition, 0)


def takes(function: Any, count: int) -> bool:
    """Whether a function can be called with so many arguments; the signature is asked only where it is not plain."""
    if isinstance(function, FunctionType) and is_plain(function.__code__, count):
        return True
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # of a function without a signature nobody knows
        return bool(count)
    return True


def is_plain(code: CodeType, count: int) -> bool:
    """Whether a function has so many parameters by position, and none by name."""
    return code.co_argcount == count and not code.co_kwonlyargcount


def check_statements(statements: list[Recorded], live: Vector | Matrix | None, condition: Any) -> Any:
    """The one engine on which all operands live; what a statement would refuse is refused before the first round."""
    masks = [s.update.mask.of for s in statements if hasattr(s.update.mask, "of")]
    written = [s.update.out for s in statements]
    read = [s.value for s in statements if isinstance(s.value, Expr)]
    engine = find_engine(*written, *read, *masks, *(each for each in (live, condition) if each is not None))
    for s in statements:
        out, value = s.update.out, s.value
        require_mask(s.update.mask, out.shape)
        if isinstance(value, Round):
            continue
        if not out.rank:
            check_scalar(out, value)
        elif is_scalar(value):
            check_number(s.update, value)
        elif not isinstance(value, Expr):
            s.update.plan_expr(value)  # which refuses it
        elif s.update.index is None and value.shape != out.shape:
            raise DimensionMismatch(f"the target has shape {out.shape}, the expression {value.shape}")
    return engine


def check_number(update: Any, value: Any) -> None:
    """Refuse a number that the target cannot hold; that of a Scalar is known in a round alone."""
    if not isinstance(value, Expr):
        update.plan_scalar(value)


def check_scalar(out: Scalar, value: Any) -> None:
    """Refuse what is no value for a Scalar."""
    if isinstance(value, Expr) and value.rank:
        raise DimensionMismatch(f"a Scalar << an expression of shape {value.shape}: reduce it, or take one entry")
    if not isinstance(value, Expr):
        out.dup().value = value  # which refuses it


@show_interrupts
def run_fused(task: Task, limit: int) -> Loop | str:
    """All rounds by the engine at once; or the reason why that cannot be."""
    statements, traced = task.statements, tracing.watchers.get_innermost() is not None
    spread = any(getattr(s.update.out.engine, "name", None) == "mpi" for s in statements)
    key = None if traced or spread else make_loop_key(statements, task.live, task.condition)
    planned = None if key is None else get_planned(key)
    engine = check_statements(statements, task.live, task.condition) if planned is None else planned.engine
    if traced or spread or engine.name == "mpi":
        return "each operation is traced" if traced else "the operands are spread over ranks"
    if runs_by_words(statements):
        return "its truths are words of 64 rows, which statements compute faster"
    fitting = count_fitting_rounds(statements, limit)
    if planned is not None and key is not None:
        return run_ready(task, engine, planned.fill(key.leaves, fitting), limit)
    ready = plan_loop(task, fitting)
    if key is not None:
        keep_planned(key, engine, ready)
    return run_ready(task, engine, ready, limit)


def run_ready(task: Task, engine: Any, ready: ReadyLoop, limit: int) -> Loop | str:
    """All rounds of a loop that is planned; or the reason why that cannot be."""
    if ready.plan is None:
        return ready.why
    if isinstance(ready.plan, KernelPlan):
        return run_one_kernel(task, engine, ready, limit)
    if ready.plan.body.flagged and (reason := find_missing_room(engine, ready.plan)):
        return f"{ready.why}; as rounds over arrays of fixed size, {reason}"
    return run_rounds(task, engine, ready, limit)


def run_one_kernel(task: Task, engine: Any, ready: ReadyLoop, limit: int) -> Loop:
    """All rounds by one kernel."""
    plan = ready.plan
    answer = run(engine, plan)
    for slot, storage in zip(plan.body.written_slots, answer.storages, strict=True):
        ready.vectors[slot]._held, ready.vectors[slot].plan = storage, plan
    if answer.rounds == plan.limit < limit:
        run_each(task, limit, plan.limit)  # the next round, if there is one, says what does not fit
    return Loop("one kernel", answer.rounds, answer.pulled, lambda: (ready.why,))


def find_missing_room(engine: Any, plan: RoundsPlan) -> str:
    """Why arrays do not fit beside their work space and the results; what has few entries may fit by itself.

    Empty if they do: if they take a third of the bytes that are free, or allowed by ``config.memory_limit``, or less.
    """
    if plan.nbytes <= ALWAYS_ROOM and config.memory_limit is None:
        return ""
    allowed, wanted = budget(engine.xp), ROOM_TIMES * plan.nbytes
    return "" if wanted <= allowed else f"they take {wanted:,} bytes with their work space, and {allowed:,} may be used"


def run_rounds(task: Task, engine: Any, ready: ReadyLoop, limit: int) -> Loop:
    """All rounds over arrays of fixed size by the engine at once.

    Raises
    ------
    IndexOutOfBounds
        If a position in a vector of positions is out of range; nothing is changed then.
    GraphlaError
        If one occurs twice where a place is assigned; nothing is changed then, either.
    """
    plan = ready.plan
    answer = run(engine, plan)
    if answer.misplaced:
        raise IndexOutOfBounds(
            f"in round {answer.rounds} of the loop a vector of positions holds one that is out of range for the vector "
            "that it is an index of; nothing was written"
        )
    if answer.repeated:
        raise GraphlaError(
            f"in round {answer.rounds} of the loop a vector of positions holds one twice, and a place can be assigned "
            "once. What comes to one place is joined by an accumulator that is the operator of a monoid: "
            "v(binary.min)[p] << w; nothing was written"
        )
    if answer.rounds:
        for (slot, _), storage in zip(plan.written, answer.storages, strict=True):
            ready.vectors[slot]._held, ready.vectors[slot].plan = storage, plan
        for cell, scalar in enumerate(ready.scalars):
            if scalar is not None:
                scalar._number = answer.values[cell]
    rounds = run_each(task, limit, plan.limit) if answer.rounds == plan.limit < limit else answer.rounds
    return Loop(answer.how, rounds, why=lambda: (ready.why, *plan.why))


def count_fitting_rounds(statements: list[Recorded], limit: int) -> int:
    """How many of the rounds have numbers that fit the vectors to which the body assigns them."""
    dtypes = [s.update.out.dtype for s in statements if isinstance(s.value, Round)]
    return min([limit, *(dtype.max + 1 for dtype in dtypes if dtype.kind in "iu")])


def run_each(task: Task, limit: int, done: int = 0) -> int:
    """The rounds one after the other, from number `done` on, a statement at a time; the number of the next."""
    while done < limit and task.goes_on():
        task.depth.now = done
        for s in task.statements:
            s.update.update(s.value)
        done += 1
    return done
