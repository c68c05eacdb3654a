"""Folders of compiled code do not grow without bound."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from graphla.common.errors import InvalidOption
from graphla.engine.cpu import trim as trimming
from graphla.engine.cpu.cache import Store
from tests import nvrtc
from tests.emulator import build

KILO = 1000


def age(path: Path, hours: float) -> None:
    used = time.time() - hours * 3600
    os.utime(path, (used, used))


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write looks at the size; ten files of 4 kB have room."""
    monkeypatch.setattr(trimming, "SELDOM", 1)
    monkeypatch.setenv("GRAPHLA_CACHE_LIMIT", "41K")


def fill(store: Store, count: int = 10) -> None:
    """Files named by the hours since their last use, from `count` + 1 on; the oldest has the last name."""
    for i in range(count):
        store.write(f"{i:03}", b"x" * KILO)
        age(store.folder / f"{i:03}", i + 2)


def list_names(store: Store) -> list[str]:
    return sorted(path.name for path in store.folder.iterdir())


@pytest.mark.usefixtures("always")
def test_what_was_used_least_recently_goes_first(tmp_path: Path) -> None:
    store = Store(tmp_path / "cpu")
    fill(store)
    assert len(list_names(store)) == 10
    assert store.read("009") == b"x" * KILO  # the oldest is used
    store.write("new", b"")
    assert list_names(store) == ["000", "001", "002", "003", "004", "005", "009", "new"]


@pytest.mark.usefixtures("always")
def test_what_was_used_within_the_hour_stays(tmp_path: Path) -> None:
    store = Store(tmp_path / "cpu")
    for i in range(20):
        store.write(f"{i:03}", b"x")
    assert len(list_names(store)) == 20


def test_no_limit(tmp_path: Path, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_CACHE_LIMIT", "0")
    fill(Store(tmp_path / "cpu"), 20)
    assert len(list_names(Store(tmp_path / "cpu"))) == 20


def test_only_one_write_of_many_looks(tmp_path: Path, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(trimming, "SELDOM", 64)
    monkeypatch.setattr(trimming.secrets, "randbelow", lambda n: drawn.append(n) or 1)
    fill(Store(tmp_path / "cpu"), 20)
    assert drawn == [64] * 20
    assert len(list_names(Store(tmp_path / "cpu"))) == 20


def test_files_that_others_delete_meanwhile(tmp_path: Path) -> None:
    gone, there = tmp_path / "gone", tmp_path / "there"
    there.write_bytes(b"x")
    trimming.touch(gone)
    trimming.trim([(0.0, 4096, gone), (1.0, 4096, there)], 5000)
    assert not there.exists(), "the bytes of a file that is gone were counted as deleted"


@pytest.mark.parametrize(("text", "size"), [("", 2 * 10**9), ("500M", 5 * 10**8), ("0.5T", 5 * 10**11), ("7", 7)])
def test_limits(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_CACHE_LIMIT", text)
    assert trimming.read_limit() == size


@pytest.mark.parametrize("text", ["much", "G", "2 GB", "inf", "-1"])
def test_a_limit_that_is_no_size(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_CACHE_LIMIT", text)
    says = f"GRAPHLA_CACHE_LIMIT='{text}': it is not a size: give 500M or 2G, 0 for no limit"
    with pytest.raises(InvalidOption, match=says):
        trimming.read_limit()


KERNEL = "__global__ void set{}(int* x) {{ x[0] = {}; }}"


@pytest.mark.emulated
def test_the_emulators_folder(tmp_path: Path, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a build needs is used by it; locks and what is not the cache's stay."""
    monkeypatch.setenv("GRAPHLA_EMULATOR_CACHE", str(tmp_path))
    monkeypatch.setattr(build, "build_runtime", build.build_runtime.__wrapped__)
    monkeypatch.setattr(build, "build_headers", build.build_headers.__wrapped__)
    (tmp_path / "notes.so").write_bytes(b"x" * KILO)
    first, second = (build.build_shared_object(KERNEL.format(i, i), f"set{i}", "plain") for i in range(2))
    for path in tmp_path.rglob("*.*"):
        age(path, 2)
    assert build.build_shared_object(KERNEL.format(1, 1), "set1", "plain") == second
    third = build.build_shared_object(KERNEL.format(2, 2), "set2", "plain")
    assert [path.exists() for path in (first, second, third)] == [False, True, True]
    assert {path.suffix for path in tmp_path.rglob("*.*")} >= {".so", ".o", ".gch", ".lock"}
    assert (tmp_path / "notes.so").exists()


@pytest.mark.skipif(nvrtc.load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
def test_nvrtcs_folder(tmp_path: Path, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_NVRTC_CACHE", str(tmp_path))
    kept = [tmp_path / f"{i:032}.ok" for i in range(11)]
    for i, path in enumerate((*kept, tmp_path / "notes.ok")):
        path.write_bytes(b"x")
        age(path, i + 2)
    assert nvrtc.read_known(kept[10]) == "x"
    nvrtc.check_text("// a text")
    assert [path.exists() for path in kept] == [True] * 7 + [False] * 3 + [True]
    assert (tmp_path / "notes.ok").exists()
