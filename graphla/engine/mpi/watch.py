"""Ranks that fail end the others: one that raises, one that is killed, one that leaves while others wait for it.

Each rank holds a connection to rank 0. The kernel closes it when a process ends, whatever ended it, and its probes find
a machine that is gone; a thread per rank notices. Rank 0 decides which fault was first, shows it once, and tells the
others to end. A rank that rank 0 does not answer ends the program by itself.
"""

from __future__ import annotations

import atexit
import json
import os
import secrets
import selectors
import socket
import sys
import threading
import time
import traceback
from typing import Any

from graphla.common.environment import read_seconds, read_switch
from graphla.engine.mpi.calls import CALLS, describe_calls

PROBES = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 20_000}
"""After 5 s of silence a probe every 5 s; three without an answer, or data for 20 s, mean that the machine is gone."""
CONNECTING = 20.0
"""Seconds that connecting may take."""
ANSWER = 3.0
"""Seconds that a rank that raises waits for rank 0."""
TICK = 0.5
"""Seconds between two looks at what this rank waits for."""


def get_patience() -> float:
    """Return the seconds that a rank may wait for one that has left: GRAPHLA_MPI_PATIENCE, or 8."""
    return read_seconds("GRAPHLA_MPI_PATIENCE", 8)


class Watch:
    """The connections of this rank, and the thread that watches them."""

    def __init__(self, host: Any, links: dict[int, socket.socket]) -> None:
        self.host, self.rank, self.size, self.links = host, host.rank, host.size, links
        self.left: set[int] = set()
        self.parts: dict[int, bytes] = {}
        self.comparing: dict[int, str] = {}
        self.told: str | None = None
        self.all_left, self.lock = threading.Event(), threading.Lock()
        self.ending = False
        threading.Thread(target=self.run, name="graphla-watch", daemon=True).start()
        atexit.register(self.leave)
        sys.excepthook = self.end_by_exception

    # --- the thread

    def run(self) -> None:
        """Read messages, notice lost connections, and look at what this rank waits for."""
        with selectors.DefaultSelector() as selector:
            for rank, link in self.links.items():
                selector.register(link, selectors.EVENT_READ, rank)
            while True:
                for key, _ in selector.select(TICK):
                    if not self.read(key.data):
                        selector.unregister(key.fileobj)
                self.look_at_waiting()
                self.look_at_comparing()

    def read(self, rank: int) -> bool:
        """Read from a connection; return whether it is open."""
        try:
            text = self.links[rank].recv(1 << 16)
        except OSError:
            text = b""
        if not text:
            if rank not in self.left:
                self.end_by_loss(rank)
            return False
        *lines, self.parts[rank] = (self.parts.get(rank, b"") + text).split(b"\n")
        for line in lines:
            self.take(json.loads(line))
        return True

    def take(self, message: dict[str, Any]) -> None:
        """Act on a message."""
        if message["kind"] == "end":
            self.die()
        elif message["kind"] == "left":
            self.note_left(message["rank"])
        elif message["kind"] == "all left":
            self.all_left.set()
        elif message["kind"] == "comparing":
            self.note_comparing(message["rank"], message["call"])
        else:
            self.end(message["text"])

    def look_at_waiting(self) -> None:
        """End all if this rank waits in a call for one that has left."""
        waiting = CALLS.waiting
        if waiting is None or time.monotonic() - waiting[1] < get_patience():
            return
        gone = sorted(self.left & set(waiting[2]))
        if gone:
            self.report(f"rank {gone[0]} has ended its program, while rank {self.rank} waits for it in {waiting[0]}")

    def look_at_comparing(self) -> None:
        """Tell rank 0 of a call that this rank has compared in vain with others of its communicator for long."""
        waiting, call = CALLS.waiting, CALLS.compared
        if waiting is None or time.monotonic() - waiting[1] < get_patience():
            call = None
        if call == self.told:
            return
        self.told = call
        if self.rank == 0:
            self.note_comparing(0, call)
        else:
            self.send(0, {"kind": "comparing", "rank": self.rank, "call": call})

    def note_comparing(self, rank: int, call: str | None) -> None:
        """End all if every rank compares its call in vain: they wait in several communicators."""
        self.comparing.pop(rank, None)
        if call is not None:
            self.comparing[rank] = call
        if len(self.comparing) == self.size:
            self.end(f"MismatchedCalls: {describe_calls(self.comparing)}; they wait in several communicators")

    # --- ending

    def end_by_loss(self, rank: int) -> None:
        """End all because a process or its machine is gone."""
        if self.rank == 0 or self.rank == 1:  # the others end with them
            self.end(f"rank {rank} was killed, or its machine is gone")
        time.sleep(1)
        self.die()

    def end_by_exception(self, kind: Any, value: Any, trace: Any) -> None:
        """End all with an error that nobody has caught; the excepthook of the program."""
        text = "".join(traceback.format_exception(kind, value, trace)).rstrip()
        self.report(f"rank {self.rank} has raised\n{text}")

    def report(self, text: str) -> None:
        """Let rank 0 show a fault and end all; if it does not answer, do it here."""
        if self.rank != 0 and self.send(0, {"kind": "fault", "text": text}):
            time.sleep(ANSWER)
        self.end(text)

    def end(self, text: str) -> None:
        """Show a fault, the first one only, and end all ranks."""
        with self.lock:
            if not self.ending:
                self.ending = True
                print(f"graphla: {text}\ngraphla: all {self.size} ranks end", file=sys.stderr, flush=True)
                time.sleep(0.2)  # for the launcher to pass on what was shown, before it sees a process end
                for rank in self.links:
                    self.send(rank, {"kind": "end"})
                threading.Thread(target=self.host.abort, args=(1,), daemon=True).start()
        time.sleep(1)  # for MPI to end the ranks that cannot be reached; it may wait for a call that never ends
        self.die()

    def die(self) -> None:
        """End this process; another rank has shown why."""
        sys.stdout.flush()
        os._exit(1)

    def send(self, rank: int, message: dict[str, Any]) -> bool:
        """Send a message; return whether the connection took it."""
        try:
            self.links[rank].sendall(json.dumps(message).encode() + b"\n")
        except (OSError, KeyError):
            return False
        return True

    # --- leaving

    def leave(self) -> None:
        """Tell the others that this rank has ended its program, and wait for theirs."""
        if self.rank != 0:
            self.send(0, {"kind": "left", "rank": self.rank})
        else:
            self.note_left(0)
        self.all_left.wait()

    def note_left(self, rank: int) -> None:
        """Note, and on rank 0 pass on, that a rank has ended its program."""
        self.left.add(rank)
        if self.rank != 0:
            return
        for other in self.links:
            self.send(other, {"kind": "left", "rank": rank})
        if len(self.left) == self.size:
            self.left.update(range(self.size))
            for other in self.links:
                self.send(other, {"kind": "all left"})
            self.all_left.set()


def start_watch(host: Any) -> Watch | None:
    """Connect the ranks and watch them; None if a rank cannot be reached, or GRAPHLA_MPI_WATCH is 0.

    Every rank calls it at once.
    """
    if not read_switch("GRAPHLA_MPI_WATCH", True):
        return None
    links = connect(host)
    if all(host.share_all(links is not None)):
        return Watch(host, links or {})
    for link in (links or {}).values():
        link.close()
    return None


def connect(host: Any) -> dict[int, socket.socket] | None:
    """Connect each rank with rank 0; None if that fails here."""
    door, token = (socket.create_server(("", 0)), secrets.token_hex(16)) if host.rank == 0 else (None, "")
    place = (socket.gethostname(), door.getsockname()[1], token) if door else None
    name, port, token = host.share_object(place, 0)
    try:
        if door is not None:
            return accept(door, host.size, token)
        where = "127.0.0.1" if name == socket.gethostname() else name
        link = socket.create_connection((where, port), CONNECTING)
        link.sendall(f"{token} {host.rank:8d}".encode())
        return {0: prepare(link)}
    except (OSError, ValueError):
        return None
    finally:
        if door is not None:
            door.close()


def accept(door: socket.socket, size: int, token: str) -> dict[int, socket.socket]:
    """Accept the connections of all other ranks; strangers, who do not know the token, are turned away."""
    links: dict[int, socket.socket] = {}
    door.settimeout(CONNECTING)
    while len(links) < size - 1:
        link, _ = door.accept()
        link.settimeout(CONNECTING)
        greeting = link.recv(len(token) + 9, socket.MSG_WAITALL).decode(errors="replace")
        if secrets.compare_digest(greeting[: len(token)], token):
            links[int(greeting[len(token) :])] = prepare(link)
        else:
            link.close()
    return links


def prepare(link: socket.socket) -> socket.socket:
    """Let the kernel probe a connection."""
    link.settimeout(None)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in PROBES.items():
        if hasattr(socket, name):
            link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return link
