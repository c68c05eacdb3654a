"""``graphla cache``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from graphla.doors.cli import _options, _show

if TYPE_CHECKING:
    from graphla.measuring.caching import CacheFolder

SECONDS_OF_A_DAY = 86_400


@click.command("cache", short_help="Show, check, trim or clear compiled code.")
@click.argument("action", type=click.Choice(["show", "check", "trim", "clear"]), default="show")
@click.option("--engine", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True, help="Whose code.")
@click.option("--limit", default=None, help="For trim: the size that may be left, as 500M or 2G.")
@_options.as_json
def command(action: str, engine: str, limit: str | None, as_json: bool) -> None:
    """Show the folder of compiled code, check its files, delete those used least recently, or delete all.

    \b
    show   the folder, its files and bytes, the last uses, and the limit (GRAPHLA_CACHE_LIMIT)
    check  reads all files, and deletes those that are damaged or that others may have written
    trim   deletes the files used least recently until --limit is left
    clear  deletes all files; they are compiled again when they are needed

    The code of the CPU is in graphla's own folder (GRAPHLA_CACHE names another). That of the GPU is in CuPy's
    (CUPY_CACHE_DIR), which keeps the kernels of other programs, too; a package of kernels that came compiled is
    shown beside it, with its architectures.

    \b
    Examples:
      graphla cache
      graphla cache trim --limit 500M
      graphla cache clear --engine cuda
    """
    from graphla.measuring.caching import list_folders

    if (limit is not None) != (action == "trim"):
        raise click.UsageError("--limit belongs to trim: graphla cache trim --limit 500M")
    folder = next(each for each in list_folders() if each.engine == engine)
    found = {"show": show, "check": check, "trim": lambda each: trim(each, str(limit)), "clear": clear}[action](folder)
    _show.print_facts("", {"folder": str(folder.path), **found}, as_json)


def show(folder: CacheFolder) -> dict[str, Any]:
    """The facts of a folder."""
    from graphla.engine.cpu.trim import read_limit

    files, now = folder.list_files(), time.time()
    facts: dict[str, Any] = {"files": len(files), "bytes": sum(size for _, size, _ in files)}
    if files:
        facts["last_used_days_ago"] = round((now - files[-1][0]) / SECONDS_OF_A_DAY, 1)
        facts["longest_unused_days"] = round((now - files[0][0]) / SECONDS_OF_A_DAY, 1)
    if not folder.ours:
        from graphla.engine.cuda.shipped import list_shipments

        facts |= {package: ", ".join(archives) for package, archives in list_shipments().items()}
    return {**facts, "limit_bytes": (read_limit() or None) if folder.ours else None}


def check(folder: CacheFolder) -> dict[str, Any]:
    """Read all files, and delete the damaged ones."""
    if not folder.ours:
        raise click.UsageError("CuPy checks its own files when it loads them; check is for --engine cpu")
    damaged, files = folder.find_damaged(), len(folder.list_files())
    return {"files": files, "damaged": len(damaged), "deleted": folder.delete(damaged)}


def trim(folder: CacheFolder, limit: str) -> dict[str, Any]:
    """Delete the files that were used least recently."""
    from graphla.common.environment import to_size

    size = to_size(limit)
    if size is None:
        raise click.BadParameter(f"{limit!r} is no size: give bytes, as 500M or 2G", param_hint="--limit")
    return {"deleted": folder.trim(size), "bytes": folder.nbytes}


def clear(folder: CacheFolder) -> dict[str, Any]:
    """Delete all files."""
    return {"deleted": folder.delete([path for _, _, path in folder.list_files()]), "bytes": folder.nbytes}
