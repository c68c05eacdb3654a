"""The rules of an engine: for each kind of step the ways to run it, of which the first that applies is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """One way to run a step.

    Parameters
    ----------
    name : str
        What it is, as the plan shows it.
    run : callable
        ``run(engine, step)`` gives the result, which the engine then writes into the target of the plan; of a `whole`
        rule ``run(engine, plan)`` gives what the target holds afterwards.
    when : callable, optional
        Whether the rule applies to a step, or if it is `whole` to a plan: a look at kinds and sizes that computes
        nothing. None: always.
    whole : bool
        Whether the rule takes the plan.
    """

    name: str
    run: Callable[..., Any]
    when: Callable[[Any], bool] | None = None
    whole: bool = False


class Write(NamedTuple):
    """One way to write a result: ``run(engine, plan, result, part)``, where ``when(...)`` of the same holds.

    `part` is what an assignment covers, None for all of the target.
    """

    run: Callable[..., Any]
    when: Callable[..., bool] | None = None


Rules = Mapping[type[Any], tuple[Rule, ...]]
Writes = Mapping[type[Any], tuple[Write, ...]]


def put_first(own: Mapping[Any, tuple[Any, ...]], rest: Mapping[Any, tuple[Any, ...]]) -> Any:
    """Return a table in which the rules of an engine come before those of every engine."""
    return {kind: (*own.get(kind, ()), *rest.get(kind, ())) for kind in {**rest, **own}}
