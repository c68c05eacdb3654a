"""The pictures of the documentation: ``python docs/pictures.py [NAME …]`` makes them, or those, in docs/_static."""

from __future__ import annotations

import sys
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import tables
from PIL import Image

import graphla as gl
from graphla import pictures
from graphla.comparing import Row
from graphla.comparing.time_plot import draw_panel
from graphla.demo import demonstrate
from graphla.pictures import BLUE, GREY, INK, ORANGE, PALE
from semirings import any_pair

STATIC = Path(__file__).parent / "_static"
WIDTH = 1100
"""Pixels of the large picture."""
SEARCHES = 25
SEARCHES_KEPT = "problems.Bfs.time_solve"


def new_york(path: Path) -> None:
    """The map of the demonstration's picture, New York's roads by level, at a size for a page."""
    with TemporaryDirectory() as folder:
        demonstrate(Path(folder))
        with Image.open(Path(folder) / "new-york.png") as large:
            whole = large.convert("RGB")
    dark = int((np.asarray(whole)[-1].sum(axis=1) < 300).sum())
    height = whole.height * WIDTH // dark
    map_alone = whole.crop((0, 0, dark, whole.height)).resize((WIDTH, height), Image.Resampling.LANCZOS)
    map_alone.quantize(128).save(path, optimize=True)


def levels_kronecker(path: Path) -> None:
    """A trace of an algebraic search that turns from push to pull and back."""
    G = gl.generate.kronecker(16, engine="cpu")
    traced(G, int(np.flatnonzero(G.degrees == 1)[0]), path)


def levels_roads(path: Path) -> None:
    """A trace of an algebraic search over roads: hundreds of small pushes."""
    traced(gl.read(gl.datasets.new_york(), engine="cpu"), 0, path)


def traced(G: gl.Graph, source: int, path: Path) -> None:
    """Draw the levels of the fastest of many searches; the first compiles."""
    made = []
    for _ in range(SEARCHES):
        with gl.trace() as t:
            gl.bfs(G, source, method="algebraic")
        made.append(t)
    min(made, key=lambda t: t.seconds).plot(path)


def compare_bfs(path: Path) -> None:
    """Methods and libraries side by side on the CPU."""
    G = gl.generate.kronecker(16, engine="cpu")
    found = gl.compare("bfs", G, source=int(G.degrees.argmax()), repeat=15, progress=False)
    found.plot(path)


def methods_gpu(path: Path) -> None:
    """Every breadth-first search in the kept run of an H200, on a Kronecker graph and on roads."""
    run = next(run for run in tables.Run.on("nvidia-h200") if run.cases(SEARCHES_KEPT))
    found = [(*case.split(), seconds) for (case,), seconds in run.cases(SEARCHES_KEPT).items()]
    titles = {"kron:20": "Kronecker graph of scale 20, 31 million arcs", "ny": "Roads of New York, 730,100 arcs"}
    with pictures.use_style():
        made = pictures.make_figure(9, 8.5)
        for axes, (graph, title) in zip(made.subplots(2, 1), titles.items(), strict=True):
            rows = [row_of(name, seconds) for name, _, where, seconds in found if where == graph]
            draw_panel(axes, title, sorted(rows, key=lambda row: row.median or 0.0))
        axes.set_xlabel("the whole call, on one H200")
    pictures.save_figure(made, path, None)


def row_of(name: str, seconds: float) -> Row:
    """A line of a comparison of a kept figure."""
    return Row("bfs", "", 0, 0, name, "method", "cuda", "right", times=(seconds,))


def push_pull(path: Path) -> None:
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
        axes.bar(places - 0.2, pushed, 0.38, color=BLUE, label="push: the arcs that leave the frontier")
        axes.bar(places + 0.2, pulled, 0.38, color=ORANGE, label="pull: probes until a tail in the frontier is found")
        axes.set(yscale="log", xlabel="level", ylabel="arcs read", xticks=places)
        axes.grid(axis="y", color=PALE)
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.22), ncols=2)
    pictures.save_figure(made, path, None)


def probes(levels: np.ndarray, indptr: np.ndarray, indices: np.ndarray, depth: int) -> int:
    """Tails that a pull after `depth` looks at: of each vertex not yet seen, up to the first in the frontier."""
    open_rows = np.flatnonzero((levels > depth) | (levels < 0))
    hit = np.flatnonzero(levels[indices] == depth)
    first = np.append(hit, indices.size)[np.searchsorted(hit, indptr[open_rows])]
    ends = indptr[open_rows + 1]
    return int((np.minimum(first + 1, ends) - indptr[open_rows]).sum())


def arcs_by_distance(path: Path) -> None:
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
    pictures.save_figure(made, path, None)


def floyd_warshall(path: Path) -> None:
    """The three phases of a turn of the blocked algorithm."""
    blocks, pivot = 6, 2
    with pictures.use_style():
        made = pictures.make_figure(4.6, 4.2)
        axes = made.subplots()
        for row in range(blocks):
            for column in range(blocks):
                phase = 3 - (row == pivot) - (column == pivot)
                colour = {1: INK, 2: BLUE, 3: PALE}[phase]
                axes.add_patch(tile(column, row, colour))
                axes.text(column, row, str(phase), ha="center", va="center", color="white" if phase < 3 else INK)
        axes.set(xlim=(-0.6, blocks - 0.4), ylim=(blocks - 0.4, -0.6), aspect="equal", xticks=[], yticks=[])
        axes.set_title(f"Turn {pivot + 1} of {blocks}: what is closed first, second, third", fontsize=10)
        axes.spines[:].set_visible(False)
    pictures.save_figure(made, path, None)


def tile(column: int, row: int, colour: str) -> Any:
    """A square about a cell."""
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, facecolor=colour)


def product(path: Path) -> None:
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
    pictures.save_figure(made, path, None)


def apsp_crossing(path: Path) -> None:
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
        axes.set(xscale="log", yscale="log", xlabel="vertices (above: arcs a vertex)", ylabel="ms", ylim=(1.8, 2e3))
        ticks = [2700, 4039, 5881, 7500, 20_000]
        axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
        axes.minorticks_off()
        axes.grid(color=PALE)
        axes.legend(frameon=False, fontsize=8)
    pictures.save_figure(made, path, None)


PICTURES = {
    "new-york": new_york,
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

if __name__ == "__main__":
    STATIC.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name](STATIC / f"{name}.png")
        print(f"{name}.png: {(STATIC / f'{name}.png').stat().st_size / 1e3:.0f} kB")
