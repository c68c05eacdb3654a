"""`loop`: expressions written once, run round after round without going back to Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla import tracing
from graphla.arguments import show, to_int
from graphla.containers.execute import find_engine, run
from graphla.containers.masks import require_mask
from graphla.containers.update import is_scalar, to_accumulator
from graphla.containers.vector import Vector
from graphla.engine.protocol import Engine
from graphla.errors import DimensionMismatch, GraphlaError, NotConverged
from graphla.language.expr import Expr
from graphla.language.recording import Recorded, Round, recorders, refuse_in_loop
from graphla.planning.fusion import Unfused, fuse


class Loop:
    """A loop that has run; `loop` returns it.

    Attributes
    ----------
    plan : str
        ``"one kernel"``, or ``"statement by statement: …"`` with the reason.
    rounds : int
        How many rounds ran.
    pulled : int or None
        How many of the rounds of a kernel pulled; the others pushed. Of statements a trace tells more.

    Examples
    --------
    >>> import graphla as gl
    >>> v = gl.Vector.from_coo([0], [1], size=2)
    >>> def double(depth):
    ...     v << v + v
    >>> gl.loop(double, times=3).rounds, v.to_dict()
    (3, {0: 8})
    """

    def __init__(self, plan: str, rounds: int, pulled: int | None = None) -> None:
        self.plan, self.rounds, self.pulled = plan, rounds, pulled

    def __repr__(self) -> str:
        pulled = "" if self.pulled is None else f", {self.pulled:,} of them pulled"
        return f"loop of {self.rounds:,} rounds{pulled}: {self.plan}"


def loop(
    body: Callable[[Round], object],
    *,
    while_entries: Vector | None = None,
    times: int | None = None,
    max_rounds: int | None = None,
) -> Loop:
    """Run the statements of `body` round after round.

    The body is called once, to record its statements ``out(mask, accum, replace) << expression``; the rounds then run
    what was recorded. It can assign the number of the round, and can look at nothing: no ``nvals``, no ``new()``.

    A body around one product of a square matrix and a vector, with up to six vectors of that size and four bound
    numbers, of real dtypes, becomes one kernel, which decides push or pull in each round; on the GPU it asks the host
    nothing. Any other body, complex numbers, and all under `graphla.trace`, run statement by statement, with the same
    result; `plan` of what is returned says which and why.

    Parameters
    ----------
    body : callable
        Called with the number of the round, from 0 on.
    while_entries : Vector, optional
        Go on as long as this vector has entries, asked before each round.
    times : int, optional
        Stop after so many rounds.
    max_rounds : int, optional
        Raise after so many rounds if `while_entries` still has entries; by default its size and one more. Not with
        `times`.

    Returns
    -------
    Loop
        How many rounds ran, and how.

    Raises
    ------
    NotConverged
        If `max_rounds` rounds were not enough; the vectors are as the last round left them.
    NotSupported
        If the body computes while it is recorded, or its operands live on several engines.
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
    """
    refuse_in_loop("run another loop")
    if not callable(body) or isinstance(body, type):
        raise GraphlaError(f"body={show(body)}: give a function of the number of the round, which writes statements")
    limit = find_limit(while_entries, times, max_rounds)
    depth = Round()
    statements = record_body(body, depth)
    engine = check_statements(statements, while_entries)
    done = run_fused(engine, statements, depth, while_entries, limit)
    if isinstance(done, str):
        done = Loop(f"statement by statement: {done}", run_each(statements, depth, while_entries, limit))
    if times is None and while_entries is not None and done.rounds == limit and while_entries.nvals:
        raise NotConverged(
            f"max_rounds={limit}: while_entries still has {while_entries.nvals:,} entries after {limit:,} rounds; "
            "give a larger max_rounds= if the loop ends at all"
        )
    return done


def find_limit(live: Vector | None, times: int | None, max_rounds: int | None) -> int:
    """The number of rounds after which the loop stops whatever happens."""
    if live is not None and not isinstance(live, Vector):
        raise GraphlaError(f"while_entries={show(live)}: give a Vector, or times= for a number of rounds")
    if (live is None and times is None) or (times is not None and max_rounds is not None):
        raise GraphlaError(
            f"times={show(times)}, max_rounds={show(max_rounds)}: "
            "give while_entries= (with max_rounds= if wanted), or times=, or while_entries= and times="
        )
    name, rounds = ("max_rounds", max_rounds) if times is None else ("times", times)
    if rounds is None:
        return min(live.size + 1, 2**31 - 1)  # type: ignore[union-attr]
    return to_int(rounds, name, 0, 2**31 - 1)


def record_body(body: Callable[[Round], object], depth: Round) -> list[Recorded]:
    """Call the body once and return the statements that it recorded."""
    statements: list[Recorded] = []
    with recorders.open(statements):
        body(depth)
    if not statements:
        raise GraphlaError(f"{body!r} holds no statement `out(mask, accum, replace) << expression`")
    return statements


def check_statements(statements: list[Recorded], live: Vector | None) -> Any:
    """The one engine on which all operands live; what a statement would refuse is refused before the first round."""
    masks = [s.update.mask.of for s in statements if hasattr(s.update.mask, "of")]
    engine = find_engine(*(s.update.out for s in statements), *masks, *([] if live is None else [live]))
    for s in statements:
        out, value = s.update.out, s.value
        require_mask(s.update.mask, out.shape)
        accum = to_accumulator(s.update.accum)
        if isinstance(value, Round):
            continue
        if is_scalar(value):
            s.update.plan_scalar(value, None, accum)
        elif not isinstance(value, Expr):
            s.update.plan_expr(value, None, accum)  # which refuses it
        elif s.update.index is None and value.shape != out.shape:
            raise DimensionMismatch(f"the target has shape {out.shape}, the expression {value.shape}")
        else:
            find_engine(out, value)
    return engine


def run_fused(engine: Engine, statements: list[Recorded], depth: Round, live: Vector | None, limit: int) -> Loop | str:
    """All rounds by the engine at once; or the reason why that cannot be."""
    if tracing.watchers.get_innermost() is not None:
        return "each operation is traced"
    fitting = count_fitting_rounds(statements, limit)
    try:
        plan, vectors = fuse(statements, live, fitting)
    except Unfused as why:
        return str(why)
    whole: Any = plan
    answer = run(engine, whole)
    for slot, storage in zip(plan.body.written_slots, answer.storages, strict=True):
        vectors[slot]._held, vectors[slot].plan = storage, plan
    if answer.rounds == fitting < limit:
        run_each(statements, depth, live, limit, fitting)  # the next round, if there is one, says what does not fit
    return Loop("one kernel", answer.rounds, answer.pulled)


def count_fitting_rounds(statements: list[Recorded], limit: int) -> int:
    """How many of the rounds have numbers that fit the vectors to which the body assigns them."""
    dtypes = [s.update.out.dtype for s in statements if isinstance(s.value, Round)]
    return min([limit, *(dtype.max + 1 for dtype in dtypes if dtype.kind in "iu")])


def run_each(statements: list[Recorded], depth: Round, live: Vector | None, limit: int, done: int = 0) -> int:
    """The rounds one after the other, from number `done` on, a statement at a time; the number of the next."""
    while done < limit and (live is None or live.nvals):
        depth.now = done
        for s in statements:
            s.update.update(s.value)
        done += 1
    return done
