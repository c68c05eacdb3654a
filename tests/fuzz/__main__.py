"""``python -m tests.fuzz SUBJECT --minutes M``: run a fuzzer from a seed on, and print what it finds."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import numpy as np

from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import load
from tests.kept import keep, read_commit

TOOLS = {"__main__", "calls", "programs", "drawn", "rules"}
SUBJECTS = sorted(
    module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if module.name not in TOOLS
)


@click.command()
@click.argument("subject", type=click.Choice(SUBJECTS))
@click.option("--minutes", type=float, default=None, help="Stop after so many minutes.")
@click.option("--count", type=int, default=None, help="Stop after so many seeds.")
@click.option("--seed", type=int, default=0, show_default=True, help="The first seed.")
@click.option("--engine", type=click.Choice(["cpu", "cuda", "emulated"]), default="cpu", show_default=True)
@click.option("--faults", "most", type=int, default=5, show_default=True, help="Stop after so many faults.")
@click.option("--keep", "kept", is_flag=True, help="Append what came out to docs/_data/fuzzers.csv.")
def main(subject: str, minutes: float | None, count: int | None, seed: int, engine: str, most: int, kept: bool) -> None:
    """Run one fuzzer, seed after seed; the exit code is 1 if it found a fault."""
    if minutes is None and count is None:
        raise click.UsageError("give --minutes or --count")
    commit, seeds = read_commit(), range(seed, seed + count) if count is not None else itertools.count(seed)
    ran, found = run(importlib.import_module(f"tests.fuzz.{subject}"), seeds, make_engine(engine), minutes, most)
    if kept:
        keep("fuzzers", commit, subject=subject, engine=engine, first=seed, seeds=ran, faults=found)
    click.echo(f"{subject}: {ran:,} seeds from {seed} on, {found} faults")
    sys.exit(found > 0)


def make_engine(name: str) -> Any:
    """The engine of that name; "emulated" runs the CUDA kernels on the host."""
    if name != "emulated":
        return get_engine(name)
    return CudaEngine(np, load)


def run(subject: Any, seeds: Iterable[int], engine: Any, minutes: float | None, most: int) -> tuple[int, int]:
    """How many seeds ran, and how many of them showed a fault, each printed."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    ran = found = 0
    for seed in seeds:
        if found == most or (end is not None and time.monotonic() > end):
            break
        ran += 1
        try:
            subject.check(seed, engine)
        except Exception as error:
            found += 1
            click.echo(f"--- seed {seed}: {type(error).__name__}\n{error}\n")
    return ran, found


if __name__ == "__main__":
    main()
