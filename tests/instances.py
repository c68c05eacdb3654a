"""What each kernel file asks to be compiled: its `// compiled:` lines, as headers/primitives.cuh explains them.

>>> list_instances(Path("matvec/push.cuh"))  # doctest: +SKIP
[Instance(file=..., expression='push<S, Offset>', choices={'S': 'min_plus FP32', 'Offset': 'int'}, hot=()), ...]
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import graphla
import semirings
from graphla.engine.cuda.source import unit
from semirings import cuda
from semirings.dtypes import DType, lookup
from tests import loop_bodies
from tests.nvrtc import MEASURED

ROOT = Path(graphla.__file__).parent
HOT = re.compile(r"hot(?: on ((?:sm_\d+ ?)+))?")
LINE = re.compile(r"^// compiled:\s*(.+?)\s*$", re.MULTILINE)
OPERATORS = {"unary": cuda.render_unary, "binary": cuda.render_binary, "indexunary": cuda.render_indexunary}


@dataclass(frozen=True)
class Instance:
    """One kernel of a file with everything its template asks for."""

    file: Path
    expression: str
    choices: dict[str, str]
    hot: tuple[str, ...]  # the architectures on which it must keep to its registers

    def __str__(self) -> str:
        chosen = ", ".join(f"{name} = {choice}" for name, choice in self.choices.items())
        return f"{self.file.name}: {self.expression}" + (f" with {chosen}" if chosen else "")

    @property
    def text(self) -> str:
        return unit(self.file, "\n".join(render(*choice) for choice in self.choices.items()))

    @property
    def concrete(self) -> str:
        """The expression with the types in the places of their names."""
        types = {name: choice for name, choice in self.choices.items() if not render(name, choice)}
        return re.sub(r"\w+", lambda word: types.get(word[0], word[0]), self.expression)


def render(name: str, choice: str) -> str:
    """The struct of an operator; nothing for a type, which the kernel's own text may define."""
    words = choice.split()
    if words[0].startswith("rounds."):
        return loop_bodies.render_round(*words[0].split(".")[1:])
    if words[0].startswith("loop."):
        return loop_bodies.render_text(words[0].removeprefix("loop."))
    folder, _, operator = words[0].rpartition(".")
    dtypes = [lookup(word) for word in words[1:]] if folder or hasattr(semirings, words[0]) else []
    if folder in OPERATORS:
        both = dtypes * 2 if folder == "binary" and len(dtypes) == 1 else dtypes
        return OPERATORS[folder](getattr(semirings, folder)[operator], *both, struct=name)
    return render_semiring(getattr(semirings, words[0]), dtypes, name) if dtypes else ""


def render_semiring(semiring: semirings.Semiring, dtypes: list[DType], name: str) -> str:
    a, b = dtypes[0], dtypes[min(1, len(dtypes) - 1)]
    out = dtypes[2] if len(dtypes) > 2 else semiring.result_type(a, b)
    return cuda.render_semiring(semiring, a, b, out, struct=name)


def list_kernel_files() -> list[Path]:
    """Every file under graphla with a kernel in it."""
    return sorted(p for p in ROOT.rglob("*.cuh") if "__global__" in p.read_text())


def list_instances(file: Path, *, everything: bool = False) -> list[Instance]:
    """Instances that use each choice once, or with `everything` all combinations of the choices."""
    return [i for line in list_lines(file.read_text()) for i in parse(file, line, everything)]


def list_lines(text: str) -> list[str]:
    """What each `// compiled:` line says, with the lines that go on from it indented."""
    begins = [match.start() for match in re.finditer(r"^// compiled:", text, re.MULTILINE)]
    wrapped = (re.match(r".*(?:\n//   +\S.*)*", text[begin:]) for begin in begins)
    return [LINE.sub(r"\1", re.sub(r"\n//   +", " ", found[0])) for found in wrapped if found]


def parse(file: Path, line: str, everything: bool) -> Iterator[Instance]:
    head, *rest = [part.strip() for part in line.split(";")]
    expression, _, first = head.partition(" with ")
    hot = [HOT.fullmatch(part) for part in rest]
    architectures = next(((found[1] or " ".join(MEASURED)).split() for found in hot if found), [])
    choices_of = [part for part in [first, *rest] if part and not HOT.fullmatch(part)]
    named = dict(split_choice(file, part) for part in choices_of)
    names, lists = list(named), list(named.values())
    if everything:
        combinations = list(itertools.product(*lists))
    else:
        most = max(map(len, lists), default=1)
        combinations = [tuple(choices[i % len(choices)] for choices in lists) for i in range(most)]
    for combination in combinations:
        yield Instance(file, expression.strip(), dict(zip(names, combination, strict=True)), tuple(architectures))


def split_choice(file: Path, part: str) -> tuple[str, list[str]]:
    name, equals, choices = part.partition("=")
    if not equals:
        raise ValueError(f"{file}: in `// compiled:` the part {part!r} is neither `NAME = choice | choice` nor `hot`")
    return name.strip(), [c.strip() for c in choices.split("|")]
