"""The time that this process has spent compiling, on all engines together."""

from __future__ import annotations

import sys

COMPILERS = "graphla.engine.cpu.jit", "graphla.engine.cuda.launch"


def seconds_compiling() -> float:
    """Return the seconds so far. Engines that are not imported yet have compiled nothing and are not imported."""
    return sum(sys.modules[name].seconds_compiling() for name in COMPILERS if name in sys.modules)
