"""NVRTC without a GPU: machine code of a kernel for an architecture, and what it costs in registers and memory.

The library comes from the wheel `nvidia-cuda-nvrtc`; the numbers from the assembler's own log and the cubin. They are
kept on disk by compiler, options and text: what was compiled before is not compiled again.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import io
import json
import os
import re
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

from graphla.common.files import replace_file
from graphla.engine.cpu.cache import find_user_cache
from graphla.engine.cpu.trim import touch, trim_seldom

ARCHITECTURES = ("sm_80", "sm_90", "sm_100", "sm_120", "sm_121")
MEASURED = ("sm_80", "sm_90", "sm_120")
"""Where each hot kernel is looked at: registers and shared memory differ most. `make slow` looks at the others."""


class NvrtcError(Exception):
    """The compiler's log."""


@dataclass(frozen=True)
class Compiled:
    """What the assembler says of a kernel; sizes in bytes, for one thread."""

    name: str
    size: int  # of the machine code of all kernels compiled at once
    registers: int
    stack: int
    spill_stores: int
    spill_loads: int

    @property
    def spills(self) -> bool:
        return self.spill_stores + self.spill_loads > 0


@cache
def load_library() -> ctypes.CDLL | None:
    """NVRTC, or None where its wheel is not installed."""
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return open_library([path for folder in folders for path in sorted(Path(folder).glob("**/libnvrtc.so*"))])


def open_library(found: list[Path]) -> ctypes.CDLL | None:
    """The last of some libraries, if there is one."""
    return ctypes.CDLL(str(found[-1])) if found else None


class Program:
    """One compilation; frees its memory on leaving."""

    def __init__(self, text: str, library: ctypes.CDLL | None = None) -> None:
        nvrtc = library or load_library()
        assert nvrtc is not None, "nvidia-cuda-nvrtc is not installed: pip install graphla[test]"
        self.nvrtc, self.handle = nvrtc, ctypes.c_void_p()
        self.check(nvrtc.nvrtcCreateProgram(ctypes.byref(self.handle), text.encode(), b"unit.cu", 0, None, None))

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.nvrtc.nvrtcDestroyProgram(ctypes.byref(self.handle))

    def check(self, result: int) -> None:
        if result:
            raise NvrtcError(
                self.read_data("ProgramLog").decode(errors="replace").strip("\0\n") or f"NVRTC error {result}"
            )

    def read_data(self, what: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(self.nvrtc, f"nvrtcGet{what}Size")(self.handle, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.nvrtc, f"nvrtcGet{what}")(self.handle, buffer)
        return buffer.raw

    def compile(self, expressions: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
        """The lowered names of `expressions`."""
        for expression in expressions:
            self.check(self.nvrtc.nvrtcAddNameExpression(self.handle, expression.encode()))
        table = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
        self.check(self.nvrtc.nvrtcCompileProgram(self.handle, len(options), table))
        return [self.read_name(expression) for expression in expressions]

    def read_name(self, expression: str) -> str:
        lowered = ctypes.c_char_p()
        self.check(self.nvrtc.nvrtcGetLoweredName(self.handle, expression.encode(), ctypes.byref(lowered)))
        return (lowered.value or b"").decode()


def compile_kernel(
    text: str, expression: str, architecture: str = "sm_90", *, beside: tuple[str, ...] = ()
) -> Compiled:
    """Compile one kernel as CuPy would, and read what it costs; those `beside` it in the text are compiled with it.

    Most of the time goes into reading the text, so that all kernels of a text take little more than one. Where one of
    them fails, the others are compiled alone.

    Raises
    ------
    NvrtcError
        With the compiler's log.
    """
    options = (f"-arch={architecture}", "-std=c++17", "-ftz=true", "--ptxas-options=-v")
    known = find_cache_folder() / f"{compute_key(text, expression, *options)}.json"
    with contextlib.suppress(FileNotFoundError):
        return Compiled(**json.loads(read_known(known)))
    expressions = tuple(dict.fromkeys((expression, *beside)))
    try:
        compiled = compile_program(text, expressions, options)
    except NvrtcError:
        if not beside:
            raise
        return compile_kernel(text, expression, architecture)
    for each, costs in compiled.items():
        name = f"{compute_key(text, each, *options)}.json"
        keep(find_cache_folder() / name, json.dumps(asdict(costs)).encode())
    return compiled[expression]


def compile_program(text: str, expressions: tuple[str, ...], options: tuple[str, ...]) -> dict[str, Compiled]:
    """Compile kernels of one text at once."""
    with Program(text) as program:
        names = program.compile(expressions, options)
        cubin, log = program.read_data("CUBIN"), program.read_data("ProgramLog").decode(errors="replace").strip("\0")
    costs = [Compiled(name, len(cubin), read_register_count(cubin, name), *parse_log(log, name)) for name in names]
    return dict(zip(expressions, costs, strict=True))


def check_text(text: str, architecture: str = "sm_90") -> None:
    """Compile a text that need not have a kernel.

    Raises
    ------
    NvrtcError
        With the compiler's log.
    """
    options = (f"-arch={architecture}", "-std=c++17")
    known = find_cache_folder() / f"{compute_key('checked', text, *options)}.ok"
    with contextlib.suppress(FileNotFoundError):
        read_known(known)
        return
    with Program(text) as program:
        program.compile((), options)
    keep(known, b"")


def read_known(path: Path) -> str:
    touch(path)
    return path.read_text()


def keep(path: Path, content: bytes) -> None:
    with replace_file(path) as file:
        file.write(content)
    trim_seldom(path.parent, f"{'[0-9a-f]' * 32}.*")


def find_cache_folder() -> Path:
    folder = Path(os.environ.get("GRAPHLA_NVRTC_CACHE") or find_user_cache() / "nvrtc")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compute_key(*texts: str) -> str:
    """A name for what the compiler makes of these texts, and for what is kept of it."""
    kept = (field.name for field in fields(Compiled))
    return hashlib.sha256("\0".join([read_version(), *kept, *texts]).encode()).hexdigest()[:32]


@cache
def read_version() -> str:
    """Which compiler this is: what it says of itself, and its size, which tells one patch from another."""
    nvrtc, major, minor = load_library(), ctypes.c_int(), ctypes.c_int()
    assert nvrtc is not None
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value} {Path(nvrtc._name).stat().st_size}"


def parse_log(log: str, name: str) -> tuple[int, int, int]:
    """Stack frame, spill stores and spill loads of a kernel, from the assembler's log."""
    pattern = (
        rf"Function properties for {re.escape(name)}\n"
        r"[^\n]*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
    )
    found = re.search(pattern, log)
    if not found:
        raise NvrtcError(f"the assembler says nothing of {name}: {log}")
    return int(found[1]), int(found[2]), int(found[3])


def read_register_count(cubin: bytes, name: str) -> int:
    """Registers of a thread: the attribute EIATTR_REGCOUNT (0x2f) of the kernel's symbol in .nv.info."""
    from elftools.elf.elffile import ELFFile

    elf = ELFFile(io.BytesIO(cubin))
    symbols = elf.get_section_by_name(".symtab")
    data, position = elf.get_section_by_name(".nv.info").data(), 0
    while position < len(data):
        form, attribute = data[position], data[position + 1]
        size = int.from_bytes(data[position + 2 : position + 4], "little") if form == 4 else 0
        payload = data[position + 4 : position + 4 + size]
        if attribute == 0x2F:
            symbol = symbols.get_symbol(int.from_bytes(payload[:4], "little")).name
            if symbol == name:
                return int.from_bytes(payload[4:8], "little")
        position += 4 + size
    raise NvrtcError(f"no register count for {name} in the cubin")
