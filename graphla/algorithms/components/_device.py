"""What the methods on the GPU have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def offset(csr: Any) -> str:
    """The C++ type of the row pointers."""
    return "int" if csr.indptr.dtype == np.int32 else "long long"


def launch_grid(G: Any, file: str, threads: int, parameters: Any) -> None:
    """Launch the kernel of a file's name on all blocks that the device holds at once, with a struct of parameters."""
    path = Path(__file__).with_name(f"{file}.cuh")
    kernel = G.engine.kernel(path, f"{file}<{offset(G.csr)}>", cooperative=True, takes=type(parameters))
    kernel(G.cached(f"components.{file}.grid", lambda _: kernel.resident_blocks(threads)), threads, parameters)
