"""A trace in the event format of Chrome, which Perfetto reads: times in microseconds."""

from __future__ import annotations

import json
from typing import Any


def events(trace: Any) -> str:
    """A complete event for each operation, and the size of the frontier as a counter."""
    found: list[dict[str, Any]] = []
    for step in trace.operations:
        place = {"pid": 1, "tid": 1, "ts": step.began * 1e6}
        name = f"{step.direction} {step.equation}" if step.direction else step.equation
        found.append(
            {**place, "name": name, "cat": step.kind, "ph": "X", "dur": step.seconds * 1e6, "args": step.to_dict()}
        )
        if step.kind == "matvec":
            found.append({**place, "name": "frontier", "ph": "C", "args": {"entries": step.frontier}})
    names = [
        {"pid": 1, "name": "process_name", "ph": "M", "args": {"name": "graphla"}},
        {"pid": 1, "tid": 1, "name": "thread_name", "ph": "M", "args": {"name": "operations"}},
    ]
    return json.dumps({"traceEvents": names + found, "displayTimeUnit": "ms"})
