"""Compiled kernels are filed by one process at a time, and what is filed is found again."""

import importlib.util
import threading
import time
from types import ModuleType

import pytest
from numba.core.caching import FunctionCache

from graphla.engine.cpu.jit import locked, seconds_compiling

TEXT = """
from graphla.engine.cpu.jit import njit

@njit()
def twice(x):
    return 2 * x
"""


def loaded(path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_machine_code_is_filed_in_turn(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes that number their code at once would each find the other's under its own types."""
    path, filing, file = tmp_path / "kernel.py", threading.Event(), FunctionCache._save_overload
    path.write_text(TEXT)

    def seen(self, signature, code) -> None:
        filing.set()
        file(self, signature, code)

    monkeypatch.setattr(FunctionCache, "_save_overload", seen)
    kernel = loaded(path).twice
    with locked(tmp_path / "__pycache__"):
        caller = threading.Thread(target=kernel, args=(21,))
        caller.start()
        assert not filing.wait(1)
    caller.join(timeout=60)
    assert filing.is_set()
    again = loaded(path).twice
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1


def test_loading_machine_code_counts_as_compiling(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, load = tmp_path / "kernel.py", FunctionCache.load_overload
    path.write_text(TEXT)
    loaded(path).twice(21)

    def slow(self, signature, context):
        time.sleep(0.2)
        return load(self, signature, context)

    monkeypatch.setattr(FunctionCache, "load_overload", slow)
    again, before = loaded(path).twice, seconds_compiling()
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1
    assert seconds_compiling() - before >= 0.2
