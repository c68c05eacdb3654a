"""What a problem has of its own on the command line: facts that are printed, options that its signature cannot say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from graphla.algorithms.shared.communities.modularity import modularity
from graphla.doors.cli._arguments import SEVERAL, VERTEX, Argument
from graphla.doors.cli._graphs import open_graph
from graphla.doors.cli._show import print_facts

HIGHEST = 5
"""How many of the highest vertices or arcs are shown."""
CELLS_TOGETHER = 1 << 24
"""Cells that are counted at once."""
Facts = dict[str, Any]


@dataclass(frozen=True)
class Solution:
    """The answers to a problem, what was asked, and facts about the run."""

    problem: Any
    graph: Any
    answers: tuple[Any, ...]
    given: Facts
    facts: Facts
    in_file: bool = False
    """Whether the method itself has written the answer to the output file."""

    def read_entries(self) -> tuple[Any, ...]:
        """Indices and values of the first answer, on the host."""
        return tuple(map(self.graph.engine.to_host, self.answers[0].to_coo()))

    def name_vertices(self, numbers: Any) -> list[Any]:
        """Vertices by the labels of the graph, or by their numbers if it has none."""
        labels = self.graph.labels
        return np.asarray(numbers).tolist() if labels is None else [str(labels[int(each)]) for each in numbers]

    def list_highest(self, values: Any) -> list[Any]:
        """The vertices of the highest values, the first of them first."""
        indices, held = map(self.graph.engine.to_host, values.to_coo())
        return self.name_vertices(indices[(-held).argsort(kind="stable")[:HIGHEST]])


def tell_usual(found: Solution) -> Facts:
    """What is told of any problem: numbers, how many vertices a search reaches, or where floats are highest."""
    named = {answer.name: value for answer, value in zip(found.problem.gives, found.answers, strict=False)}
    numbers = {name: value for name, value in named.items() if not hasattr(value, "to_coo")}
    if numbers or found.problem.takes:
        return numbers or {"reached": found.answers[0].nvals}
    floats = {name: value for name, value in named.items() if value.rank == 1 and value.dtype.kind == "f"}
    return {name if len(floats) > 1 else "highest": found.list_highest(value) for name, value in floats.items()}


def tell_pairs(found: Solution) -> Facts:
    """Cells with a distance, counted some rows at a time, for the matrix may be larger than the memory."""
    cells = found.answers[0]
    absent = found.problem.gives[0].find_absent(cells.dtype)
    step = max(1, CELLS_TOGETHER // max(1, cells.shape[1]))
    parts = (cells[row : row + step] != absent for row in range(0, cells.shape[0], step))
    return {"pairs_with_a_path": sum(int(part.sum()) for part in parts)}


def tell_betweenness(found: Solution) -> Facts:
    """The highest vertices, or the highest arcs by their ends."""
    if not found.given["edges"]:
        return tell_usual(found)
    tails, heads, values = found.read_entries()
    first = (-values).argsort(kind="stable")[:HIGHEST]
    ends = zip(found.name_vertices(tails[first]), found.name_vertices(heads[first]), strict=True)
    return {"highest": list(map(list, ends))}


def tell_reached(found: Solution) -> Facts:
    """How many vertices a search reaches, and its levels or the farthest distance."""
    largest = found.read_entries()[1].max().item()
    last = {"levels": largest + 1} if found.problem.name == "bfs" else {"farthest": largest}
    return {"reached": found.answers[0].nvals, **last}


def tell_blocks(found: Solution) -> Facts:
    """How many biconnected components there are, how many of one edge, and how large."""
    sizes = np.bincount(found.read_entries()[2]) // 2
    return {"components": sizes.size, "bridges": int((sizes == 1).sum()), "largest": int(sizes.max(initial=0))}


def tell_coefficients(found: Solution) -> Facts:
    """The one number that was asked for, or the average and the highest coefficients."""
    (answer,), kind = found.answers, found.given["kind"]
    if kind != "local":
        return {kind: answer}
    return {"average": float(answer.to_numpy().mean()) if answer.size else 0.0, "highest": found.list_highest(answer)}


def count_labels(found: Solution, name: str) -> Facts:
    """How many different labels vertices have, and of how many vertices the most frequent one is."""
    _, counts = np.unique(found.answers[0].to_numpy(-1), return_counts=True)
    return {name: counts.size, "largest": int(counts.max(initial=0))}


def tell_communities(found: Solution) -> Facts:
    """How many communities there are, how large, and how good."""
    quality = found.given["quality"]
    reached = modularity(found.graph, found.answers[0], found.given["resolution"], quality=quality)
    return {**count_labels(found, "communities"), quality: None if math.isnan(reached) else reached}


def tell_innermost(found: Solution) -> Facts:
    """The largest number, and of how many vertices or edges it is."""
    *ends, values = found.read_entries()
    largest = int(values.max(initial=0))
    return {"largest": largest, "innermost": int((values == largest).sum()) // len(ends)}


def tell_extremes(found: Solution) -> Facts:
    """The least and the greatest distance, or of some sources the greatest."""
    values = found.read_entries()[1]
    if not values.size or found.given["sources"]:
        return {"largest": values.max().item()} if values.size else {}
    return {"radius": values.min().item(), "diameter": values.max().item()}


def tell_flow(found: Solution) -> Facts:
    """The value of a flow, and the sizes of the flow and of the cut."""
    (answer,) = found.answers
    side = int(answer.cut.to_numpy(False).sum())
    return {"flow": answer.value, "arcs_used": answer.flow.nvals, "source_side": side}


def tell_walks(found: Solution) -> Facts:
    """How many walks there are, how long they should be, and how many steps they have."""
    (walks,) = found.answers
    return {"walks": walks.nrows, "length": found.given["length"], "steps": walks.nvals - walks.nrows}


def tell_scores(found: Solution) -> Facts:
    """How many pairs there are, and their scores in the order in which they were given, or the highest."""
    values = found.read_entries()[-1].tolist()
    by_pair = isinstance(found.given["pairs"], tuple)
    return {"pairs": len(values), **({"scores": values} if by_pair else {"highest": max(values, default=0.0)})}


def tell_forest(found: Solution) -> Facts:
    """How many edges and trees there are, and what they weigh."""
    tails, heads, values = found.read_entries()
    edges = tails.size // 2
    return {"edges": edges, "trees": found.graph.n - edges, "weight": values[tails < heads].sum().item()}


def tell_triangles(found: Solution) -> Facts:
    """How many triangles there are, and which vertices have the most if each was counted."""
    (answer,) = found.answers
    if not found.given["per_vertex"]:
        return {"triangles": answer}
    return {"triangles": int(answer.to_numpy(0).sum()) // 3, "highest": found.list_highest(answer)}


def list_pairs(found: Solution) -> tuple[Any, ...]:
    """Similar vertices with their score: pairs as they were given, or the entries of a matrix."""
    entries, pairs = found.read_entries(), found.given["pairs"]
    return (*map(np.asarray, pairs), entries[-1]) if isinstance(pairs, tuple) else entries


def take_pairs(asked: dict[str, Any]) -> Any:
    """The argument `pairs` of similarity."""
    pairs, two_hops = asked.pop("given_pair"), asked.pop("given_two_hops")
    if pairs and two_hops:
        raise click.UsageError("--pair and --two-hops are both given: give one of them")
    return tuple(map(list, zip(*pairs, strict=True))) if pairs else "two_hops" if two_hops else None


def take_sources(asked: dict[str, Any]) -> Any:
    """The argument `sources` of betweenness."""
    sources, sample = asked.pop("given_source"), asked.pop("given_sample")
    if sources and sample is not None:
        raise click.UsageError("--source and --sample: give the sources, or the number of a sample of them")
    return list(sources) or sample


def refuse_number(given: Facts, path: Path) -> None:
    """Refuse a file for a coefficient of the whole graph."""
    if given["kind"] != "local":
        raise click.UsageError(
            f"--output with --kind {given['kind']}: that is one number; files hold the local coefficients"
        )


def print_bounds(problem: Any, given: Facts, asked: dict[str, Any]) -> bool:
    """Print bounds of a diameter, if so many sweeps are asked for."""
    if given["sweeps"] is None:
        return False
    if asked["method"] is not None or asked["verify"] or asked["settings"] or asked["trace"] or asked["trace_to"]:
        raise click.UsageError("--sweeps gives bounds, by one method that is not verified; leave out the others")
    G = open_graph(asked["graph"], asked)
    low, high = problem(G, **given)
    facts = {"problem": problem.name, "graph": G.name, "engine": G.engine.name, "sweeps": given["sweeps"]}
    print_facts("", {**facts, "at_least": low, "at_most": high}, asked["as_json"])
    return True


@dataclass(frozen=True)
class Extra:
    """What the command of a problem has of its own, beside what its signature and its docstring say."""

    facts: Callable[[Solution], Facts] = tell_usual
    """What is printed after what all commands print."""
    told: tuple[str, ...] = ()
    """Arguments that are printed before these facts."""
    arcs: str | None = None
    """Says that the answer is a list of arcs, too much for .npy; by default the annotation of the call decides."""
    arcs_if: str = ""
    """The argument that asks for arcs."""
    entries: Callable[[Solution], tuple[Any, ...]] = Solution.read_entries
    """Ends and values of these arcs."""
    number: bool = False
    """Whether the answer is a number, which no file holds."""
    form: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What is passed to the call and is no option."""
    hidden: tuple[str, ...] = ()
    """Parameters that are no options."""
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values of parameters that have no default in the signature."""
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """How the options of parameters are called."""
    arguments: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    """Options in the place of that of a parameter."""
    for_file: Callable[[Facts, Path], None] = lambda given, path: None
    """Refuses or changes what is asked if the answer is to be written."""
    instead: Callable[[Any, Facts, dict[str, Any]], bool] = lambda problem, given, asked: False
    """Prints another answer; False if none is asked for."""
    more: str = ""
    """What the help says beside the docstring."""
    examples: tuple[str, ...] = ()
    """More lines of examples."""


SOURCES = Argument(
    "sources",
    (
        click.Option(["--source", "given_source"], help="Begin paths there alone; may be repeated.", **SEVERAL),
        click.Option(["--sample", "given_sample"], type=int, metavar="COUNT", help="Begin at so many random vertices."),
    ),
    take_sources,
)
PAIRS = Argument(
    "pairs",
    (
        click.Option(
            ["--pair", "given_pair"],
            type=(VERTEX, VERTEX),
            multiple=True,
            metavar="U V",
            help="Two vertices; may be repeated.",
        ),
        click.Option(
            ["--two-hops", "given_two_hops"],
            is_flag=True,
            help="All pairs with a neighbour in common; by default those that arcs join.",
        ),
    ),
    take_pairs,
)
STREAMED = (
    "The answer needs n × n numbers. Those that do not fit in memory go to a file: with --output x.npy the distances "
    "stream into x.npy.unfinished, which becomes x.npy at the end. If the run is stopped, the same command goes on "
    "from there. The other kinds of files, and next hops, are written when all is done."
)

EXTRAS: Mapping[str, Extra] = {
    "apsp": Extra(tell_pairs, arcs="", form={"dense": True}, more=STREAMED),
    "betweenness": Extra(
        tell_betweenness,
        arcs="edges are three",
        arcs_if="edges",
        flags={"normalized": ("--normalized/--counts",)},
        arguments={"sources": SOURCES},
        examples=("ny --sample 8 --output betweenness.npy",),
    ),
    "bfs": Extra(tell_reached, hidden=("sources",)),
    "biconnected_components": Extra(tell_blocks, arcs="edges are three"),
    "closeness": Extra(flags={"improved": ("--improved/--plain",)}, examples=("ny --source 3 --source 8 --weighted",)),
    "clustering": Extra(tell_coefficients, for_file=refuse_number),
    "coloring": Extra(lambda found: {"colors": int(found.answers[0].to_numpy(-1).max(initial=-1)) + 1}, ("seed",)),
    "components": Extra(lambda found: count_labels(found, "components"), ("kind",)),
    "core_numbers": Extra(tell_innermost),
    "diameter": Extra(number=True, instead=print_bounds, examples=("kron:18 --sweeps 4",)),
    "eccentricity": Extra(tell_extremes),
    "independent_set": Extra(lambda found: {"chosen": int(found.answers[0].to_numpy(False).sum())}, ("seed",)),
    "label_propagation": Extra(lambda found: count_labels(found, "labels"), ("rounds", "seed")),
    "leiden": Extra(tell_communities, ("resolution", "seed")),
    "louvain": Extra(tell_communities, ("resolution", "seed")),
    "matching": Extra(lambda found: {"edges": found.answers[0].nvals // 2}, ("kind",)),
    "max_flow": Extra(tell_flow, arcs="flows are three", entries=lambda found: found.answers[0].flow.to_coo()),
    "pagerank": Extra(
        lambda found: {"sum": float(found.answers[0].to_numpy(0).sum(dtype="float64")), **tell_usual(found)},
        examples=("links.csv --personalization 3 --personalization 8 --dtype FP64",),
    ),
    "random_walks": Extra(
        tell_walks, arcs="", defaults={"length": 10}, examples=("kron:14 --length 80 --walks 10 -p 4 -q 0.5",)
    ),
    "similarity": Extra(
        tell_scores,
        ("kind",),
        arcs="pairs with scores are three",
        entries=list_pairs,
        arguments={"pairs": PAIRS},
        examples=("ny --pair 0 1 --pair 5 9",),
    ),
    "spanning_forest": Extra(tell_forest, ("kind",), arcs="edges are three"),
    "sssp": Extra(
        tell_reached,
        hidden=("sources", "predecessors"),
        flags={"parents": ("--parents", "--predecessors")},
        examples=("kron:16 --weights 1..255 --method delta_stepping --set delta=16",),
    ),
    "transitive_closure": Extra(
        lambda found: {"pairs": found.answers[0].nvals},
        ("reflexive",),
        arcs="pairs are two",
        entries=lambda found: found.read_entries()[:2],
    ),
    "triangles": Extra(tell_triangles, for_file=lambda given, path: given.update(per_vertex=True)),
    "truss_numbers": Extra(tell_innermost, arcs="edges are three"),
}
