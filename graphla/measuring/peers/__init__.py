"""Other libraries that solve the same problems, as extra rows of a comparison; one module per library.

A library that is not installed is left out. Every module in this folder that defines `peer` is a peer.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from graphla.measuring.peers.peer import Peer, Task

__all__ = ["Peer", "Task", "list_installed", "list_known"]


@cache
def list_known() -> dict[str, Peer]:
    """Return all peers, installed or not, by the name of their module."""
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name in names}
    return {name: replace(m.peer, name=name) for name, m in modules.items() if hasattr(m, "peer")}


def list_installed() -> dict[str, Peer]:
    """Return the peers whose library is installed."""
    return {name: peer for name, peer in list_known().items() if find_spec(peer.package) is not None}
