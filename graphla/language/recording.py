"""Recording of the statements in the body of `graphla.loop`, which are not run while they are recorded.

Statements of other threads and asyncio tasks run meanwhile as ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graphla.common.contexts import OpenHere
from graphla.common.errors import NotSupported


@dataclass(frozen=True, eq=False)
class Recorded:
    """A statement ``update << value``; `update` holds the target, the mask and the accumulator."""

    update: Any
    value: Any


@dataclass(frozen=True, eq=False)
class Recording:
    """What the body of a loop does when it is called: its statements, and the Scalars that it reads on the host."""

    statements: list[Recorded] = field(default_factory=list[Recorded])
    reads: list[Any] = field(default_factory=list[Any])


recorders: OpenHere[Recording] = OpenHere("recorders")


def is_recording() -> bool:
    """Whether the body of a loop is being recorded: expressions stay expressions, and are computed in each round."""
    return bool(recorders.anywhere) and recorders.get_innermost() is not None


def note_read(scalar: Any) -> None:
    """Note that the host reads a Scalar: refused after the body is recorded, if the body writes that Scalar."""
    if recorders.anywhere and (recording := recorders.get_innermost()) is not None:
        recording.reads.append(scalar)


def refuse_in_loop(what: str = "look at entries") -> None:
    """Raise if the body of a loop is being recorded: nothing is computed there."""
    if is_recording():
        raise NotSupported(
            f"the body of a loop is recorded once, before its first round, and cannot {what}: write into vectors made "
            "before the loop, or write the loop in Python"
        )


class Round:
    """The number of the current round, from 0 on: the argument of the body, which may assign it to a vector."""

    shape: tuple[int, ...] = ()
    rank = 0

    def __init__(self) -> None:
        self.now: int | None = None

    @property
    def value(self) -> int:
        refuse_in_loop("compute with the number of the round (it may assign it)")
        assert self.now is not None
        return self.now

    def __repr__(self) -> str:
        return "round"

    def _refuse(self, *_: object) -> Any:
        raise NotSupported(
            "the number of the round is not known while the body of a loop is recorded: assign it, v(mask) << round, "
            "or count in a Scalar that the body writes, or write the loop in Python"
        )

    __bool__ = __int__ = __float__ = __index__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __and__ = __rand__ = _refuse
    __hash__ = object.__hash__
