"""A pytest plugin for NetworkX's own tests: what graphla claims must be answered by it; all else runs in NetworkX.

Without it NetworkX marks a test as an expected failure as soon as it calls a function that the backend does not have,
if only to prepare a graph, and would skip most tests of the functions that it has.
"""

from __future__ import annotations

from typing import Any

from networkx.utils.backends import _dispatchable

from graphla.doors.networkx import backend

CALLS: dict[str, int] = {}
"""How often each function of the backend was called."""


def pytest_configure() -> None:
    """Let only functions that are not claimed run in NetworkX."""
    run = _dispatchable._convert_and_call_for_tests

    def call(self: Any, backend_name: str, args: Any, kwargs: Any, *, fallback_to_nx: bool = False) -> Any:
        ours = hasattr(backend, self.name)
        CALLS[self.name] = CALLS.get(self.name, 0) + ours
        return run(self, backend_name, args, kwargs, fallback_to_nx=not ours)

    _dispatchable._convert_and_call_for_tests = call


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Show how many functions of the backend were called."""
    called = sorted(name for name, count in CALLS.items() if count)
    terminalreporter.write_line(f"graphla answered {sum(CALLS.values())} calls of {len(called)} functions")
