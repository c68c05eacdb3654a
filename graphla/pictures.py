"""What all pictures share: a figure, the colours, the file. Matplotlib is loaded when the first is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

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


def figure(width: float, height: float) -> Any:
    """An empty figure of that many inches, drawn without a display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    made.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    FigureCanvasAgg(made)
    return made


def styled() -> Any:
    """A ``with`` block in which figures look like ours."""
    import matplotlib as mpl

    return mpl.rc_context(STYLE)


def save(made: Any, target: Any, format: str | None = None) -> None:
    """Write a figure to a path, as its suffix says, or to an open file in `format`; nothing without a target."""
    if target is None:
        return
    kind = format or Path(target).suffix[1:].lower()
    with styled():
        made.savefig(target, dpi=160, format=kind, metadata={"Date": None} if kind == "svg" else None)


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def log_times(axes: Any, seconds: Iterable[float]) -> None:
    """A logarithmic axis of times with room on both sides, and a tick at 1, 2 and 5 where they span little."""
    from matplotlib.ticker import LogLocator, NullFormatter

    shown = list(seconds) or [1e-3]
    low, high = min(shown) / 1.5, max(shown) * 1.5
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 60 * low else (1.0,)))
    axes.xaxis.set_major_formatter(lambda seconds, _: short(seconds))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", color=PALE)


def short(seconds: float) -> str:
    """A round time as a tick says it: 10 ms."""
    unit, factor = next((u, f) for u, f in (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)) if seconds * f > 0.99)
    return f"{seconds * factor:.3g} {unit}"


def ratio(value: float) -> str:
    """How many times: 0.52 ×, 1.0 ×, 28 ×."""
    return f"{value:.2f} ×" if value < 0.995 else f"{value:.1f} ×" if value < 9.95 else f"{value:,.0f} ×"


def write_text(content: str, path: str | Path | None) -> str:
    """The text, written to `path` if there is one."""
    if path is not None:
        Path(path).write_text(content, encoding="utf-8")
    return content
