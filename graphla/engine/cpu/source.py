"""From a kernel template and rendered operators to a compiled module, kept on disk.

A template is a file of `kernels/` whose functions call `add`, `mul` or `apply` by name. Its text, with the
rendered operators put before it, becomes a module in the user's cache folder, where Numba keeps the machine code
beside it: a second run compiles nothing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import tempfile
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from textwrap import indent
from types import ModuleType

import numba
import platformdirs

HEAD = "import numpy as np\nfrom graphla.engine.cpu.jit import njit, {decorator} as operator\n\n\n"
REPEATING = ("full",)
"""Templates with an operator in many places: there it is called, elsewhere written in."""


@cache
def folder() -> Path:
    """Where compiled modules are kept: GRAPHLA_CACHE, the user's cache, or a temporary folder."""
    wanted = Path(os.environ.get("GRAPHLA_CACHE") or platformdirs.user_cache_dir("graphla")) / "cpu"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        usable = os.access(wanted, os.W_OK)
    except OSError:
        usable = False
    return wanted if usable else Path(tempfile.mkdtemp(prefix="graphla-"))


@cache
def template(name: str) -> str:
    """The text of a kernel template from its marker line on."""
    text = files("graphla.engine.cpu.kernels").joinpath(f"{name}.py").read_text("utf-8")
    return text.split("# --- template\n", 1)[1]


@cache
def shared() -> str:
    """The text of what templates import: its machine code becomes a part of theirs."""
    folder = files("graphla.engine.cpu")
    return "".join(folder.joinpath(name).read_text("utf-8") for name in ("structure.py", "presence.py"))


@lru_cache(maxsize=4096)
def module(name: str, operators: str, parts: tuple[tuple[str, str], ...] = ()) -> ModuleType:
    """The template `name` over rendered operators, imported.

    Parameters
    ----------
    name : str
        A file of `kernels/` without its suffix.
    operators : str
        Source text that defines what the template calls.
    parts : tuple of (str, str)
        Names, and the statements that stand where a line of the template is ``name()``.
    """
    jitted = re.sub(r"^def ", "@operator\ndef ", operators, flags=re.MULTILINE)
    head = HEAD.format(decorator="repeated_operator" if name in REPEATING else "operator")
    text = f"{head}{jitted}\n\n{filled_in(template(name), parts)}"
    key = hashlib.sha256(f"{numba.__version__}\n{sys.version}\n{shared()}\n{text}".encode()).hexdigest()[:16]
    path = folder() / f"{name}_{key}.py"
    if not path.exists():
        write(path, text)
    spec = importlib.util.spec_from_file_location(f"graphla_compiled.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def filled_in(text: str, parts: tuple[tuple[str, str], ...]) -> str:
    """The text of a template with statements in place of the lines that name them, as far to the right."""
    for name, statements in parts:
        text = re.sub(rf"^( *){name}\(\)$", lambda line: indent(statements, line[1]), text, flags=re.MULTILINE)  # noqa: B023
    return text


def write(path: Path, text: str) -> None:
    """Write at once, so that another process never sees half a file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(temporary).replace(path)
