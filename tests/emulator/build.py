"""From a kernel's text to a shared object: g++, the header that plays CUDA, and a cache on disk.

Three builds: `checked` (the default) watches every access and all undefined behaviour; `plain` is for speed;
`address` is AddressSanitizer's own, for a process that has its library loaded first (see `asan_library`).
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from graphla.engine.cpu.cache import find_user_cache
from graphla.engine.cpu.trim import touch, trim_seldom

HERE = Path(__file__).parent
RUNTIME = (
    *("runtime.cpp", "warps.cpp", "barriers.cpp", "copies.cpp", "order.cpp", "fiber.cpp"),
    *("checks.cpp", "shared.cpp", "global.cpp"),
)
COMMON = ("-std=c++17", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-fno-exceptions")
KERNEL = ("-Wno-attributes", "-fno-strict-aliasing", "-ffp-contract=off")
WATCHED = (
    "-fsanitize=thread,undefined",
    "-fno-sanitize=vptr,null,object-size,pointer-overflow",
    "--param=tsan-distinguish-volatile=1",
)
KERNEL_FLAGS = {
    "checked": ("-O1", *WATCHED),
    "plain": ("-O2",),
    "address": ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"),
}
RUNTIME_FLAGS = {
    "checked": ("-O2", "-DEMULATOR_CHECKED"),
    "plain": ("-O2",),
    "address": ("-O1", "-fsanitize=address"),
}
LINES = ("-g1", "-gdwarf-4")
"""What adds source lines to a library; they change no code, so that its addresses stay."""
LINK_FLAGS = {
    "checked": ("-Wl,-z,defs",),
    "plain": ("-Wl,-z,defs",),
    "address": ("-fsanitize=address,undefined",),
}
HEX = "[0-9a-f]"
COMPILED = (HEX * 32 + "*.so", "*-" + HEX * 24 + ".o", "headers-*/*.gch", "tmp*/kernel.*", "tmp????????.*")
"""What the cache's folder may lose when it is too large: all but the locks."""
DYNAMIC_SHARED = re.compile(
    r"extern\s+__shared__\s+((?:__align__|alignas)\s*\(\s*\d+\s*\)\s*)?([\w:<>\s]+?)\s+(\w+)\s*\[\s*\]\s*;"
)


class CompileError(Exception):
    """g++ refused a kernel's text; the message is its first error."""


def find_compiler() -> str:
    return os.environ.get("CXX", "g++")


@functools.cache
def read_compiler_version() -> str:
    return subprocess.run([find_compiler(), "--version"], capture_output=True, text=True, check=True).stdout


@functools.cache
def compute_fingerprint() -> str:
    """All of the emulator's own text and flags, and the compiler: what every object depends on."""
    text = [p.read_text() for p in sorted(HERE.iterdir()) if p.suffix in {".h", ".cpp"}]
    flags = repr((COMMON, KERNEL, KERNEL_FLAGS, RUNTIME_FLAGS, LINK_FLAGS, LINES))
    return hashlib.sha256("\0".join([*text, flags, read_compiler_version()]).encode()).hexdigest()


@functools.cache
def find_linker_flags() -> tuple[str, ...]:
    """The flag for gold where it is installed: it links a kernel in a third of the time."""
    fast = "-fuse-ld=gold"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "empty.cpp"
        source.touch()
        command = [find_compiler(), "-shared", "-fPIC", fast, str(source), "-o", f"{folder}/empty.so"]
        return (fast,) if subprocess.run(command, capture_output=True, check=False).returncode == 0 else ()


def find_asan_library() -> str:
    """What LD_PRELOAD must name in a process that loads kernels of the `address` build."""
    command = [find_compiler(), "-print-file-name=libasan.so"]
    return str(Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()).resolve())


def find_cache_folder() -> Path:
    folder = os.environ.get("GRAPHLA_EMULATOR_CACHE") or find_user_cache() / "emulator"
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


def to_host_text(text: str, expression: str) -> str:
    """The kernel's text between the emulator's header and its entry."""
    body = DYNAMIC_SHARED.sub(r"\2* \3 = static_cast<\2*>(emulator::dynamic_shared());", text)
    return f'#include "cuda_emulator.h"\n#line 1 "kernel"\n{body}\nEMULATOR_ENTRY({expression})\n'


def find_first_error(log: str) -> str:
    lines = log.splitlines()
    at = next((i for i, line in enumerate(lines) if " error: " in line or "undefined " in line), 0)
    return "\n".join(lines[at : at + 6])


def run_compiler(arguments: list[str], target: Path) -> None:
    """Write `target` in one step, so that processes side by side do not see half of it."""
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=target.suffix)
    os.close(handle)
    done = subprocess.run([find_compiler(), *arguments, "-o", name], capture_output=True, text=True, check=False)
    if done.returncode:
        Path(name).unlink(missing_ok=True)
        raise CompileError(find_first_error(done.stderr))
    Path(name).replace(target)


@contextlib.contextmanager
def hold(target: Path) -> Iterator[None]:
    """Be the only process that builds `target`: others that want it wait, and find it."""
    slot = hashlib.sha256(target.name.encode()).hexdigest()[:2]
    with (target.parent / f"{slot}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def build_runtime(build: str) -> tuple[Path, ...]:
    objects = []
    for source in RUNTIME:
        target = find_cache_folder() / f"{Path(source).stem}-{build}-{compute_fingerprint()[:24]}.o"
        with hold(target):
            if not target.exists():
                run_compiler([*COMMON, *RUNTIME_FLAGS[build], "-c", str(HERE / source)], target)
        objects.append(target)
    return tuple(objects)


@functools.cache
def build_headers(build: str) -> Path:
    """A folder with the emulator's header compiled: a third of a kernel's time to compile."""
    folder = find_cache_folder() / f"headers-{build}-{compute_fingerprint()[:24]}"
    target = folder / "cuda_emulator.h.gch"
    with hold(folder):
        if not target.exists():
            folder.mkdir(exist_ok=True)
            run_compiler(
                [*COMMON, *KERNEL, *KERNEL_FLAGS[build], "-x", "c++-header", str(HERE / "cuda_emulator.h")], target
            )
    return folder


def build_shared_object(text: str, expression: str, build: str, lines: tuple[str, ...] = ()) -> Path:
    """The compiled kernel, from the cache if this very text was compiled before."""
    host = to_host_text(text, expression)
    key = hashlib.sha256(f"{compute_fingerprint()}\0{build}\0{host}".encode()).hexdigest()[:32]
    target = find_cache_folder() / f"{key}{'-lines' if lines else ''}.so"
    touch(target)
    if target.exists():
        return target
    build_headers(build), build_runtime(build)  # before the lock, whose slot may be one of theirs
    with hold(target), tempfile.TemporaryDirectory(dir=find_cache_folder()) as own:
        source = Path(own) / "kernel.cpp"
        source.write_text(host)
        try:
            if not target.exists():
                compile_kernel(source, target, build, lines)
        except CompileError as error:
            raise CompileError(f"{expression}: {error}") from None
    trim_seldom(target.parent, *COMPILED)
    return target


def compile_kernel(source: Path, target: Path, build: str, lines: tuple[str, ...]) -> None:
    """Compile and link; the link takes no sanitizer's own library, whose part the runtime plays."""
    # Kernels with lines read the header as text: it was compiled without them.
    compiled_header = [] if lines else [f"-I{build_headers(build)}"]
    flags = [*COMMON, *KERNEL, *KERNEL_FLAGS[build], *lines, *compiled_header, f"-I{HERE}"]
    compiled = source.with_suffix(".o")
    run_compiler([*flags, "-c", str(source)], compiled)
    objects = [str(each) for each in (compiled, *build_runtime(build))]
    run_compiler(["-shared", *LINK_FLAGS[build], *find_linker_flags(), *objects], target)
    for used in (*build_runtime(build), build_headers(build) / "cuda_emulator.h.gch"):
        touch(used)


def find_source_line(library: Path, offset: int) -> str:
    """Where in the source a code address lies, with the functions inlined around it; "" if unknown."""
    command = ["addr2line", "-i", "-f", "-C", "-s", "-e", str(library), hex(offset)]
    try:
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    except FileNotFoundError:
        return ""
    frames = [f"{place.split()[0]} in {name}" for name, place in zip(lines[::2], lines[1::2], strict=False)]
    shown = [f for f in frames if not f.startswith(("?", "cuda_", "runtime")) and "emulator" not in f]
    return ", called from ".join(shown)
