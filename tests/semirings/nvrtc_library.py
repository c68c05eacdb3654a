"""NVRTC without a GPU: the compiler library of the PyPI package, called through ctypes."""

import ctypes
import importlib.util
from functools import cache
from pathlib import Path


class CompileError(Exception):
    """What the compiler said."""


@cache
def library() -> ctypes.CDLL | None:
    """The library, or None where the package is not installed."""
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for folder in folders for path in sorted(Path(folder).glob("**/libnvrtc.so*"))]
    return ctypes.CDLL(str(found[-1])) if found else None


def compile_text(text: str, architecture: str = "sm_90") -> int:
    """Compile a translation unit and return the size of the machine code in bytes.

    Raises
    ------
    CompileError
        With the compiler's log.
    """
    nvrtc = library()
    assert nvrtc is not None
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"unit.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}".encode(), b"--std=c++17"]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    code = ctypes.c_size_t()
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(code))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        raise CompileError(log.value.decode())
    return code.value
