"""The command `graphla`: the modules of this folder are commands, and each problem is one."""

from __future__ import annotations

import sys

from graphla.common.errors import NotSupported
from graphla.common.extras import require

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit: 0 done, 1 the work failed, 2 bad input, 130 stopped by Ctrl-C."""
    try:
        require("click", "cli", "the command line")
        require("rich", "cli", "the command line")
    except NotSupported as error:
        sys.exit(f"graphla: {error}")
    from graphla.doors.cli._main import run_and_exit

    run_and_exit()
