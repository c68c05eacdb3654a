"""Work efficiency: whoever wants to know how many arcs a method relaxed puts a list here."""

from __future__ import annotations

from typing import Any

listeners: list[list[tuple[str, Any]]] = []


def relaxed(method: str, arcs: Any) -> None:
    """Tell the listeners; `arcs` is a number, or an array of one that may still be on its way."""
    for heard in listeners:
        heard.append((method, arcs))
