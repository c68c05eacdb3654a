"""``graphla roads``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click

from graphla.common.errors import InvalidGraph
from graphla.doors.cli import _options
from graphla.doors.cli._arguments import VERTEX, VertexText
from graphla.doors.cli._output import Target, write


@click.command("roads", short_help="Routes and isochrones: what is reached within some minutes.")
@click.argument("graph")
@click.option("--from", "source", type=VERTEX, required=True, help="Where to start.")
@click.option("--minutes", type=click.FloatRange(0), help="Find what is reached in this time.")
@click.option("--to", "target", type=VERTEX, help="Find the fastest route to this vertex.")
@click.option(
    "--places",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Longitudes and latitudes, a DIMACS .co file; without it a picture is laid out by distances.",
)
@click.option("--picture", type=Target(".png", ".svg", ".pdf"), help="Draw the roads, what is reached, and the route.")
@click.option("--geojson", type=Target(".json", ".geojson"), help="Write what is found as GeoJSON; needs --places.")
@lambda function: _options.add_reading_options(function, "--format")
@_options.weights
@_options.as_json
def command(graph: str, source: VertexText, target: VertexText | None, as_json: bool, **asked: Any) -> None:
    """Routes and isochrones on roads, whose weights are seconds.

    An arc without a weight takes a second; --weights draws times. Works on the CPU.

    Vertices are labels, or numbers from 0 on: node k of a DIMACS file, which counts from 1, is vertex k - 1, here and
    in what is written.

    \b
    Examples:
      graphla roads ny --from 1000 --minutes 20 --weights 5..60 --picture reached.png
      graphla roads USA-road-t.NY.gr.gz --places USA-road-d.NY.co.gz --from 0 --to 4999 --geojson route.geojson
    """
    from graphla.algorithms.roads import prepare
    from graphla.doors.cli._graphs import open_graph
    from graphla.doors.cli._work import run_interruptibly

    if asked["minutes"] is None and target is None:
        raise click.UsageError("say what to look for: --minutes, --to or both")
    if asked["geojson"] is not None and asked["places"] is None:
        raise click.UsageError("--geojson needs the longitudes and latitudes: give --places")
    G = open_graph(graph, {**asked, "engine": "cpu"})
    start, end = source.find(G), None if target is None else target.find(G)
    for name, vertex in (("--from", start), ("--to", end)):
        _ = vertex is None or G.vertex(vertex, name)
    if asked["minutes"] is not None and math.isnan(asked["minutes"]):
        raise click.UsageError("--minutes nan: give a number from 0 on")
    places = None if asked["places"] is None else read_places(asked["places"], G.n)
    roads = run_interruptibly("preparing the roads", lambda: prepare(G))
    area = None if asked["minutes"] is None else roads.isochrone(start, 60 * asked["minutes"])
    route = None if end is None else roads.paths([(start, end)])[0]
    seconds = roads.distances(pairs=[(start, end)]).item() if route else None
    facts = {"from": str(source), "to": target and str(target), "minutes": asked["minutes"], "route": route}
    facts |= {"reached": None if area is None else area.vertices.size, "seconds": seconds}
    click.echo(json.dumps(facts) if as_json else describe(facts))
    if asked["geojson"] is not None:
        write_geojson(asked["geojson"], G, area, route, places)
    if asked["picture"] is not None:
        from graphla.doors.cli._road_map import draw

        found = None if area is None else (number(G, area.vertices.tolist()), area.times)
        way = None if not route else number(G, route)
        run_interruptibly("drawing", lambda: draw(asked["picture"], G, places, int(start), found, way))


def number(G: Any, vertices: list[Any]) -> list[int]:
    """Return the numbers of vertices that an answer names."""
    return G.vertices(vertices, "vertices")


def describe(facts: dict[str, Any]) -> str:
    """Say what was found in one or two lines."""
    lines = []
    if facts["reached"] is not None:
        lines.append(f"{facts['reached']:,} vertices are reached from {facts['from']} in {facts['minutes']:g} minutes")
    if facts["to"] is not None:
        way = f"from {facts['from']} to {facts['to']}"
        found = facts["seconds"] is not None
        over = f": {facts['seconds'] / 60:.1f} minutes over {len(facts['route'])} vertices" if found else ""
        lines.append(f"{'the route' if found else 'there is no route'} {way}{over}")
    return "\n".join(lines)


def read_places(path: Path, n: int) -> Any:
    """Read longitudes and latitudes from a DIMACS .co file of n vertices: ``v id x y``, in millionths of a degree."""
    import numpy as np

    try:
        table = np.loadtxt(path, usecols=(1, 2, 3), comments=("c", "p"), ndmin=2)
    except (ValueError, OSError, IndexError) as error:
        raise InvalidGraph(f"{path}: it is no DIMACS .co file of lines 'v id x y': {error}") from None
    numbers, places = table[:, 0].astype(int) - 1, np.full((n, 2), np.nan)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < n):
        raise InvalidGraph(f"{path}: it has a vertex that the graph of {n:,} has not")
    places[numbers] = table[:, 1:] / 1e6
    if np.isnan(places).any():
        raise InvalidGraph(f"{path}: vertex {int(np.isnan(places).any(axis=1).argmax()) + 1} has no place")
    return places


def write_geojson(path: Path, G: Any, area: Any, route: Any, places: Any) -> None:
    """Write what was found, its vertices as they are called on the command line."""
    from graphla.algorithms.roads import to_geojson

    features = []
    if area is not None:
        features += to_geojson(area, places, G)["features"]
    if route:
        features += to_geojson([route], places, G)["features"]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    write(path, lambda stream: stream.write(text.encode()))
