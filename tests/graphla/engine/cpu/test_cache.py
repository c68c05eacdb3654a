"""Whose files the cache of machine code runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphla.common.errors import CacheWarning
from graphla.engine.cpu.cache import Store, distrust


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    Store(tmp_path / "cpu").write("a", b"code")
    return tmp_path / "cpu"


def test_what_is_written_is_read(filled: Path) -> None:
    assert Store(filled).read("a") == b"code"
    assert Store(filled).read("b") is None
    assert Store(filled.parent / "none").read("a") is None
    assert not (filled.parent / "none").exists()


def use(store: Store) -> tuple[bytes | None, bool]:
    """What it reads under "a", after it was given something under "b", and whether it keeps that."""
    found = store.read("a")
    store.write("b", b"more")
    return found, store.keeps


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(filled: Path, mode: int) -> None:
    filled.chmod(mode)
    with pytest.warns(CacheWarning, match=rf"others may write to it \(mode {mode:o}\).*chmod 700") as said:
        assert use(Store(filled)) == (None, False)
    assert len(said) == 1
    assert [path.name for path in filled.iterdir()] == ["a"]
    filled.chmod(0o755)
    assert Store(filled).read("a") == b"code"


def test_a_file_that_others_can_write_to_is_refused(filled: Path) -> None:
    (filled / "a").chmod(0o666)
    with pytest.warns(CacheWarning, match=r"a is not used, for others may write to it \(mode 666\)"):
        assert Store(filled).read("a") is None


def make_status(owner: int, mode: int = 0o40700) -> os.stat_result:
    return os.stat_result((mode, 0, 0, 0, owner, 0, 0, 0, 0, 0))


def test_only_what_is_ours_or_roots_is_trusted() -> None:
    me = os.geteuid()
    assert distrust(make_status(me)) is None
    assert distrust(make_status(0, 0o40755)) is None
    assert distrust(make_status(me + 1)) == f"it belongs to the user with number {me + 1}, and you are {me}"
    assert distrust(make_status(0, 0o100664)) == "others may write to it (mode 664)"


def test_a_folder_of_somebody_else_is_refused(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: filled.stat().st_uid + 1)
    if filled.stat().st_uid == 0:  # what is root's is trusted, and these tests may run as root
        os.chown(filled, 12345, -1)
    with pytest.warns(CacheWarning, match="belongs to the user with number"):
        assert Store(filled).read("a") is None


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_made_for_its_owner_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        Store(tmp_path / "above" / "cpu").write("a", b"code")
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "above", tmp_path / "above" / "cpu")]
    assert modes == [0o700, 0o700]
    assert Store(tmp_path / "above" / "cpu").read("a") == b"code"
