"""The worker process: it may hang, crash or run out of memory without stopping the comparison.

Started as ``python -m graphla.comparing.worker DESCRIPTOR`` with one end of a pipe. It answers each request with
``("done", value)`` or ``(status, message)``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from graphla.common.errors import NotSupported
from graphla.measuring.comparing.contest import Contest, Refused

PR_SET_PDEATHSIG = 1


def main(descriptor: int) -> None:
    """Answer requests until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    pipe = Connection(descriptor)
    contest: Contest | None = None
    while True:
        try:
            request, *arguments = pipe.recv()
        except EOFError:
            return
        if request == "open":
            contest, reply = open_contest(*arguments)
        else:
            reply = answer_request(contest, request, arguments)
        pipe.send(reply)


def open_contest(job: Any) -> tuple[Contest | None, tuple[str, Any]]:
    """Open a job; return its contest and the reply."""
    try:
        return Contest(job), ("done", None)
    except Exception as error:
        return None, ("failed", format_error(error))


def answer_request(contest: Any, request: str, arguments: list[Any]) -> tuple[str, Any]:
    """Answer a request with a value or with what went wrong."""
    try:
        return "done", getattr(contest, request)(*arguments)
    except Refused as error:
        return "refused", str(error)
    except NotSupported as error:
        return "refused", format_error(error)
    except Exception as error:
        return "failed", format_error(error)


def format_error(error: BaseException) -> str:
    """Format an error as one line."""
    text = " ".join(str(error).split())
    return text if type(error).__module__.startswith("graphla.") else f"{type(error).__name__}: {text}"


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent ends, where it can."""
    if sys.platform == "win32":
        return
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        return


if __name__ == "__main__":
    main(int(sys.argv[1]))
