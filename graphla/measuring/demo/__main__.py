"""``python -m graphla.demo --output FOLDER``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from graphla.common.errors import GraphlaError
from graphla.measuring.demo.show import demonstrate


def main() -> int:
    """Run the demo; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m graphla.demo", description=(demonstrate.__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--output", type=Path, default=Path("demo-output"), help="the folder for the output files")
    folder = parser.parse_args().output
    os.environ.setdefault("GRAPHLA_ANNOUNCE", "1")
    try:
        return 0 if demonstrate(folder) else 1
    except KeyboardInterrupt:
        print("graphla: stopped", file=sys.stderr)
        return 130
    except (GraphlaError, OSError) as error:
        print(f"graphla: {error}", file=sys.stderr)
        return 2 if isinstance(error, OSError) else 1


if __name__ == "__main__":
    sys.exit(main())
