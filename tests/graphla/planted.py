"""Methods that misbehave, put into a folder that the search for methods looks through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

HEAD = '''"""Planted by a test."""
import numpy as np
from graphla.errors import NotSupported
from graphla.problem import Method


'''
TAIL = '\n\nmethod = Method(runs={{"{engine}": run}}, idea="planted", source="a test")\n'

BODIES = {
    "wrong": """def run(G, source, settings):
    levels = G.engine.xp.arange(G.n, dtype=np.int32)
    levels[3] = 1
    return levels, None""",
    "raises": """def run(G, source, settings):
    raise KeyError("no luck\\ntoday")""",
    "refuses": """def run(G, source, settings):
    raise NotSupported("never on a Sunday")""",
    "crashes": """def run(G, source, settings):
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)""",
    "hangs": """def forever():
    import time
    while True:
        time.sleep(0.1)


def run(G, source, settings):
    import os, sys
    from concurrent.futures import ThreadPoolExecutor
    print("hanging in", os.getpid(), file=sys.stderr, flush=True)
    return ThreadPoolExecutor(1).submit(forever).result()""",
    "spins": """def run(G, source, settings):
    G.engine.keep_busy(30.0)
    return G.engine.xp.zeros(G.n, np.int32), None""",
}


def plant(folder: Path, *names: str, engine: str = "cpu") -> Path:
    """Write the methods of these names, for an engine, into a folder."""
    for name in names:
        (folder / f"{name}.py").write_text(HEAD + BODIES[name] + TAIL.format(engine=engine))
    return folder


def forget(problem: Any) -> None:
    """Let a problem look for its methods anew."""
    problem.methods.__dict__.pop("found", None)
