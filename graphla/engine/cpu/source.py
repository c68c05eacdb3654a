"""Make a Numba module from a kernel template and rendered operators.

A template is a file of `kernels/` whose functions call `add`, `mul` or `apply` by name. Its text, with the
rendered operators before it, becomes a module in memory. The machine code of its functions is cached on disk under a
digest of that text, so that a second process compiles nothing.
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

HEAD = "import math\nimport numpy as np\nfrom graphla.engine.cpu.jit import njit, {decorator} as operator\n\n\n"
SHARING = ("full",)
"""Templates that call an operator in many places, where it is not inlined."""


@cache
def read_template(name: str) -> str:
    """Read the text of a kernel template after its marker line."""
    text = files("graphla.engine.cpu.kernels").joinpath(f"{name}.py").read_text("utf-8")
    return text.split("# --- template\n", 1)[1]


@lru_cache(maxsize=4096)
def make_module(name: str, operators: str, parts: tuple[tuple[str, str], ...] = ()) -> ModuleType:
    """Make a module from the template `name` and rendered operators.

    Parameters
    ----------
    name : str
        A file of `kernels/`, without its suffix.
    operators : str
        Source text that defines the operators that the template calls.
    parts : tuple of (str, str)
        Names, and the statements that replace the lines ``name()`` of the template.
    """
    jitted = re.sub(r"^def ", "@operator\ndef ", operators, flags=re.MULTILINE)
    head = HEAD.format(decorator="share_operator" if name in SHARING else "operator")
    text = f"{head}{jitted}\n\n{fill_template(read_template(name), parts)}"
    return execute_module(f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}", text)


def execute_module(name: str, text: str) -> ModuleType:
    """Execute source text as a module. Its lines are registered for tracebacks and debuggers."""
    module = ModuleType(f"graphla_compiled.{name}")
    module.__file__ = f"<graphla_compiled/{name}.py>"
    linecache.cache[module.__file__] = len(text), None, text.splitlines(keepends=True), module.__file__
    sys.modules[module.__name__] = module
    exec(compile(text, module.__file__, "exec"), vars(module))
    return module


def fill_template(text: str, parts: tuple[tuple[str, str], ...]) -> str:
    """Replace the lines ``name()`` of a template by statements with the same indentation."""
    for name, statements in parts:
        text = re.sub(rf"^( *){name}\(\)$", lambda line: indent(statements, line[1]), text, flags=re.MULTILINE)  # noqa: B023
    return text
