"""One CUDA dialect in all kernel files: self-contained headers, one style of cast, one statement a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphla.engine.cuda.source import inlined
from tests.instances import ROOT
from tests.nvrtc import check_text, library

FILES = sorted(ROOT.rglob("*.cuh"))
ARITHMETIC = (
    r"(?:unsigned (?:long long|char|short|int)|signed char|long long|unsigned|int|float|double|bool|char|short|long)"
)
files = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def code_of(text: str) -> str:
    """The text without comments, strings and directives, its lines in their places."""
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:\\\n|[^\n])*', "", text, flags=re.MULTILINE)


def types_of(code: str) -> str:
    """What names an arithmetic type in a file: its own aliases and the type parameters of its templates, too."""
    aliases = re.findall(rf"using (\w+) = (?:typename [\w:]+|{ARITHMETIC});", code)
    parameters = re.findall(r"(?:class|typename) ([A-Z]\w*)[,>]", code)
    names = sorted({*aliases, *parameters, "Wide", "Bits", "Key"}, key=len, reverse=True)
    return rf"(?:{ARITHMETIC}|typename [\w:]+|{'|'.join(names)})"


def casts_of(text: str) -> list[str]:
    """Casts in the style of C, ``(int)x``, and of a function, ``int(x)``."""
    code = code_of(text)
    kind = types_of(code)
    c_style = re.findall(rf"(?<![\w>\])])\((?:const |volatile )?{kind}(?: ?\*)*\)\s*[\w(~!&*-]", code)
    functional = re.findall(rf"(?<![\w:.>]){kind}\((?![)*&])", code)
    return [*c_style, *functional]


def chains_of(text: str) -> list[str]:
    """Statements that a comma joins: ``a = b, c = d;``."""
    code = re.sub(r"\([^()]*\)|\{[^{};]*\}|\[[^][]*\]", "", code_of(text))
    while (shorter := re.sub(r"\([^()]*\)|\[[^][]*\]", "", code)) != code:
        code = shorter
    assigned = r"(?:\+\+|--|\*)?[A-Za-z_][\w.]*(?:->\w+)*\s*(?:[-+|&^*/%]|<<|>>)?="
    begin = r"(?:^|[;{}]|else)\s*(?:if|for|while)?\s*"
    assignments = re.findall(rf"{begin}({assigned}[^;{{}}=]*,[^;{{}}]*=[^;{{}}]*;)", code)
    calls = re.findall(rf"{begin}([\w.]+(?:->\w+)*(?:<\w+>)?\s*,[^;{{}}]*;)", code)
    return [*assignments, *calls]


def head_of(text: str) -> list[str]:
    """The lines before `#pragma once`."""
    return text.partition("#pragma once\n")[0].splitlines()


@files
def test_a_file_begins_with_a_comment_and_is_included_once(file: Path) -> None:
    text = file.read_text()
    head = head_of(text)
    assert text.count("#pragma once\n") == 1
    assert head
    assert all(line.startswith("//") for line in head)


@files
def test_instances_stand_together_at_the_end_of_the_head(file: Path) -> None:
    text = file.read_text()
    lines = head_of(text)
    first = next((i for i, line in enumerate(lines) if line.startswith("// compiled:")), len(lines))
    assert all(line.startswith(("// compiled:", "//   ")) for line in lines[first:])
    assert text.count("\n// compiled:") == sum(line.startswith("// compiled:") for line in lines)


@files
def test_lines_fit(file: Path) -> None:
    """clang-format sees to the code, but leaves comments as they are."""
    long = [number for number, line in enumerate(file.read_text().splitlines(), 1) if len(line) > 120]
    assert not long, f"{file.name}: lines of more than 120 columns: {long}"


@files
def test_casts_are_static_casts(file: Path) -> None:
    assert casts_of(file.read_text()) == []


@files
def test_a_statement_is_one(file: Path) -> None:
    assert chains_of(file.read_text()) == []


@files
@pytest.mark.skipif(library() is None, reason="nvidia-cuda-nvrtc is not installed")
def test_a_file_compiles_alone(file: Path) -> None:
    """With what it includes, and nothing before it."""
    check_text(inlined(file.resolve(), set()) + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "int f(float x) { return (int)x; }",
        "int f(float x) { return int(x); }",
        "long long f(int x) { return 1 + (long long)(x + 1); }",
        "unsigned f(int x) { return ~unsigned(x); }",
        "void f(int* p) { *(volatile int*)p = 1; }",
        "template <class T> T f(int x) { return T(x); }",
        "using Wide = unsigned long long;\nWide f(int x) { return (Wide)x; }",
        "template <class P> void f(typename P::T x) { g(typename P::T(0)); }",
    ],
)
def test_other_casts_are_seen(text: str) -> None:
    assert len(casts_of(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "int f(float x) { return static_cast<int>(x); }",
        "template <class T> void f(T (&rows)[8], const T* (*g)(int)) { T(&row)[8] = rows; }",
        "template <class T> T f() { return T(); }",
        "// int(x) is a cast\nbool f(int) { return true; }",
        "bool f(unsigned (&x)[4], int (*g)(float));",
        "struct S { __device__ bool operator()(int x) const { return sizeof(int) * x; } };",
    ],
)
def test_what_is_no_cast_is_let_pass(text: str) -> None:
    assert casts_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "void f() {\n  a = b, c = d;\n}",
        "void f() {\n  if (x) a.y = g(1, 2), c = d;\n}",
        "void f() {\n  for (int i = 0; i < 3; ++i) a[i] = 1, b[i] = 2;\n}",
        "void f() {\n  at->x += 1, at->y |= 2;\n}",
        "void f() {\n  if (x) g<T>(at, 1), ++at.y;\n}",
    ],
)
def test_chains_are_seen(text: str) -> None:
    assert len(chains_of(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "void f() {\n  int a = 1, b = 2;\n  const long long c = g(1, 2), d = 3;\n}",
        "void f() {\n  for (int i = 0, j = 1; i < j; ++i, --j) a = h(i, j);\n}",
        "void f() {\n  x = {1, 2};\n  const Row row{a, b, c};\n  y = Pair<A, B>{1, 2};\n}",
    ],
)
def test_declarations_and_lists_are_let_pass(text: str) -> None:
    assert chains_of(text) == []
