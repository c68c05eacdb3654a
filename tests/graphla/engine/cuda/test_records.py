"""Records of structs: their members are those of the `.cuh` file, and each place that fills one names them all."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graphla.engine.cuda.records import MissingStruct, read_struct

ROOT = Path(__file__).parents[4]
READ = "read_struct("
STRUCT = re.compile(r"^struct (\w+Parameters) \{", re.MULTILINE)


class Module(NamedTuple):
    """A module that reads structs: its text as a tree, and the record of each name."""

    path: Path
    tree: ast.Module
    records: dict[str, type]


@cache
def list_modules() -> tuple[Module, ...]:
    """The modules of the package that read structs, or fill those that others read."""
    files = [file for file in sorted((ROOT / "graphla").rglob("*.py")) if file.name != "records.py"]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    names = set(re.findall(r"^(\w+) = read_struct\(", "\n".join(texts.values()), re.MULTILINE))
    return tuple(make_module(file, text) for file, text in texts.items() if any(name in text for name in names))


def make_module(file: Path, text: str) -> Module:
    own = vars(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)))
    records = {name: made.record for name, made in own.items() if hasattr(made, "record") and hasattr(made, "__code__")}
    return Module(file, ast.parse(text), records)


def find_faults(module: Module) -> Iterator[str]:
    """What is wrong with the places of a module that fill structs, each with the members that lack or are unknown."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in module.records:
            fields = module.records[node.func.id]._fields  # type: ignore[attr-defined]
            yield from compare(module, node, node.func.id, fields)


def compare(module: Module, call: ast.Call, name: str, fields: tuple[str, ...]) -> Iterator[str]:
    """What a call that fills a struct lacks, and what it says that the struct has not."""
    where = f"{module.path.relative_to(ROOT)}:{call.lineno}: {name}"
    if call.args:
        yield f"{where} is filled by position, not by keyword"
        return
    for filled in list_keywords(module.tree, call):
        lacks, extra = (", ".join(sorted(names)) for names in (set(fields) - set(filled), set(filled) - set(fields)))
        if lacks:
            yield f"{where} is filled without {lacks}"
        if extra:
            yield f"{where} is filled with {extra}, which the struct does not have"


def list_keywords(tree: ast.Module, call: ast.Call) -> list[list[str]]:
    """The keywords of a call; where it takes a dictionary, those of each that it may be."""
    own = [word.arg for word in call.keywords if word.arg is not None]
    spread = [list_keys(tree, word.value) for word in call.keywords if word.arg is None]
    return [own + [key for keys in choice for key in keys] for choice in product(*spread)]


def list_keys(tree: ast.Module, node: ast.expr) -> list[list[str]]:
    """The keys of a dictionary of a module: a display, a name that one is assigned to, or a function that returns one.

    A name may stand in a tuple that a function returns.
    A parameter of the form ``**given`` has the keywords of the calls of its function, another those of the
    dictionaries of its name.
    """
    if isinstance(node, ast.Dict):
        parts = [[[key.value]] if isinstance(key, ast.Constant) else list_keys(tree, value)
                 for key, value in zip(node.keys, node.values, strict=True)]  # fmt: skip
        return [[str(key) for keys in choice for key in keys] for choice in product(*parts)]
    if isinstance(node, ast.Call):
        return [keys for value in list_returned(tree, node) for keys in list_keys(tree, value)]
    name = node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)
    return [keys for value in list_assigned(tree, name) for keys in list_keys(tree, value)] or list_given(tree, name)


def list_returned(tree: ast.Module, call: ast.Call) -> list[ast.expr]:
    """What the functions and methods of a module return that have the name of the one that is called."""
    called = getattr(call.func, "id", None) or getattr(call.func, "attr", None)
    made = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == called]
    return [one.value for each in made for one in ast.walk(each) if isinstance(one, ast.Return) and one.value]


def list_assigned(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    """The dictionaries that a module assigns to a name or an attribute, and the calls."""
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if is_declared(node) else []
        for target in targets:
            value: Any = node.value  # type: ignore[attr-defined]
            if name in (getattr(target, "id", None), getattr(target, "attr", None)):
                if isinstance(value, ast.Dict | ast.Call):
                    yield value
            elif isinstance(target, ast.Tuple) and isinstance(value, ast.Call):
                places = [k for k, one in enumerate(target.elts) if getattr(one, "id", None) == name]
                tuples = [one for one in list_returned(tree, value) if isinstance(one, ast.Tuple)]
                yield from (one.elts[k] for one in tuples for k in places)


def is_declared(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and node.value is not None


def list_given(tree: ast.Module, name: str) -> list[list[str]]:
    """The keywords that the functions with ``**name`` are called with."""
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    takes = {one.name for one in functions if one.args.kwarg and one.args.kwarg.arg == name}
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    named = [one for one in calls if getattr(one.func, "attr", getattr(one.func, "id", None)) in takes]
    assert named, f"{name} is no dictionary that this test can follow: assign one to that name in the module"
    return [keys for call in named for keys in list_keywords(tree, call)]


@pytest.mark.parametrize("module", list_modules(), ids=lambda module: str(module.path.relative_to(ROOT / "graphla")))
def test_each_place_that_fills_a_struct_names_its_members(module: Module) -> None:
    assert not list(find_faults(module))


def test_each_struct_of_a_kernel_is_filled_somewhere() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "graphla").rglob("*.cuh")))
    filled = {node.func.id for module in list_modules() for node in ast.walk(module.tree)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    assert len(list_modules()) > 50
    assert not set(STRUCT.findall(text)) - filled


KERNEL = """
struct InnerParameters {
  const int* indptr;  // of the rows
  int n;
};
template <class T>
struct OuterParameters {
  // what a comment says is no member
  InnerParameters inner;
  T* out;
  double bits[4];
  const unsigned char* rows[2];
};
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    (tmp_path / "structs.cuh").write_text(KERNEL)
    (tmp_path / "kernel.cuh").write_text('#include "headers/views.cuh"\n#include "structs.cuh"\n')
    return tmp_path / "kernel.cuh"


def test_a_record_has_the_members_of_the_struct_in_its_order(kernel: Path) -> None:
    outer = read_struct(kernel, "OuterParameters")
    assert outer.record._fields == ("inner", "out", "bits", "rows")
    kinds = dict(outer.record.__annotations__)
    assert kinds.pop("inner")._fields == ("indptr", "n")
    assert kinds == {
        "out": "Array",
        "bits": "tuple[Any, ...]",
        "rows": "tuple[Array, ...]",
    }
    assert outer(rows=4, bits=3, out=2, inner=1) == (1, 2, 3, 4)


def test_a_record_refuses_members_that_lack_or_are_unknown(kernel: Path) -> None:
    inner = read_struct(kernel, "InnerParameters")
    with pytest.raises(TypeError, match=r"InnerParameters\(\) missing 2 required .* 'indptr' and 'n'"):
        inner()
    with pytest.raises(TypeError, match=r"InnerParameters\(\) got an unexpected keyword argument 'm'"):
        inner(indptr=1, n=2, m=3)


def test_a_struct_that_is_not_there_is_refused(kernel: Path) -> None:
    with pytest.raises(MissingStruct, match=r"kernel.cuh, with what it includes, has no `struct MissingParameters`"):
        read_struct(kernel, "MissingParameters")
    (kernel.with_name("odd.cuh")).write_text("struct OddParameters {\n  int a, b;\n};\n")
    with pytest.raises(MissingStruct, match=r"odd.cuh, struct OddParameters: 'int a, b;' declares no member"):
        read_struct(kernel.with_name("odd.cuh"), "OddParameters")


TEXT = """
def fill(fused, out):
    extra = {"c": out, **more()}
    return FusedParameters(a=1, **extra)

def more():
    return {"d": 1}
"""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (TEXT, ""),
        (TEXT.replace('"c": out, ', ""), "is filled without c"),
        (TEXT.replace("a=1", "a=1, b=2"), "is filled with b, which the struct does not have"),
        (TEXT.replace("a=1, **extra", "1, **extra"), "is filled by position, not by keyword"),
    ],
)
def test_a_place_that_fills_a_struct_otherwise_is_found(text: str, fault: str) -> None:
    record: Any = type("FusedParameters", (), {"_fields": ("a", "c", "d")})
    module = Module(ROOT / "some.py", ast.parse(text), {"FusedParameters": record})
    assert list(find_faults(module)) == ([f"some.py:4: FusedParameters {fault}"] if fault else [])
