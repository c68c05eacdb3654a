"""Start programs on several ranks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BESIDE = Path(sys.executable).parent / "mpiexec"
MPIEXEC = str(BESIDE) if BESIDE.exists() else shutil.which("mpiexec") or "mpiexec"
"""That of the wheel, else that of the system."""
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def start(ranks, *arguments, timeout=250, options=(), **environment):
    """Run ``python *arguments`` on so many ranks; return what `subprocess.run` returns, output as one text.

    `options` are those of mpiexec; what is in `environment` is added to that of the ranks.
    """
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    settings = {"GRAPHLA_THREADS": "1", "PYTHONPATH": path, "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}
    return subprocess.run(
        [MPIEXEC, *options, "-n", str(ranks), sys.executable, *arguments],
        env={**os.environ, **settings, **AS_ROOT, **environment},
        cwd=ROOT,
        timeout=timeout,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
