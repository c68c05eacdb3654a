"""A trace in Chrome's trace event format, which Perfetto reads. Times are in microseconds."""

from __future__ import annotations

import json
from typing import Any


def format_events(trace: Any) -> str:
    """Format each operation as a complete event, and the frontier size as a counter; returns JSON text."""
    events: list[dict[str, Any]] = []
    for step in trace.operations:
        start = {"pid": 1, "tid": 1, "ts": step.began * 1e6}
        name = f"{step.direction} {step.equation}" if step.direction else step.equation
        events.append(
            {**start, "name": name, "cat": step.kind, "ph": "X", "dur": step.seconds * 1e6, "args": step.to_dict()}
        )
        if step.kind == "matvec":
            events.append({**start, "name": "frontier", "ph": "C", "args": {"entries": step.frontier}})
    names = [
        {"pid": 1, "name": "process_name", "ph": "M", "args": {"name": "graphla"}},
        {"pid": 1, "tid": 1, "name": "thread_name", "ph": "M", "args": {"name": "operations"}},
    ]
    return json.dumps({"traceEvents": names + events, "displayTimeUnit": "ms"})
