"""What the methods on the GPU have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def launch_grid(G: Any, name: str, threads: int, parameters: Any, file: str | None = None) -> None:
    """Launch a kernel on all blocks that the device holds at once; `file` is its file, if not of its name."""
    path = Path(__file__).with_name(f"{file or name}.cuh")
    kernel = G.engine.kernel(path, f"{name}<{G.engine.c_type(G.csr.indptr)}>", cooperative=True, takes=type(parameters))
    kernel(G.cached(f"components.{name}.grid", lambda _: kernel.resident_blocks(threads)), threads, parameters)
