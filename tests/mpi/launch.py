"""Start programs on several ranks."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MPIEXEC = Path(sys.executable).parent / "mpiexec"  # of the wheel


def start(ranks, *arguments, timeout=250, options=(), **environment):
    """Run ``python *arguments`` on so many ranks; return what `subprocess.run` returns, output as one text.

    `options` are those of mpiexec; what is in `environment` is added to that of the ranks.
    """
    settings = {"GRAPHLA_THREADS": "1", "PYTHONPATH": str(ROOT), "MPIR_CVAR_POLLS_BEFORE_YIELD": "1", **environment}
    return subprocess.run(
        [str(MPIEXEC), *options, "-n", str(ranks), sys.executable, *arguments],
        env={**os.environ, **settings},
        cwd=ROOT,
        timeout=timeout,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
