"""From a kernel template and rendered operators to a compiled module.

A template is a file of `kernels/` whose functions call `add`, `mul` or `apply` by name. Its text, with the
rendered operators put before it, becomes a module in memory; the machine code of its functions is kept on disk under
a digest of that text, so that a second process compiles nothing.
"""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
from functools import cache, lru_cache
from importlib.resources import files
from textwrap import indent
from types import ModuleType

HEAD = "import numpy as np\nfrom graphla.engine.cpu.jit import njit, {decorator} as operator\n\n\n"
REPEATING = ("full",)
"""Templates with an operator in many places: there it is called, elsewhere written in."""


@cache
def template(name: str) -> str:
    """The text of a kernel template from its marker line on."""
    text = files("graphla.engine.cpu.kernels").joinpath(f"{name}.py").read_text("utf-8")
    return text.split("# --- template\n", 1)[1]


@lru_cache(maxsize=4096)
def module(name: str, operators: str, parts: tuple[tuple[str, str], ...] = ()) -> ModuleType:
    """The template `name` over rendered operators, executed.

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
    return executed(f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}", text)


def executed(name: str, text: str) -> ModuleType:
    """A module of this text; tracebacks and debuggers find its lines."""
    made = ModuleType(f"graphla_compiled.{name}")
    made.__file__ = f"<graphla_compiled/{name}.py>"
    linecache.cache[made.__file__] = len(text), None, text.splitlines(keepends=True), made.__file__
    sys.modules[made.__name__] = made
    exec(compile(text, made.__file__, "exec"), vars(made))
    return made


def filled_in(text: str, parts: tuple[tuple[str, str], ...]) -> str:
    """The text of a template with statements in place of the lines that name them, as far to the right."""
    for name, statements in parts:
        text = re.sub(rf"^( *){name}\(\)$", lambda line: indent(statements, line[1]), text, flags=re.MULTILINE)  # noqa: B023
    return text
