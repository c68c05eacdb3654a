"""``python -m release [--tagged]``: build, check and try the release that the tree holds.

The sdist, the wheel and the wheels of kernels are in ``dist/``; the notes, the recipe for conda-forge and what was
tried are in ``build/release/``. It ends with 1 if anything does not hold. With ``--tagged`` the changelog must have a
section of the version, and the tree no change that is not committed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from release.bare import ROOT, try_everywhere, try_extras
from release.conda import make_recipe
from release.contents import Unfit, check_sdist, check_wheel, require_committed
from release.notes import NoNotes, find_notes, read_version

DIST, WORK = ROOT / "dist", ROOT / "build" / "release"


def main() -> int:
    """Run every step; a step that fails ends the program."""
    parser = argparse.ArgumentParser(prog="python -m release", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tagged", action="store_true", help="the changelog must have a section of the version")
    parser.add_argument("--no-kernels", action="store_true", help="leave out the wheels of kernels, ten minutes less")
    parser.add_argument("--no-try", action="store_true", help="build and check only: install it nowhere")
    told = parser.parse_args()
    try:
        if told.tagged:
            require_committed()
        write_notes(told.tagged)
        build()
        if not told.no_kernels:
            build_kernels()
        return 0 if told.no_try else try_it()
    except (NoNotes, Unfit) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode


def write_notes(tagged: bool) -> None:
    """Write the notes of this version."""
    version = read_version()
    notes = find_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), version, tagged=tagged)
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "notes.md").write_text(notes, "utf-8")
    print(f"notes of {version}: {WORK / 'notes.md'}")


def build() -> None:
    """Build the sdist, from it the wheel, and check both."""
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", DIST, ROOT], check=True, stdout=subprocess.DEVNULL)
    sdist, wheel = next(DIST.glob("*.tar.gz")), next(DIST.glob("graphla-*.whl"))
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], check=True)
    for path, count in ((sdist, check_sdist(sdist)), (wheel, check_wheel(wheel))):
        print(f"{path.name}: {count} files, {path.stat().st_size:,} bytes")
    (WORK / "recipe.yaml").write_text(make_recipe(read_version(), sdist), "utf-8")


def build_kernels() -> None:
    """Build the wheel of kernels of each CUDA."""
    from release import kernels  # which needs what tests need, and a C++ compiler

    texts = kernels.record()
    for cuda in kernels.COMPILERS:
        wheel = kernels.build(cuda, texts, kernels.ARCHITECTURES)
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")


def try_it() -> int:
    """Try the wheel everywhere, and keep what came of it."""
    wheel = next(DIST.glob("graphla-*.whl"))
    found = [*try_everywhere(wheel, WORK), *try_extras(wheel)]
    lines = ["| Python | libraries | demo, smoke test, command line | |", "|---|---|---|---|", *map(str, found)]
    (WORK / "tried.md").write_text("\n".join(lines) + "\n", "utf-8")
    return 0 if all(tried.ok for tried in found) else 1


if __name__ == "__main__":
    sys.exit(main())
