"""Compare the machine code of the CUDA kernels of this tree and another: ``python -m tests.machine_code TREE``.

Every instance that a `// compiled:` line names is compiled by NVRTC in both trees, and the code of its functions is
compared byte for byte. Instances are matched by file and expression; those left over (kernels or files with a new
name) by the code itself. What differs is printed with registers, spills and sizes, and makes the exit status 1.

NVRTC's output is not a function of the program alone: a comment at the end of the text can change the order in which
it visits values, and with it registers and instructions. An instance that differs is therefore compiled again with
`VARIANTS` such comments in both trees; it is the same if any of these codes are equal.

    python -m tests.machine_code ../base                      every kernel file, each choice once
    python -m tests.machine_code ../base --only bfs --everything --architecture sm_100
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.nvrtc import (
    NvrtcError,
    Program,
    compute_key,
    find_cache_folder,
    keep,
    parse_log,
    read_known,
    read_register_count,
)

HERE = Path(__file__).parents[1]
VARIANTS = 12
LISTING = """
import json, sys
from tests import instances

old = not hasattr(instances, "list_instances")  # a revision before the functions had these names
list_files = instances.kernel_files if old else instances.list_kernel_files
list_each = instances.instances_of if old else instances.list_instances
found = [
    (str(file.relative_to(instances.ROOT)), str(one), one.concrete, one.text)
    for file in list_files() for one in list_each(file, everything=sys.argv[1] == "True")
]
json.dump(found, sys.stdout)
"""


@dataclass(frozen=True)
class Listed:
    """An instance of a tree: its file under graphla/, its name there, and what the compiler gets."""

    file: str
    name: str
    expression: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name.partition(': ')[2]}"


@dataclass(frozen=True)
class Code:
    """The machine code of an instance: a digest of each of its sections, without their names; sizes in bytes."""

    sections: tuple[str, ...]
    size: int
    registers: int
    spills: int
    shared: int

    def __str__(self) -> str:
        return f"{self.registers} registers, {self.spills} B spilled, {self.shared} B shared, {self.size} B of code"


def list_instances(tree: Path, everything: bool) -> list[Listed]:
    """The instances of a tree as its own modules tell them."""
    command = [sys.executable, "-c", LISTING, str(everything)]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    found = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, check=True)
    return [Listed(*one) for one in json.loads(found.stdout)]


def compile_code(text: str, expression: str, architecture: str) -> Code:
    """Compile as CuPy would; what was compiled before comes from the disk.

    Raises
    ------
    NvrtcError
        With the compiler's log.
    """
    options = (f"-arch={architecture}", "-std=c++17", "-ftz=true", "--ptxas-options=-v")
    known = find_cache_folder() / f"{compute_key('machine code 2', text, expression, *options)}.json"
    with contextlib.suppress(FileNotFoundError):
        found = json.loads(read_known(known))
        return Code(tuple(found.pop("sections")), **found)
    with Program(text) as program:
        (name,) = program.compile((expression,), options)
        cubin, log = program.read_data("CUBIN"), program.read_data("ProgramLog").decode(errors="replace").strip("\0")
    sections, size, shared = dissect(cubin)
    _, stores, loads = parse_log(log, name)
    code = Code(sections, size, read_register_count(cubin, name), stores + loads, shared)
    keep(known, json.dumps(asdict(code)).encode())
    return code


def dissect(cubin: bytes) -> tuple[tuple[str, ...], int, int]:
    """Digests of the code and of the constants beside it, the bytes of code, and of static shared memory."""
    from elftools.elf.elffile import ELFFile

    digests, size, shared = [], 0, 0
    for section in ELFFile(io.BytesIO(cubin)).iter_sections():
        kind = section.name.split(".")[1] if "." in section.name else ""
        if section.name.startswith(".nv.shared."):
            shared += section.data_size
        elif kind == "text" or section.name.startswith((".nv.constant2", ".nv.constant3")):
            data = section.data()
            digests.append(hashlib.sha256(data).hexdigest()[:24])
            size += len(data) if kind == "text" else 0
    return tuple(sorted(digests)), size, shared


def compile_or_explain(one: Listed, architecture: str) -> Code | str:
    """The code of an instance, or why there is none."""
    try:
        return compile_code(one.text, one.expression, architecture)
    except NvrtcError as error:
        return str(error).strip().splitlines()[0]


def are_same(before: Listed, after: Listed, architecture: str) -> bool:
    """Whether two programs have a machine code in common."""
    comments = ["/" * 2 * k for k in range(VARIANTS)]
    ours, theirs = (
        {compile_code(one.text + comment, one.expression, architecture).sections for comment in comments}
        for one in (before, after)
    )
    return not ours.isdisjoint(theirs)


def compile_all(instances: list[Listed], architecture: str, processes: int) -> list[Code | str]:
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(compile_or_explain, instances, [architecture] * len(instances), chunksize=4))


def compare(before: dict[Listed, Code | str], after: dict[Listed, Code | str], architecture: str) -> list[str]:
    """What differs, a line each; nothing where all code is the same."""
    names = {(Path(one.file).name, one.name): one for one in before}
    left, lines, renamed = dict(before), [], []
    for one, code in after.items():
        namesake = names.get((Path(one.file).name, one.name))
        if namesake is None or namesake not in left:
            renamed.append(one)
            continue
        was = left.pop(namesake)
        errors = isinstance(code, str) or isinstance(was, str)
        if errors or (list_sections(code) != list_sections(was) and not are_same(namesake, one, architecture)):
            lines.append(f"{one}: {was} -> {code}")
    return lines + compare_by_code(left, {one: after[one] for one in renamed})


def compare_by_code(before: dict[Listed, Code | str], after: dict[Listed, Code | str]) -> list[str]:
    """The same for instances without a namesake: whether the other tree has one of the same code."""
    old, new = Counter(map(list_sections, before.values())), Counter(map(list_sections, after.values()))
    gone = [f"only before: {one}: {code}" for one, code in before.items() if list_sections(code) not in new]
    come = [f"only after: {one}: {code}" for one, code in after.items() if list_sections(code) not in old]
    return gone + come


def list_sections(code: Code | str) -> tuple[str, ...]:
    return (code,) if isinstance(code, str) else code.sections


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="the tree to compare with: a checkout of the revision before")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--everything", action="store_true", help="every combination of the choices")
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    both = []
    for tree in (given.tree.resolve(), HERE):
        instances = [one for one in list_instances(tree, given.everything) if given.only in one.file]
        both.append(dict(zip(instances, compile_all(instances, given.architecture, given.processes), strict=True)))
    lines = compare(*both, given.architecture)
    print("\n".join(lines) or "the same machine code", f"({len(both[0])} instances before, {len(both[1])} after)")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
