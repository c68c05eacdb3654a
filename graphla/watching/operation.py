"""One operation as a trace keeps it: what was asked, what decided, how much there was to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graphla.planning.steps import MatVec, Plan
from graphla.storage import BitmapVector, CompressedMatrix, FullVector
from graphla.tracing import Profile, Wave
from graphla.watching.equation import equation


@dataclass(frozen=True)
class Operation:
    """One operation of the expression language, or one call of a compiled method.

    Attributes
    ----------
    equation : str
        What was computed, in the notation of the field; the problem and the name of a method.
    kind : str
        The step of the plan: ``"matvec"``, ``"matmat"``, ``"ewise"``, ``"scalar"`` …; ``"method"`` for a method.
    direction : str or None
        ``"push"`` or ``"pull"``; ``"rows"``, ``"dots"`` or ``"tiles"`` for products of matrices; None for a compiled
        method, which decides inside.
    why : tuple of str
        The facts that decided.
    frontier : int or None
        Entries of the vector that was multiplied, or else of the first operand.
    edges : int or None
        Arcs that were read, where that is known: a pull that stops at the first hit does not count them. Of a
        method the arcs that it relaxed, if it counts them.
    result : int or None
        Entries of what was written into, afterwards; of a method the vertices that it reached, where the problem
        tells.
    began, seconds : float
        When it began, in seconds from the start of the trace, and how long it took.
    nbytes : int
        Bytes of the arrays of the result.
    predicted : int
        Bytes that the plan expected at most, beyond the operands.
    engine : str
        Where it ran.
    work : float or None
        Arcs that a method relaxed for each arc of the graph.
    compiling : float
        Seconds of these that went into compiling, or into loading machine code that was compiled before.
    waves : tuple of Wave
        Levels, or ranges of distance, of a compiled search: vertices and the arcs that leave them, from its answer.
    """

    equation: str
    kind: str
    direction: str | None
    why: tuple[str, ...]
    frontier: int | None
    edges: int | None
    result: int | None
    began: float
    seconds: float
    nbytes: int
    predicted: int
    engine: str
    work: float | None = None
    compiling: float = 0.0
    waves: tuple[Wave, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {**asdict(self), "why": list(self.why)}


def described(engine: Any, plan: Plan, result: Any, began: float, compiling: float) -> Operation:
    """The record of a plan that has run, without its time."""
    step = plan.step
    return Operation(
        equation=equation(plan),
        kind=type(step).__name__.removesuffix("Step").lower(),
        direction=getattr(step, "direction", None) or getattr(step, "how", None),
        why=plan.why,
        frontier=frontier(step),
        edges=arcs_read(engine, step),
        result=getattr(result, "nvals", None),
        began=began,
        seconds=0.0,
        nbytes=bytes_of(result),
        predicted=plan.nbytes,
        engine=engine.name,
        compiling=compiling,
    )


@dataclass(frozen=True)
class Call:
    """A call of a compiled method: its graph and name, what it gave and counted, and when it was."""

    graph: Any
    method: str
    result: Any
    counted: list[Any]
    profile: Profile | None
    began: float
    compiling: float


def described_call(call: Call, seconds: float) -> Operation:
    """The record of a compiled method that has run."""
    counted, arcs = call.counted, call.graph.nvals
    relaxed = sum(int(each if isinstance(each, int) else each.item()) for each in counted) if counted else None
    work = relaxed / arcs if relaxed is not None and arcs else None
    answer = call.result if isinstance(call.result, tuple) else (call.result,)
    waves = tuple(call.profile(call.graph, answer)) if call.profile is not None else ()
    return Operation(
        equation=call.method,
        kind="method",
        direction=None,
        why=() if work is None else (f"{work:.3g} arcs relaxed for each of the graph",),
        frontier=None,
        edges=relaxed,
        result=sum(wave.vertices for wave in waves) if waves else None,
        began=call.began,
        seconds=seconds,
        nbytes=sum(int(getattr(part, "nbytes", 0)) for part in answer),
        predicted=0,
        engine=call.graph.engine.name,
        work=work,
        compiling=call.compiling,
        waves=waves,
    )


def frontier(step: Any) -> int | None:
    """Entries of the operand that moves."""
    operand = next((getattr(step, name) for name in ("vector", "of", "left") if hasattr(step, name)), None)
    return getattr(operand, "nvals", None)


def arcs_read(engine: Any, step: Any) -> int | None:
    """Arcs that a product with a vector must read: the rows of its entries in a push, all in a plain pull."""
    if not isinstance(step, MatVec) or not isinstance(step.matrix, CompressedMatrix):
        return None
    if step.direction == "pull":
        stops = step.semiring.add.terminal(step.out) is not None or step.semiring.add.name == "any"
        return None if stops or step.mask is not None else step.matrix.nvals
    rows = engine.transpose(step.matrix) if step.transposed else step.matrix
    degrees = rows.indptr[1:] - rows.indptr[:-1]
    if isinstance(step.vector, FullVector):
        return rows.nvals
    chosen = step.vector.present if isinstance(step.vector, BitmapVector) else step.vector.indices
    return int(degrees[chosen].sum())


def bytes_of(storage: Any) -> int:
    """Bytes of the arrays of a storage; 0 for a plain number."""
    return (
        sum(int(value.nbytes) for value in vars(storage).values() if hasattr(value, "nbytes"))
        if (hasattr(storage, "__dict__"))
        else 0
    )
