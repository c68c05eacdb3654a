"""Records that fill the structs of kernels, made from the text of their `.cuh` files: the members stand there alone."""

from __future__ import annotations

import re
from collections import namedtuple
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from graphla.common.errors import GraphlaError
from graphla.engine.cuda.source import INCLUDE, KERNELS, find, read

STRUCT = r"^struct {name} \{{\n(.*?)^\}};$"
NESTED = re.compile(r"(?P<type>\w+Parameters)\b(?:<.*>)? (?P<name>\w+);")
MEMBER = re.compile(r"(?P<type>[\w:<> ]+?)\s*(?P<star>\*?)\s*\b(?P<name>\w+)(?:\[(?P<count>\w+)\])?;")


class MissingStruct(GraphlaError, LookupError):
    """A kernel file has no struct of the name that a record is to fill, or a line of it cannot be read."""


class Filler(Protocol):
    """Makes a record of all members of a struct, given by keyword; `record` is the class of what it makes."""

    __name__: str
    record: type[Any]

    def __call__(self, **members: Any) -> Any: ...


@cache
def read_struct(file: Path | str, name: str) -> Filler:
    """What makes records that fill a struct: it takes the members by keyword, all of them and no others.

    Parameters
    ----------
    file : Path or str
        The `.cuh` file that declares the struct, or includes one that does; a name counts from this folder.
    name : str
        Of the struct.

    Raises
    ------
    MissingStruct
        If there is no such struct, or a line of it is not one member.
    """
    path = KERNELS / file
    body = find_struct(path, name)
    if body is None:
        raise MissingStruct(f"{path.name}, with what it includes, has no `struct {name}` for the record {name} to fill")
    kinds = dict(read_kind(path, name, line) for line in split_lines(body))
    record = namedtuple(name, kinds, module=__name__)
    record.__annotations__ = kinds
    return make_filler(record)


def make_filler(record: Any) -> Filler:
    """A function of keywords: calling the class with them costs more, for it makes a dictionary first."""
    names = ", ".join(record._fields)
    scope = {"record": record, "make": tuple.__new__}
    exec(f"def {record.__name__}(*, {names}): return make(record, ({names},))", scope)
    filler: Any = scope[record.__name__]
    filler.record = record
    return filler


def find_struct(path: Path, name: str) -> str | None:
    """The lines of a struct in a file, else in the `.cuh` files that it includes; None if it is nowhere."""
    text = read(path)
    if found := re.search(STRUCT.format(name=name), text, re.MULTILINE | re.DOTALL):
        return found[1]
    below = (find(include[1], path) for include in INCLUDE.finditer(text))
    bodies = (find_struct(one, name) for one in below if one.suffix == ".cuh")
    return next((body for body in bodies if body is not None), None)


def split_lines(body: str) -> list[str]:
    """The lines of a struct that declare something, without comments."""
    lines = (re.sub(r"//.*", "", line).strip() for line in body.splitlines())
    return [line for line in lines if line]


def read_kind(path: Path, struct: str, line: str) -> tuple[str, Any]:
    """The name of a member, and what `check_record` is told of it: an array, a value, a tuple, or a record."""
    if nested := NESTED.fullmatch(line):
        return nested["name"], read_struct(path, nested["type"]).record
    member = MEMBER.fullmatch(line)
    if not member:
        raise MissingStruct(f"{path.name}, struct {struct}: {line!r} declares no member that a record can fill")
    kind = "Array" if member["star"] else "Any"
    return member["name"], f"tuple[{kind}, ...]" if member["count"] else kind
