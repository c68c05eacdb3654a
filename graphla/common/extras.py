"""What graphla needs for some things only: how to install it, and the error where it is missing."""

from __future__ import annotations

import importlib
from typing import Any

from graphla.common.errors import NotSupported


def advise(extra: str) -> str:
    """How to install an extra of `pyproject.toml`.

    Examples
    --------
    >>> advise("plot")
    "pip install 'graphla[plot]'"
    """
    return f"pip install 'graphla[{extra}]'"


def require(module: str, extra: str, purpose: str) -> Any:
    """Import a module that an extra brings.

    Raises
    ------
    NotSupported
        If it is not installed; the message says what for, and how to install it.

    Examples
    --------
    >>> require("decimal", "plot", "an example").__name__
    'decimal'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotSupported(f"{purpose} needs {module.partition('.')[0]}: {advise(extra)}") from error
