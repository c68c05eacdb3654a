"""Figures, colours and number formats that all plots share. Matplotlib is imported when the first plot is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

from graphla.common.arguments import show, speaks, to_choice, to_path
from graphla.common.errors import GraphlaError, InvalidOption, NotSupported
from graphla.common.extras import require
from graphla.common.files import replace_file

BLUE, ORANGE, GREEN, GREY, RED = "#2563eb", "#ea7317", "#0f9d76", "#94a3b8", "#dc2626"
INK, PALE, SLATE = "#1e293b", "#e2e8f0", "#64748b"

STYLE = {
    "font.size": 10,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "graphla",
    "svg.fonttype": "none",
    "legend.frameon": False,
}


def make_figure(width: float, height: float) -> Any:
    """Create an empty figure of `width` × `height` inches, which needs no display."""
    require("matplotlib", "plot", "a plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    cast("Any", figure.get_layout_engine()).set(w_pad=0.1, h_pad=0.08)
    FigureCanvasAgg(figure)
    return figure


def use_style() -> Any:
    """Return a context manager that applies the project's plot style."""
    return require("matplotlib", "plot", "a plot").rc_context(STYLE)


def save_figure(figure: Any, target: Any, format: str | None = None) -> None:
    """Write a figure to a path, in the format of its suffix, or to an open file in `format` (None: do not write)."""
    if target is None:
        return
    if not speaks(target, "write"):
        target = to_path(target, "path")
    kind = to_format(target, format, figure)
    with use_style():
        try:
            with replace_file(target) if isinstance(target, Path) else nullcontext(target) as stream:
                figure.savefig(stream, dpi=160, format=kind, metadata={"Date": None} if kind == "svg" else None)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and not isinstance(target, Path):
                raise  # what the caller's stream says is the caller's
            raise refuse_target(target, error) from None


def to_format(target: Any, format: Any, figure: Any) -> str:
    """The format that was asked for, or that the suffix of a path names."""
    known = sorted(figure.canvas.get_supported_filetypes())
    if format is not None:
        return to_choice(format, "format", known, NotSupported)
    if not isinstance(target, Path):
        raise NotSupported(f"format=None: a stream has no suffix: give one of {', '.join(known)}")
    return to_choice(target.suffix[1:].lower(), f"path={show(str(target))}, its suffix", known, NotSupported)


def format_duration(seconds: float) -> str:
    """Format seconds in a suitable unit."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def set_log_time_axis(axes: Any, seconds: Iterable[float]) -> None:
    """Give the x axis a logarithmic scale of times, with ticks at 1, 2 and 5 if they span less than a factor of 60."""
    from matplotlib.ticker import LogLocator, NullFormatter

    times = list(seconds) or [1e-3]
    low, high = min(times) / 1.5, max(times) * 1.5
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 60 * low else (1.0,)))
    axes.xaxis.set_major_formatter(lambda seconds, _: format_tick(seconds))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", color=PALE)


def format_tick(seconds: float) -> str:
    """Format a round time for a tick, as in 10 ms."""
    unit, factor = next((u, f) for u, f in (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)) if seconds * f > 0.99)
    return f"{seconds * factor:.3g} {unit}"


def format_ratio(value: float) -> str:
    """Format a ratio, as in 0.52 ×, 1.08 ×, 6.3 × or 28 ×."""
    return f"{value:.2f} ×" if value < 1.995 else f"{value:.1f} ×" if value < 9.95 else f"{value:,.0f} ×"


def write_text(content: str, path: str | Path | None) -> str:
    """Return `content`, after writing it to `path` if one is given."""
    if path is not None:
        try:
            with replace_file(to_path(path, "path")) as stream:
                stream.write(content.encode())
        except (OSError, ValueError) as error:
            raise refuse_target(path, error) from None
    return content


def refuse_target(target: Any, error: Exception) -> GraphlaError:
    """The error for a file that cannot be written."""
    if isinstance(error, GraphlaError):
        return error
    return InvalidOption(f"path={show(target)}: cannot be written: {getattr(error, 'strerror', None) or error}")
