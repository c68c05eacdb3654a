"""What all pictures share: a figure, the colours, the file. Matplotlib is loaded when the first is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

BLUE, ORANGE, GREEN, GREY, RED = "#2563eb", "#ea7317", "#0f9d76", "#94a3b8", "#dc2626"
INK, PALE = "#1e293b", "#e2e8f0"

STYLE = {
    "font.size": 10,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
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


def kept(content: str, path: str | Path | None) -> str:
    """The text, written to `path` if there is one."""
    if path is not None:
        Path(path).write_text(content, encoding="utf-8")
    return content
