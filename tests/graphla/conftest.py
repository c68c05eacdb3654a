"""Tests run machine code, however small their graphs are; those of interpreted kernels name no such fixture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphla.engine.cpu.late import compile_at_once


@pytest.fixture(autouse=True)
def machine_code() -> Iterator[None]:
    """Compile each kernel that is called."""
    with compile_at_once():
        yield
