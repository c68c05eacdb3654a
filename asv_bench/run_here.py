"""Run the benchmarks in this process and this environment, and keep the results in asv's format.

    python asv_bench/run_here.py                      # all, on every engine that is here
    python asv_bench/run_here.py --bench 'problems.*fused' --output /tmp/results

What ``asv run -E existing`` does, for machines where asv cannot be installed (asv_runner, which is pure Python, is
enough) or where starting a process for each case would cost more than the case. Nothing that names a user, a host
or a folder is kept: the machine is called by its GPU, or by its number of cores.
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

from graphla.machine import collect_facts

HERE = Path(__file__).parent
STATISTICS = ("ci_99_a", "ci_99_b", "q_25", "q_75", "number", "repeat")
COLUMNS = ("result", "params", "version", "started_at", "duration", *(f"stats_{name}" for name in STATISTICS))


def machine_name(told: dict[str, Any]) -> str:
    """The model of the GPU, or the number of cores."""
    return re.sub(r"[^a-z0-9]+", "-", told["gpu"].lower()) if "gpu" in told else f"cpu-{told['cores']}-cores"


def machine_record(told: dict[str, Any], name: str) -> dict[str, str]:
    """What asv keeps of a machine."""
    return {
        "arch": "x86_64" if sys.maxsize > 2**32 else "x86",
        "cpu": told["processor"],
        "gpu": told.get("gpu", ""),
        "machine": name,
        "num_cpu": str(told["cores"]),
        "os": told["system"].split()[0],
        "ram": f"{told['memory_bytes'] / 2**30:.0f} GiB",
    }


def commit(asked: str | None) -> tuple[str, int]:
    """Hash and date in milliseconds of the commit; now, where there is no repository to ask."""
    try:
        shown = subprocess.check_output(
            ["git", "show", "-s", "--format=%H %ct", asked or "HEAD"], cwd=HERE, text=True, stderr=subprocess.DEVNULL
        ).split()
        return shown[0], int(shown[1]) * 1000
    except (OSError, subprocess.CalledProcessError):
        return asked or "0" * 40, int(time.time() * 1000)


def chosen(pattern: str) -> Iterator[Any]:
    """The benchmarks some case of which matches."""
    for benchmark in sorted(disc_benchmarks(str(HERE / "benchmarks")), key=lambda b: b.name):
        if any(re.search(pattern, title(benchmark, case)) for case in cases(benchmark)):
            yield benchmark


def cases(benchmark: Any) -> list[tuple[str, ...]]:
    """The parameters of each case, as asv writes them."""
    return list(itertools.product(*benchmark.params))


def title(benchmark: Any, case: tuple[str, ...]) -> str:
    return f"{benchmark.name}({', '.join(case)})" if case else benchmark.name


def measured(benchmark: Any, index: int, case: tuple[str, ...]) -> tuple[Any, dict[str, Any] | None]:
    """The value of one case and its statistics: NaN if it was skipped."""
    if case:
        benchmark.set_param_idx(index)
    with redirect_stdout(None):  # asv_runner says of every skipped case that it was
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
    """One row of the results, and whether every case went well."""
    values: list[Any] = []
    statistics: list[dict[str, Any]] = []
    began, fine = time.time(), True
    for index, case in enumerate(cases(benchmark)):
        value, found = None, None
        if re.search(pattern, title(benchmark, case)):
            try:
                value, found = measured(benchmark, index, case)
            except Exception:
                traceback.print_exc()
                fine = False
            if value is None or value == value:
                print(f"{title(benchmark, case):76} {'failed' if value is None else f'{value:.6g}'}", flush=True)
        values.append(value)
        statistics.append(found or {})
    columns = [[s.get(name) for s in statistics] for name in STATISTICS]
    shown = [column if any(cell is not None for cell in column) else None for column in columns]
    return [values, benchmark.params, benchmark.version, int(began * 1000), time.time() - began, *shown], fine


def described(benchmark: Any) -> dict[str, Any]:
    """What asv's list of benchmarks tells of one."""
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
    told = collect_facts()
    name = machine_name(told)
    if arguments.machine:
        print(name)
        return 0
    record, (sha, date) = machine_record(told, name), commit(arguments.commit)
    versions = {k: told[k] for k in ("numpy", "scipy", "numba", "cupy-cuda13x", "cupy-cuda12x") if k in told}
    python = ".".join(told["python"].split(".")[:2])
    kept: dict[str, Any] = {
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
    every = {b.name: described(b) for b in disc_benchmarks(str(HERE / "benchmarks"))}
    listed = json.dumps({**dict(sorted(every.items())), "version": 2}, indent=1)
    (arguments.output / "benchmarks.json").write_text(listed + "\n")
    all_fine = True
    for benchmark in chosen(arguments.bench):
        row, fine = run(benchmark, arguments.bench)
        all_fine &= fine
        kept["results"][benchmark.name] = row
        (folder / f"{sha[:8]}-existing.json").write_text(json.dumps(kept, indent=None) + "\n")
    return 0 if all_fine else 1


if __name__ == "__main__":
    sys.exit(main())
