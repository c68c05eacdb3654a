"""What is right for each problem: a module for each family, with functions ``check_PROBLEM(ask, case, rng)``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any


def list_rules() -> dict[str, Callable[..., None]]:
    """The rule of each problem, by its name."""
    found: dict[str, Callable[..., None]] = {}
    for module in pkgutil.iter_modules(__path__):
        held: dict[str, Any] = vars(importlib.import_module(f"{__name__}.{module.name}"))
        found |= {name.removeprefix("check_"): rule for name, rule in held.items() if name.startswith("check_")}
    return found
