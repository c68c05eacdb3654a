"""Calls that work, of everything that users may call, with arguments to replace."""

from __future__ import annotations

from tests.fuzz.calls import algebra, containers, expressions, graphs, ranks, roads, samples
from tests.fuzz.calls.call import Call, make_operands

__all__ = ["Call", "list_calls", "make_operands"]


def list_calls() -> list[Call]:
    """All of them, in a fixed order."""
    return [
        call
        for module in (containers, expressions, graphs, algebra, roads, samples, ranks)
        for call in module.list_calls()
    ]
