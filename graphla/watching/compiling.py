"""How long this process has compiled, on whichever engine is in use."""

from __future__ import annotations

import sys

COMPILERS = "graphla.engine.cpu.jit", "graphla.engine.cuda.launch"


def seconds_compiling() -> float:
    """Seconds so far; an engine that nobody has loaded is not loaded to ask it."""
    return sum(sys.modules[name].seconds_compiling() for name in COMPILERS if name in sys.modules)
