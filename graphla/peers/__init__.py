"""Other libraries that solve the same problems, as extra rows of a comparison; one file a library.

A library that is not installed is left out. A module of this folder that defines `peer` is a peer.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from graphla.peers.peer import Peer, Task

__all__ = ["Peer", "Task", "installed", "known"]


@cache
def known() -> dict[str, Peer]:
    """Every peer by the name of its file, installed or not."""
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name in names}
    return {name: replace(m.peer, name=name) for name, m in modules.items() if hasattr(m, "peer")}


def installed() -> dict[str, Peer]:
    """The peers whose library can be imported."""
    return {name: peer for name, peer in known().items() if find_spec(peer.package) is not None}
