"""The process that does the work: it may hang, crash or eat its memory, and the comparison goes on.

Started as ``python -m graphla.comparing.worker DESCRIPTOR`` with one end of a pipe; it answers each request with
``("done", value)`` or ``(status, sentence)``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from graphla.comparing.contest import Contest, Refused
from graphla.errors import NotSupported

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
            contest, reply = opened(*arguments)
        else:
            reply = answered(contest, request, arguments)
        pipe.send(reply)


def opened(job: Any) -> tuple[Contest | None, tuple[str, Any]]:
    """The contest of a job."""
    try:
        return Contest(job), ("done", None)
    except Exception as error:
        return None, ("failed", sentence(error))


def answered(contest: Any, request: str, arguments: list[Any]) -> tuple[str, Any]:
    """The reply to a request: a value, or what went wrong."""
    try:
        return "done", getattr(contest, request)(*arguments)
    except Refused as error:
        return "refused", str(error)
    except NotSupported as error:
        return "refused", sentence(error)
    except Exception as error:
        return "failed", sentence(error)


def sentence(error: BaseException) -> str:
    """An error in a line."""
    text = " ".join(str(error).split())
    return text if type(error).__module__.startswith("graphla.") else f"{type(error).__name__}: {text}"


def die_with_parent() -> None:
    """Ask the system to end this process when the one that started it ends."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        return


if __name__ == "__main__":
    main(int(sys.argv[1]))
