"""Run the benchmarks in this process and this environment, and store the results in asv's format.

    python asv_bench/run_here.py                      # all, on every engine that is here
    python asv_bench/run_here.py --bench 'problems.*fused' --output /tmp/results

This does what ``asv run -E existing`` does, for machines where asv cannot be installed (asv_runner, which is pure
Python, suffices) or where starting a process per case would take longer than the case. The results contain no name of a
user, host or folder: the machine is named after its GPU or its number of cores.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from asv_runner.benchmarks.mark import SkipNotImplemented
from asv_runner.discovery import disc_benchmarks
from asv_runner.statistics import compute_stats

from graphla.measuring.machine import collect_facts

HERE = Path(__file__).parent
STATISTICS = ("ci_99_a", "ci_99_b", "q_25", "q_75", "number", "repeat")
COLUMNS = ("result", "params", "version", "started_at", "duration", *(f"stats_{name}" for name in STATISTICS))


def name_machine(facts: dict[str, Any]) -> str:
    """Name the machine after its GPU, or else its number of cores."""
    return re.sub(r"[^a-z0-9]+", "-", facts["gpu"].lower()) if "gpu" in facts else f"cpu-{facts['cores']}-cores"


def make_machine_record(facts: dict[str, Any], name: str) -> dict[str, str]:
    """Make asv's record of the machine."""
    return {
        "arch": "x86_64" if sys.maxsize > 2**32 else "x86",
        "cpu": facts["processor"],
        "gpu": facts.get("gpu", ""),
        "machine": name,
        "num_cpu": str(facts["cores"]),
        "os": facts["system"].split()[0],
        "ram": f"{facts['memory_bytes'] / 2**30:.0f} GiB",
    }


def find_commit(asked: str | None) -> tuple[str, int]:
    """Return the hash of the commit and its date in milliseconds; the current time if there is no repository."""
    try:
        shown = subprocess.check_output(
            ["git", "show", "-s", "--format=%H %ct", asked or "HEAD"], cwd=HERE, text=True, stderr=subprocess.DEVNULL
        ).split()
        return shown[0], int(shown[1]) * 1000
    except (OSError, subprocess.CalledProcessError):
        return asked or "0" * 40, int(time.time() * 1000)


def choose_benchmarks(pattern: str) -> Iterator[Any]:
    """Yield the benchmarks that have a case which matches `pattern`."""
    for benchmark in sorted(disc_benchmarks(str(HERE / "benchmarks")), key=lambda b: b.name):
        if any(re.search(pattern, format_title(benchmark, case)) for case in list_cases(benchmark)):
            yield benchmark


def list_cases(benchmark: Any) -> list[tuple[str, ...]]:
    """List the parameters of each case, as asv writes them."""
    return list(itertools.product(*benchmark.params))


def format_title(benchmark: Any, case: tuple[str, ...]) -> str:
    return f"{benchmark.name}({', '.join(case)})" if case else benchmark.name


def measure(benchmark: Any, index: int, case: tuple[str, ...]) -> tuple[Any, dict[str, Any] | None]:
    """Measure one case; return its value and statistics. A skipped case gives NaN."""
    if case:
        benchmark.set_param_idx(index)
    with redirect_stdout(None):  # asv_runner prints a line for every skipped case
        skipped = benchmark.do_setup()
    try:
        outcome = math.nan if skipped else benchmark.do_run()
    except SkipNotImplemented:
        outcome = math.nan
    finally:
        benchmark.do_teardown()
    if not isinstance(outcome, dict):
        return outcome, None
    return compute_stats(outcome["samples"], outcome["number"])


def run(benchmark: Any, pattern: str) -> tuple[list[Any], bool]:
    """Run a benchmark; return its row of the results, and whether no case failed."""
    values: list[Any] = []
    statistics: list[dict[str, Any]] = []
    began, fine = time.time(), True
    for index, case in enumerate(list_cases(benchmark)):
        value, found = None, None
        if re.search(pattern, format_title(benchmark, case)):
            try:
                value, found = measure(benchmark, index, case)
            except Exception:
                traceback.print_exc()
                fine = False
            if value is None or value == value:
                print(f"{format_title(benchmark, case):76} {'failed' if value is None else f'{value:.6g}'}", flush=True)
        values.append(value)
        statistics.append(found or {})
    columns = [[s.get(name) for s in statistics] for name in STATISTICS]
    filled = [column if any(cell is not None for cell in column) else None for column in columns]
    return [values, benchmark.params, benchmark.version, int(began * 1000), time.time() - began, *filled], fine


def describe(benchmark: Any) -> dict[str, Any]:
    """Return the entry of a benchmark in asv's list of benchmarks."""
    kinds = (str, int, float, list, dict, bool)
    return {k: v for k, v in vars(benchmark).items() if isinstance(v, kinds) and not k.startswith("_")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", default="", help="a regular expression; by default all")
    parser.add_argument("--commit", help="the commit that is measured, where git cannot tell")
    parser.add_argument("--output", type=Path, default=HERE / "results")
    parser.add_argument("--seconds", type=float, help="no further sample of a case after so many; by default 3")
    parser.add_argument("--machine", action="store_true", help="print the machine's name and stop")
    arguments = parser.parse_args()
    if arguments.seconds is not None:
        os.environ["GRAPHLA_BENCH_SECONDS"] = str(arguments.seconds)
    facts = collect_facts()
    name = name_machine(facts)
    if arguments.machine:
        print(name)
        return 0
    record, (sha, date) = make_machine_record(facts, name), find_commit(arguments.commit)
    versions = {k: facts[k] for k in ("numpy", "scipy", "numba", "cupy-cuda13x", "cupy-cuda12x") if k in facts}
    python = ".".join(facts["python"].split(".")[:2])
    results: dict[str, Any] = {
        "commit_hash": sha,
        "env_name": "existing",
        "date": date,
        "params": {**record, "python": python, **versions},
        "python": python,
        "requirements": versions,
        "env_vars": {},
        "result_columns": list(COLUMNS),
        "results": {},
        "durations": {},
        "version": 2,
    }
    folder = arguments.output / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "machine.json").write_text(json.dumps({**record, "version": 1}, indent=4) + "\n")
    every = {b.name: describe(b) for b in disc_benchmarks(str(HERE / "benchmarks"))}
    benchmarks = json.dumps({**dict(sorted(every.items())), "version": 2}, indent=1)
    (arguments.output / "benchmarks.json").write_text(benchmarks + "\n")
    all_fine = True
    for benchmark in choose_benchmarks(arguments.bench):
        row, fine = run(benchmark, arguments.bench)
        all_fine &= fine
        results["results"][benchmark.name] = row
        (folder / f"{sha[:8]}-existing.json").write_text(json.dumps(results, indent=None) + "\n")
    return 0 if all_fine else 1


if __name__ == "__main__":
    sys.exit(main())
