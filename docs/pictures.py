"""The pictures of the documentation: ``python docs/pictures.py [NAME …]`` makes them, or those, in docs/_static.

Each is written twice, for light pages and, as ``NAME-dark.png``, for dark ones; `conf.py` shows the one that fits.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import measured
import numpy as np
import tables
from PIL import Image

import graphla as gl
from graphla.measuring import pictures
from graphla.measuring.comparing import Row
from graphla.measuring.comparing.time_plot import draw_panel
from graphla.measuring.demo import demonstrate
from graphla.measuring.pictures import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, SLATE
from graphla.measuring.watching.level_plot import draw_levels
from semirings import any_pair

STATIC = Path(__file__).parent / "_static"
WIDTH = 1100
"""Pixels of the large picture."""
DPI = 160
SEARCHES = 25
SEARCHES_KEPT = "problems.Bfs.time_solve"
DARK = {
    INK: "#e2e8f0",
    PALE: "#334155",
    GREY: "#64748b",
    SLATE: "#94a3b8",
    BLUE: "#60a5fa",
    ORANGE: "#fb923c",
    GREEN: "#34d399",
    RED: "#f87171",
    "#ffffff": "#0b1120",
    "#000000": "#e2e8f0",
}
"""The colours of the library's pictures, and those that take their place on a dark page."""
COLOURED = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")


def new_york(path: Path) -> Iterator[Path]:
    """The map of the demonstration's picture, New York's roads by level, and the roads alone; dark on every page."""
    with TemporaryDirectory() as folder:
        demonstrate(Path(folder))
        with Image.open(Path(folder) / "new-york.png") as large:
            whole = large.convert("RGB")
    dark = int((np.asarray(whole)[-1].sum(axis=1) < 300).sum())
    roads = path.with_name("new-york-map.png")
    for file, top, bottom in ((path, 0.0, 1.0), (roads, 0.06, 0.9)):
        part = whole.crop((0, int(top * whole.height), dark, int(bottom * whole.height)))
        sized = part.resize((WIDTH, part.height * WIDTH // dark), Image.Resampling.LANCZOS)
        sized.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
        yield file


def levels_kronecker() -> Any:
    """A trace of an algebraic search that turns from push to pull and back."""
    G = gl.generate.kronecker(16, engine="cpu")
    return trace_search(G, int(np.flatnonzero(G.degrees == 1)[0]))


def levels_roads() -> Any:
    """A trace of an algebraic search over roads: hundreds of small pushes."""
    return trace_search(gl.read(gl.datasets.new_york(), engine="cpu"), 0)


def trace_search(G: gl.Graph, source: int) -> Any:
    """Draw the levels of a search, each in the least time of many searches; the first search compiles."""
    made = []
    for _ in range(SEARCHES):
        with gl.trace() as t:
            gl.bfs(G, source, method="algebraic")
        made.append(t.operations)
    fastest = [min(each, key=lambda step: step.seconds) for each in zip(*made, strict=True)]
    levels = [step for step in fastest if step.kind == "matvec"]
    seconds = sum(step.seconds for step in fastest)
    return draw_levels(SimpleNamespace(operations=fastest, levels=levels, seconds=seconds))


def compare_bfs() -> Any:
    """Methods and libraries side by side on the CPU."""
    G = gl.generate.kronecker(16, engine="cpu")
    return gl.compare("bfs", G, source=int(G.degrees.argmax()), repeat=15, progress=False).plot()


def methods_gpu() -> Any:
    """Every breadth-first search in the kept run of an H200, on a Kronecker graph and on roads."""
    run = next(run for run in tables.Run.on("nvidia-h200") if run.cases(SEARCHES_KEPT))
    found = [(*case.split(), seconds) for (case,), seconds in run.cases(SEARCHES_KEPT).items()]
    titles = {"kron:20": "Kronecker graph of scale 20, 31 million arcs", "ny": "Roads of New York, 730,100 arcs"}
    with pictures.use_style():
        made = pictures.make_figure(9, 8.5)
        for axes, (graph, title) in zip(made.subplots(2, 1), titles.items(), strict=True):
            rows = [find_row(name, seconds) for name, _, where, seconds in found if where == graph]
            draw_panel(axes, title, sorted(rows, key=lambda row: row.median or 0.0))
        axes.set_xlabel("median of the whole call on one H200; the ratio is to the fastest method")
    return made


def find_row(name: str, seconds: float) -> Row:
    """A line of a comparison of a kept figure."""
    return Row("bfs", "", 0, 0, name, "method", "cuda", "right", times=(seconds,))


def against_scipy() -> Any:
    """The time of each search over SciPy's, on two cores."""
    rows = tables.ratios_to_scipy()
    with pictures.use_style():
        made = pictures.make_figure(9, 2.9)
        axes = made.subplots()
        axes.axvline(1, color=SLATE, linewidth=1.2, zorder=1)
        for place, (_, _, ratio) in enumerate(rows):
            axes.axhline(place, color=PALE, linewidth=0.8, zorder=0)
            axes.plot([ratio, 1], [place, place], color=BLUE, linewidth=2.5, alpha=0.45)
            axes.plot(1, place, "o", color=SLATE, markersize=6)
            axes.plot(ratio, place, "o", color=BLUE, markersize=8)
            note(axes, 40, place, pictures.format_ratio(ratio))
        axes.set_xscale("log")
        axes.set_xlim(min(ratio for *_, ratio in rows) / 1.3, 2)
        shown = [x for x in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2) if x > axes.get_xlim()[0]]
        axes.set_xticks(shown, [f"{x:g} ×" for x in shown])
        axes.minorticks_off()
        rows_named(axes, "", [f"{what}\nagainst {peer}" for what, peer, _ in rows])
        axes.grid(axis="x", color=PALE)
        axes.set_xlabel("time over SciPy's, both warm and called in turn, on a logarithmic axis")
        handles = [mark("graphla", BLUE, 8), mark("SciPy", SLATE, 6)]
        made.legend(handles=handles, loc="outside lower center", ncols=2, handletextpad=0.3)
    return made


def rows_named(axes: Any, title: str, names: list[str]) -> None:
    """Label the rows of points, the first on top."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.set_title(title)


def note(axes: Any, points: float, place: float, text: str, **style: Any) -> None:
    """A text that ends so many points to the right of the axes, beside a row."""
    where = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center", "fontsize": 9}
    axes.annotate(text, (1, place), (points, 0), **{"ha": "right", **where, **style})


def mark(label: str, colour: str, size: float, **style: Any) -> Any:
    """A point in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker="o", color=colour, markersize=size, label=label, **style)


def row_of_others(axes: Any, place: int, row: measured.Figure) -> None:
    """The points of one work, and the ratio of the best of the others to ours."""
    axes.axhline(place, color=PALE, linewidth=0.8, zorder=0)
    for rank, other in enumerate(reversed(row.others), 1):
        best = rank == len(row.others)
        style = {"markerfacecolor": "none"} if other.reordered else {"alpha": 1.0 if best else 0.4}
        axes.plot(float(other.ms) / 1e3, place, "o", color=SLATE, markersize=8 if best else 6, **style)
    best, ours = float(row.others[0].ms), float(row.ms)
    axes.plot([ours / 1e3, best / 1e3], [place, place], color=BLUE, linewidth=2.5, alpha=0.3, zorder=1)
    axes.plot(ours / 1e3, place, "o", color=BLUE, markersize=8)
    note(axes, 54, place, f"{row.ms} ms")
    note(axes, 108, place, f"{row.others[0].ms} ms")
    note(axes, 113, place, row.others[0].library, ha="left", color=SLATE, fontsize=8)
    note(axes, 186, place, pictures.format_ratio(best / ours), weight="bold")


def label(row: measured.Figure) -> str:
    """The graph and its size."""
    return f"{row.title}, {measured.size(row.arcs)} arcs" if row.arcs else f"{row.title}, n = {int(row.vertices):,}"


def marks_of_others() -> list[Any]:
    """What the points mean."""
    return [
        mark("graphla", BLUE, 8),
        mark("the best of the other libraries", SLATE, 8),
        mark("another library", SLATE, 6, alpha=0.4),
        mark("after reordering the graph", SLATE, 8, markerfacecolor="none"),
    ]


def push_pull() -> Any:
    """Arcs that each level of a search would read if pushed, and if pulled."""
    G = gl.generate.kronecker(16, engine="cpu")
    levels = gl.bfs(G, int(np.flatnonzero(G.degrees == 1)[0])).to_numpy(-1)
    indptr, indices = G.csr.indptr, G.csr.indices
    depths = range(int(levels.max()) + 1)
    pushed = [int(G.degrees[levels == d].sum()) for d in depths]
    pulled = [probes(levels, indptr, indices, d) for d in depths]
    with pictures.use_style():
        made = pictures.make_figure(7.5, 3.4)
        axes = made.subplots()
        places = np.arange(len(pushed))
        style = {"marker": "o", "linewidth": 1, "markersize": 6}
        axes.plot(places, pushed, color=BLUE, label="push: the arcs that leave the frontier", **style)
        axes.plot(places, pulled, color=ORANGE, label="pull: probes until a tail in the frontier is found", **style)
        axes.set(yscale="log", xlabel="level", ylabel="arcs read", xticks=places)
        axes.grid(axis="y", color=PALE)
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=2)
    return made


def probes(levels: np.ndarray, indptr: np.ndarray, indices: np.ndarray, depth: int) -> int:
    """Tails that a pull after `depth` looks at: of each vertex not yet seen, up to the first in the frontier."""
    open_rows = np.flatnonzero((levels > depth) | (levels < 0))
    hit = np.flatnonzero(levels[indices] == depth)
    first = np.append(hit, indices.size)[np.searchsorted(hit, indptr[open_rows])]
    ends = indptr[open_rows + 1]
    return int((np.minimum(first + 1, ends) - indptr[open_rows]).sum())


def arcs_by_distance() -> Any:
    """Of all arcs, how many end before a distance T, and how many leave vertices beyond it."""
    G = gl.generate.kronecker(16, weights=(1, 255), engine="cpu")
    d = gl.sssp(G, int(G.degrees.argmax())).to_numpy(-1)
    tails = np.repeat(np.arange(G.n), G.degrees)
    reached = d[tails] >= 0
    start, end = d[tails][reached], d[tails][reached] + G.csr.values[reached]
    limits = np.arange(0, 121)
    before = [100 * float((end < t).mean()) for t in limits]
    beyond = [100 * float((start >= t).mean()) for t in limits]
    with pictures.use_style():
        made = pictures.make_figure(7.5, 3.4)
        axes = made.subplots()
        axes.plot(limits, before, color=BLUE, label="arcs that end before T: what pushing up to T relaxes")
        axes.plot(limits, beyond, color=ORANGE, label="arcs of the vertices beyond T: what is left to pull")
        axes.plot(limits, np.add(before, beyond), color=GREY, linestyle="--", label="both")
        axes.set(xlabel="T, a distance from the source", ylabel="per cent of all arcs", ylim=(0, 105), xlim=(0, 120))
        axes.grid(color=PALE)
        axes.legend(frameon=False)
    return made


def floyd_warshall() -> Any:
    """The three phases of a turn of the blocked algorithm."""
    blocks, pivot = 6, 2
    with pictures.use_style():
        made = pictures.make_figure(4.6, 4.2)
        axes = made.subplots()
        for row in range(blocks):
            for column in range(blocks):
                phase = 3 - (row == pivot) - (column == pivot)
                colour = {1: ORANGE, 2: BLUE, 3: PALE}[phase]
                axes.add_patch(tile(column, row, colour))
                axes.text(column, row, str(phase), ha="center", va="center", color="white" if phase < 3 else INK)
        axes.set(xlim=(-0.6, blocks - 0.4), ylim=(blocks - 0.4, -0.6), aspect="equal", xticks=[], yticks=[])
        axes.set_title(f"Round {pivot + 1} of {blocks}: what is closed first, second, third", fontsize=10)
        axes.spines[:].set_visible(False)
    return made


def tile(column: int, row: int, colour: str) -> Any:
    """A square about a cell."""
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, facecolor=colour)


def product() -> Any:
    """One step of a search as a product: the columns of the frontier, and the rows that they hit."""
    edges = [(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (4, 6), (5, 7), (6, 7)]
    G = gl.Graph(tuple(map(list, zip(*edges, strict=True))), engine="cpu")
    q = gl.Vector.from_coo([1, 2], [True, True], size=G.n, engine="cpu")
    hit = set(any_pair(G.A.T @ q).new().to_coo()[0].tolist())
    with pictures.use_style():
        made = pictures.make_figure(6.4, 3.6)
        axes = made.subplots()
        for tail, head in [(i, j) for i in range(G.n) for j in range(G.n)]:
            entry, in_q = (tail, head) in edges, tail in (1, 2)
            axes.add_patch(tile(tail, head, (ORANGE if in_q else BLUE) if entry else PALE))
        for v in range(G.n):
            axes.add_patch(tile(10, v, ORANGE if v in (1, 2) else PALE))
            axes.add_patch(tile(13, v, ORANGE if v in hit else PALE))
            axes.text(-1, v, v, ha="center", va="center", color=GREY)
        for x, text in ((3.5, "Aᵀ"), (10, "q"), (13, "next")):
            axes.text(x, -1.1, text, ha="center", va="center", fontsize=12)
        axes.text(8.8, 3.5, "any.pair", ha="center", va="center", fontsize=9, rotation=90)
        axes.text(11.5, 3.5, "=", ha="center", va="center", fontsize=14)
        axes.set(xlim=(-1.6, 13.8), ylim=(7.7, -1.8), aspect="equal", xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
    return made


def apsp_crossing() -> Any:
    """Milliseconds by vertices of each method, from the table on the page of all pairs, and the laws they follow."""
    page = (Path(__file__).parent / "methods" / "apsp.md").read_text("utf-8").splitlines()
    head = next(k for k, line in enumerate(page) if line.startswith("| vertices | edges |"))
    names = [cell.strip(" `") for cell in page[head].split("|")[3:-1]]
    lines = takewhile(lambda line: line.startswith("|"), page[head + 2 :])
    cells = [[cell.strip(" *").replace(",", "") for cell in line.split("|")[1:-1]] for line in lines]
    colours = dict(zip(names, (BLUE, ORANGE, INK, GREY), strict=True))
    with pictures.use_style():
        made = pictures.make_figure(7.5, 3.8)
        axes = made.subplots()
        for k, name in enumerate(names, 2):
            known = [(int(row[0]), float(row[k]), int(row[1]) // int(row[0])) for row in cells if row[k]]
            axes.scatter(*zip(*[point[:2] for point in known], strict=True), color=colours[name], label=name, s=28)
        for row in cells:
            if int(row[0]) < 20_000:
                where = {"ha": "center", "va": "top", "fontsize": 7, "color": GREY}
                axes.text(int(row[0]), 2.3, f"{2 * int(row[1]) / int(row[0]):,.0f}", **where)
        axes.text(20_000, 2.3, "2, 20, 200", ha="center", va="top", fontsize=7, color=GREY)
        reach = np.geomspace(2500, 22_000)
        axes.plot(reach, reach**3 / 1.62e10, color=BLUE, linewidth=1)
        axes.fill_between(reach, 4e-7 * reach**2, 1.4e-6 * reach**2, color=ORANGE, alpha=0.15, linewidth=0)
        axes.set(xscale="log", yscale="log", xlabel="vertices (above: arcs per vertex)", ylabel="ms", ylim=(1.8, 2e3))
        ticks = [2700, 4039, 5881, 7500, 20_000]
        axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
        axes.minorticks_off()
        axes.grid(color=PALE)
        axes.legend(frameon=False, fontsize=8)
    return made


def against_others() -> Any:
    """A row for each work: a point for graphla and for each other library, and the ratio to the best of them."""
    groups = [(problem, list(each)) for problem, each in groupby(measured.list_compared(), lambda row: row.problem)]
    with pictures.use_style():
        made = pictures.make_figure(9, 5.6)
        panels = made.subplots(len(groups), 1, sharex=True, height_ratios=[len(each) + 0.4 for _, each in groups])
        for axes, (problem, each) in zip(panels, groups, strict=True):
            for place, row in enumerate(each):
                row_of_others(axes, place, row)
            rows_named(axes, measured.PROBLEMS[problem], [label(row) for row in each])
        for x, heading in ((54, "graphla"), (108, "best other"), (186, "ratio")):
            note(panels[0], x, 1.0, heading, xycoords="axes fraction", va="bottom", fontsize=8, color=SLATE)
        times = [float(ms) / 1e3 for row in measured.list_compared() for ms in (row.ms, *(o.ms for o in row.others))]
        pictures.set_log_time_axis(panels[-1], times)
        for axes in panels[:-1]:
            axes.grid(axis="x", color=PALE)
        panels[-1].set_xlabel("median time of a solve on one H200, on a logarithmic axis; further left is faster")
        made.legend(handles=marks_of_others(), loc="outside lower center", ncols=4, handletextpad=0.3)
    return made


PICTURES: dict[str, Callable[[], Any]] = {
    "against-others": against_others,
    "against-scipy": against_scipy,
    "product": product,
    "levels-kronecker": levels_kronecker,
    "levels-roads": levels_roads,
    "compare-bfs": compare_bfs,
    "push-pull": push_pull,
    "arcs-by-distance": arcs_by_distance,
    "floyd-warshall": floyd_warshall,
    "methods-gpu": methods_gpu,
    "apsp-crossing": apsp_crossing,
}


def recolour(made: Any) -> None:
    """Put the colours for dark pages in place of those for light ones, on no ground."""
    from matplotlib.colors import to_hex, to_rgba_array

    made.canvas.draw()
    grounds = {made.patch, *(axes.patch for axes in made.axes)}
    for ground in grounds:
        ground.set_alpha(0)
    for artist in made.findobj(lambda artist: artist not in grounds):
        parts = [part for part in COLOURED if hasattr(artist, f"get_{part}") and hasattr(artist, f"set_{part}")]
        before = {part: to_rgba_array(getattr(artist, f"get_{part}")()) for part in parts}
        for part, colours in before.items():
            new = [(DARK.get(to_hex(rgba), to_hex(rgba)), rgba[3]) for rgba in colours]
            if new:
                getattr(artist, f"set_{part}")(new if len(new) > 1 else new[0])


def write(made: Any, path: Path) -> None:
    """Save a figure with few colours, which makes it small."""
    stream = io.BytesIO()
    made.savefig(stream, dpi=DPI, format="png")
    with Image.open(stream) as large:
        large.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)


def draw(name: str) -> Iterable[Path]:
    """Make a picture for light pages, and for dark ones; the files."""
    path, dark = STATIC / f"{name}.png", STATIC / f"{name}-dark.png"
    if name == "new-york":
        return list(new_york(path))
    with pictures.use_style():
        made = PICTURES[name]()
        write(made, path)
        recolour(made)
        write(made, dark)
    return [path, dark]


if __name__ == "__main__":
    STATIC.mkdir(exist_ok=True)
    for name in sys.argv[1:] or ["new-york", *PICTURES]:
        for file in draw(name):
            print(f"{file.name}: {file.stat().st_size / 1e3:.0f} kB")
