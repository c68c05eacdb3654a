"""One CUDA dialect in all kernel files: self-contained headers, casts, names of arrays, numbers of parameters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphla.engine.cuda.source import inline
from tests.instances import ROOT
from tests.nvrtc import check_text, load_library

FILES = sorted(ROOT.rglob("*.cuh"))
ARITHMETIC = (
    r"(?:unsigned (?:long long|char|short|int)|signed char|long long|unsigned|int|float|double|bool|char|short|long)"
)
MOST_PARAMETERS = 10
OTHER_ARRAYS = (
    r"(?:(?:row|col|left|right|mask|in|out)_)?(?:start|pointers?|rowptr|row_ptr|colidx|columns?|targets?|weights?|value)"
    r"|[abc][pjx]"
)
OTHER_WORDS = "owed|pays?|shy|took|in_vain|in vain|nobody|told"
files = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def read_code(text: str) -> str:
    """The text without comments, strings and directives, its lines in their places."""
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:\\\n|[^\n])*', "", text, flags=re.MULTILINE)


def list_types(code: str) -> str:
    """What names an arithmetic type in a file: its own aliases and the type parameters of its templates, too."""
    aliases = re.findall(rf"using (\w+) = (?:typename [\w:]+|{ARITHMETIC});", code)
    parameters = re.findall(r"(?:class|typename) ([A-Z]\w*)[,>]", code)
    names = sorted({*aliases, *parameters, "Wide", "Bits", "Key"}, key=len, reverse=True)
    return rf"(?:{ARITHMETIC}|typename [\w:]+|{'|'.join(names)})"


def list_casts(text: str) -> list[str]:
    """Casts in the style of C, ``(int)x``, and of a function, ``int(x)``."""
    code = read_code(text)
    kind = list_types(code)
    c_style = re.findall(rf"(?<![\w>\])])\((?:const |volatile )?{kind}(?: ?\*)*\)\s*[\w(~!&*-]", code)
    functional = re.findall(rf"(?<![\w:.>]){kind}\((?![)*&])", code)
    return [*c_style, *functional]


def list_chains(text: str) -> list[str]:
    """Statements that a comma joins: ``a = b, c = d;``."""
    code = re.sub(r"\([^()]*\)|\{[^{};]*\}|\[[^][]*\]", "", read_code(text))
    while (shorter := re.sub(r"\([^()]*\)|\[[^][]*\]", "", code)) != code:
        code = shorter
    assigned = r"(?:\+\+|--|\*)?[A-Za-z_][\w.]*(?:->\w+)*\s*(?:[-+|&^*/%]|<<|>>)?="
    begin = r"(?:^|[;{}]|else)\s*(?:if|for|while)?\s*"
    assignments = re.findall(rf"{begin}({assigned}[^;{{}}=]*,[^;{{}}]*=[^;{{}}]*;)", code)
    calls = re.findall(rf"{begin}([\w.]+(?:->\w+)*(?:<\w+>)?\s*,[^;{{}}]*;)", code)
    return [*assignments, *calls]


def list_kernels(text: str) -> dict[str, list[str]]:
    """The kernels of a file and the parameters of each."""
    code, found = read_code(text), {}
    code = re.sub(r"__launch_bounds__\((?:[^()]|\([^()]*\))*\)", "", code)
    for kernel in re.finditer(r"__global__\s+void\s+(\w+)\s*\(([^)]*)\)", code):
        parameters = kernel[2]
        while (shorter := re.sub(r"<[^<>]*>", "", parameters)) != parameters:
            parameters = shorter
        found[kernel[1]] = [one.strip() for one in parameters.split(",") if one.strip()]
    return found


def list_other_names(text: str) -> list[str]:
    """Pointers to row pointers, column indices and values of a matrix under other names, and words of no field."""
    code = read_code(text)
    arrays = re.findall(rf"[\w>]\*+ (?:const |__restrict__ )*((?:{OTHER_ARRAYS}))\s*[,;)=\[]", code)
    return arrays + re.findall(rf"\b(?:{OTHER_WORDS})\b", text)


def read_head(text: str) -> list[str]:
    """The lines before `#pragma once`."""
    return text.partition("#pragma once\n")[0].splitlines()


@files
def test_a_file_begins_with_a_comment_and_is_included_once(file: Path) -> None:
    text = file.read_text()
    head = read_head(text)
    assert text.count("#pragma once\n") == 1
    assert head
    assert all(line.startswith("//") for line in head)


@files
def test_instances_stand_together_at_the_end_of_the_head(file: Path) -> None:
    text = file.read_text()
    lines = read_head(text)
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
    assert list_casts(file.read_text()) == []


@files
def test_a_statement_is_one(file: Path) -> None:
    assert list_chains(file.read_text()) == []


@files
def test_a_kernel_takes_ten_parameters_or_a_struct(file: Path) -> None:
    kernels = list_kernels(file.read_text())
    assert len(kernels) == len(re.findall(r"\b__global__\b", read_code(file.read_text())))
    many = {name: len(given) for name, given in kernels.items() if len(given) > MOST_PARAMETERS}
    assert not many, f"{file.name}: pass one struct (engine/cuda/parameters.py) instead of so many parameters: {many}"


@files
def test_matrices_are_indptr_indices_and_values(file: Path) -> None:
    assert list_other_names(file.read_text()) == []


@files
@pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
def test_a_file_compiles_alone(file: Path) -> None:
    """With what it includes, and nothing before it."""
    check_text(inline(file.resolve(), set()) + "\n")


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
    assert len(list_casts(text)) == 1


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
    assert list_casts(text) == []


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
    assert len(list_chains(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "void f() {\n  int a = 1, b = 2;\n  const long long c = g(1, 2), d = 3;\n}",
        "void f() {\n  for (int i = 0, j = 1; i < j; ++i, --j) a = h(i, j);\n}",
        "void f() {\n  x = {1, 2};\n  const Row row{a, b, c};\n  y = Pair<A, B>{1, 2};\n}",
    ],
)
def test_declarations_and_lists_are_let_pass(text: str) -> None:
    assert list_chains(text) == []


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("__global__ void f() {}", {"f": 0}),
        ("template <class S>\n__global__ void f(const Pair<int, S>* p, int n) {}", {"f": 2}),
        ("__global__ __launch_bounds__(T, (B<S, T>)) void f(const int* a) {}", {"f": 1}),
        (
            "__global__ void __launch_bounds__(max(1, T))\n  f(int a, int b,\n    int c) {}\n__global__ void g(int) {}",
            {"f": 3, "g": 1},
        ),
        (f"__global__ void f({', '.join(f'int a{i}' for i in range(11))}) {{}}", {"f": 11}),
    ],
)
def test_parameters_are_counted(text: str, counts: dict[str, int]) -> None:
    assert {name: len(given) for name, given in list_kernels(text).items()} == counts


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void f(const int* ap) {}",
        "void f(const long long* __restrict__ row_ptr, int n);",
        "struct S {\n  const typename P::T* weights;\n};",
        "void f(const int* const start, int n);",
        "void f(int** columns, int n);",
        "template <class T> void f(const Pair<T>* value);",
        "void f(bool told);",
        "// nobody asks\n",
    ],
)
def test_other_names_are_seen(text: str) -> None:
    assert len(list_other_names(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "void f(const int* indptr, const int* out_indices, const T* values, const int* entry_column);",
        "void f(int column, int start, int* starts, float value) { x = a * start; }",
        "struct S {\n  int columns;\n  bool allowed, kept;\n};",
    ],
)
def test_names_of_the_field_are_let_pass(text: str) -> None:
    assert list_other_names(text) == []
