"""Machine code kept on disk: whatever stands there, a kernel gives its answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from numba.core.compiler import CompileResult

from graphla.common.errors import CacheWarning
from graphla.engine.cpu import jit, source
from graphla.engine.cpu.cache import DIGEST, MAGIC, Store

TEXT = """
from graphla.engine.cpu.jit import njit

FACTOR = 2

@njit()
def scaled(x):
    return FACTOR * x
"""
PROCESS = """
import sys
from graphla.engine.cpu import source
scaled = source.execute_module("scaled", sys.argv[1]).scaled
print(scaled(21), sum(scaled.stats.cache_hits.values()))
"""
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n" + PROCESS


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for machine code."""
    use(tmp_path / "cpu", monkeypatch)
    return tmp_path / "cpu"


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin as a new process does, with what stands in a folder."""
    held = Store(folder)
    monkeypatch.setattr(jit, "get_store", lambda: held)


def load_kernel(text: str = TEXT) -> Any:
    return source.execute_module("scaled", text).scaled


def count_hits(compiled: Any) -> int:
    return sum(compiled.stats.cache_hits.values())


def test_the_second_process_compiles_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (load_kernel()(21), load_kernel()(21)) == (42, 42)
    use(kept, monkeypatch)
    again = load_kernel()
    assert (again(21), count_hits(again)) == (42, 1)
    assert (again(1.5), count_hits(again)) == (3.0, 1)  # another signature
    assert len(list(kept.iterdir())) == 2


@pytest.mark.parametrize("text", [TEXT.replace("FACTOR = 2", "FACTOR = 3"), TEXT + "\n# another text\n"])
def test_another_text_is_compiled_anew(kept: Path, text: str) -> None:
    load_kernel()(21)
    other = load_kernel(text)
    assert (other(1), count_hits(other)) == (2 + ("3" in text), 0)


def test_what_a_kernel_imports_belongs_to_its_text(kept: Path) -> None:
    """A number, and a function of another module with what that one imports."""
    numbers = source.execute_module("numbers", "BASE = 1")
    source.execute_module("inner", f"from {numbers.__name__} import BASE\n{TEXT}")
    text = TEXT.replace("FACTOR = 2", "from graphla_compiled.inner import scaled as inner, BASE as FACTOR")
    prefixes = {load_kernel(text)._cache.prefix}
    source.execute_module("inner", f"from {numbers.__name__} import BASE\n{TEXT}\n# changed\n")
    prefixes.add(load_kernel(text)._cache.prefix)
    numbers.BASE = 7
    source.execute_module("inner", f"from {numbers.__name__} import BASE\n{TEXT}")
    prefixes.add(load_kernel(text)._cache.prefix)
    assert len(prefixes) == 3


def test_checked_indices_are_compiled_apart(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.config.BOUNDSCHECK", None)
    plain = load_kernel()._cache.prefix
    monkeypatch.setattr("numba.config.BOUNDSCHECK", 1)
    assert load_kernel()._cache.prefix != plain


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def replace_content(content: bytes) -> bytes:
    """A whole file that holds something else."""
    import hashlib
    import pickle

    other = pickle.dumps(("no", "machine", "code"))
    return MAGIC + hashlib.sha256(other).digest() + other


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda _: MAGIC, lambda _: os.urandom(5000), cut, flip, replace_content],
    ids=["empty", "begun", "garbage", "cut", "one bit", "foreign"],
)  # fmt: skip
def test_a_damaged_file_is_compiled_anew_and_said_once(kept: Path, monkeypatch: pytest.MonkeyPatch, damage) -> None:
    load_kernel()(21), load_kernel()(1.5)
    for path in kept.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    use(kept, monkeypatch)
    again = load_kernel()
    with pytest.warns(CacheWarning, match="is damaged; damaged files in this folder are compiled again") as said:
        assert (again(21), again(1.5), count_hits(again)) == (42, 3.0, 0)
    assert len(said) == 1
    use(kept, monkeypatch)
    mended = load_kernel()
    assert (mended(21), mended(1.5), count_hits(mended)) == (42, 3.0, 2)


def test_a_file_holds_a_digest_of_the_rest(kept: Path) -> None:
    load_kernel()(21)
    (path,) = kept.iterdir()
    assert path.read_bytes().startswith(MAGIC)
    assert len(path.read_bytes()) > len(MAGIC) + DIGEST
    assert (kept.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o644)


def test_a_failed_rebuild_counts_as_damage(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_kernel()(21)
    use(kept, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(CompileResult, "_rebuild", lambda *_: 1 / 0)
        with pytest.warns(CacheWarning, match="damaged"):
            assert load_kernel()(21) == 42


def test_loading_machine_code_counts_as_compiling(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_kernel()(21)
    rebuild = CompileResult._rebuild

    def slow(*parts: Any) -> Any:
        time.sleep(0.2)
        return rebuild(*parts)

    monkeypatch.setattr(CompileResult, "_rebuild", slow)
    again, before = load_kernel(), jit.seconds_compiling()
    assert (again(21), count_hits(again)) == (42, 1)
    assert jit.seconds_compiling() - before >= 0.2


def run_process(code: str, cache: object) -> tuple[str, str]:
    """What a process prints, and says on standard error."""
    where = {**os.environ, "GRAPHLA_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", code, TEXT]
    done = subprocess.run(command, capture_output=True, text=True, env=where, check=True)
    return done.stdout.strip(), done.stderr


def test_a_full_disk_a_read_only_cache_and_one_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for code, cache, reason in (
        (LIMITED, tmp_path / "full", "cannot be written: File too large"),
        (PROCESS, tmp_path / "file", "cannot be read: Not a directory"),
    ):
        out, err = run_process(code, cache)
        assert out == "42 0"
        assert reason in err
        assert "Every process compiles for itself until it can be, or GRAPHLA_CACHE names another folder" in err
    assert list((tmp_path / "full" / "cpu").iterdir()) == [], "a part of a file was left"
    assert run_process(PROCESS, tmp_path / "good") == ("42 0", "")
    assert run_process(LIMITED, tmp_path / "good") == ("42 1", "")
