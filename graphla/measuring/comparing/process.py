"""Controls the worker process: sends requests, waits within the time limit, restarts it after a hang or a crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe
from typing import Any

from graphla.common.errors import GraphlaError
from graphla.measuring.comparing.job import Job

OPENING = 600.0
"""Seconds that a new process may take to start and to load the graph."""


class Unanswered(Exception):
    """A request got no answer; the arguments are a status and a message."""


class Worker:
    """A process with a job; it starts at the first request, and again after it was killed or died."""

    def __init__(self, job: Job, quiet: bool = False) -> None:
        self.job, self.quiet = job, quiet
        self.process: subprocess.Popen[bytes] | None = None
        self.pipe: Any = None

    def ready(self) -> None:
        """Start the process if it does not run."""
        if self.process is None:
            self.start()

    def start(self) -> None:
        """Start a new process and open the job in it."""
        self.pipe, other = Pipe()
        command = [sys.executable, "-m", "graphla.measuring.comparing.worker", str(other.fileno())]
        where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        where |= {"GRAPHLA_QUIET": "1"} if self.quiet else {}
        self.process = subprocess.Popen(command, pass_fds=[other.fileno()], env=where, stdin=subprocess.DEVNULL)
        other.close()
        try:
            self.exchange(OPENING, "open", self.job)
        except Unanswered as error:
            self.end()
            raise GraphlaError(f"the comparison could not start: {error.args[1]}") from None

    def exchange(self, seconds: float, *message: Any) -> Any:
        """Send a request to the process and return its value.

        Raises
        ------
        Unanswered
            If the process refuses or fails, dies, or takes longer than `seconds`.
        """
        try:
            self.pipe.send(message)
            if not self.pipe.poll(max(0.0, seconds)):
                self.end()
                raise Unanswered("stopped", f"no answer within the time limit ({seconds:.3g} s were left)")
            status, value = self.pipe.recv()
        except (EOFError, OSError):
            raise Unanswered("failed", f"the process {self.describe_end()}") from None
        if status != "done":
            raise Unanswered(status, value)
        return value

    def describe_end(self) -> str:
        """Describe how the process ended."""
        code = self.process.wait() if self.process else 0
        self.end()
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def end(self) -> None:
        """Kill the process if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.pipe.close()
            self.process = None
