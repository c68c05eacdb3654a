"""The command line: what it answers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import graphla as gl
from graphla.doors.cli import _solve
from graphla.doors.cli._main import root
from graphla.doors.cli._options import parse_settings


def test_every_command_has_help_with_an_example(graphla) -> None:
    for name in root.list_commands(None):
        found = graphla(name, "--help")
        assert found.code == 0, name
        assert f"graphla {name}" in found.out.split("Example")[1], name


def test_bfs_as_json(graphla, triangle: Path) -> None:
    found = graphla("bfs", triangle, "--json", "--verify")
    facts = json.loads(found.out)
    assert found.code == 0
    assert (facts["reached"], facts["levels"], facts["verified"]) == (3, 2, True)


@pytest.mark.parametrize("method", ["algebraic", "delta_stepping"])
def test_sssp_by_a_method(graphla, triangle: Path, method: str) -> None:
    facts = json.loads(graphla("sssp", triangle, "--method", method, "--json").out)
    assert (facts["method"], facts["farthest"]) == (method, 7)


def test_components_of_either_kind(graphla, triangle: Path, tmp_path: Path) -> None:
    facts = json.loads(graphla("components", triangle, "--verify", "--json").out)
    assert (facts["components"], facts["largest"], facts["kind"]) == (2, 3, "weak")
    target = tmp_path / "c.npz"
    found = graphla("components", triangle, "--kind", "strong", "--sizes", "--verify", "--output", target, "--json")
    assert json.loads(found.out)["components"] == 4
    assert np.load(target)["labels"].tolist() == [0, 1, 2, 3]
    assert np.load(target)["sizes"].tolist() == [1, 1, 1, 1]
    assert graphla("components", triangle, "--output", tmp_path / "c.npy").code == 0
    assert np.load(tmp_path / "c.npy").tolist() == [0, 0, 0, 3]


def test_triangles_and_coefficients(graphla, triangle: Path, tmp_path: Path) -> None:
    facts = json.loads(graphla("triangles", triangle, "--undirected", "--verify", "--json").out)
    assert facts["triangles"] == 1
    target = tmp_path / "t.npy"
    found = graphla("triangles", triangle, "--undirected", "--verify", "--output", target, "--json")
    assert (json.loads(found.out)["triangles"], np.load(target).tolist()) == (1, [1, 1, 1, 0])
    found = graphla("triangles", triangle)
    assert (found.code, "--undirected" in found.err) == (2, True)
    facts = json.loads(graphla("clustering", triangle, "--verify", "--output", target, "--json").out)
    assert (facts["average"], np.load(target).tolist()) == (0.375, [0.5, 0.5, 0.5, 0.0])
    facts = json.loads(graphla("clustering", triangle, "--kind", "transitivity", "--verify", "--json").out)
    assert facts["transitivity"] == 0.5
    assert graphla("clustering", triangle, "--kind", "average", "--output", target).code == 2


def test_spanning_forests(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "f.npz"
    found = graphla("spanning_forest", triangle, "--undirected", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    assert (facts["kind"], facts["edges"], facts["trees"]) == ("minimum", 2, 2)
    with np.load(target) as stored:
        assert stored["value"].sum() == 2 * facts["weight"]
        assert (stored["from"] < stored["to"]).sum() == 2
    found = graphla("spanning_forest", triangle, "--undirected", "--kind", "maximum", "--json")
    assert json.loads(found.out)["weight"] > facts["weight"]
    assert "edges are three" in graphla("spanning_forest", triangle, "--output", tmp_path / "f.npy").err
    assert graphla("spanning_forest", triangle).code == 2


def test_core_numbers(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "c.npy"
    found = graphla("core_numbers", triangle, "--undirected", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    assert (facts["largest"], facts["innermost"], np.load(target).tolist()) == (2, 3, [2, 2, 2, 0])
    found = graphla("core_numbers", triangle)
    assert (found.code, "cores are of undirected graphs" in found.err) == (2, True)


def test_independent_sets(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "s.npy"
    found = graphla("independent_set", triangle, "--undirected", "--seed", 2, "--verify", "--output", target, "--json")
    facts, chosen = json.loads(found.out), np.load(target)
    assert (facts["chosen"], facts["seed"]) == (2, 2)
    assert (chosen.dtype, chosen.sum(), chosen[3]) == (bool, 2, True)
    assert "seed=-1: it goes from 0 on" in graphla("independent_set", triangle, "--seed", -1).err


def test_topological_orders(graphla, tmp_path: Path) -> None:
    source, target = tmp_path / "tasks.csv", tmp_path / "order.npz"
    source.write_text("source,target\n2,0\n2,1\n0,3\n3,1\n")
    found = graphla("topological_order", source, "--levels", "--verify", "--output", target, "--json")
    with np.load(target) as stored:
        assert (stored["vertices"].tolist(), stored["levels"].tolist()) == ([2, 0, 3, 1], [1, 3, 0, 2])
    assert json.loads(found.out)["method"] == "kahn"
    source.write_text("source,target\n2,0\n0,2\n")
    found = graphla("topological_order", source)
    assert (found.code, "the graph has a cycle" in found.err, "0 → 2 → 0" in found.err) == (2, True, True)
    assert graphla("topological_order", source, "--levels", "--output", tmp_path / "o.npy").code == 2


def test_truss_numbers(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "t.csv"
    found = graphla("truss_numbers", triangle, "--undirected", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    assert (facts["largest"], facts["innermost"], len(target.read_text().splitlines()) - 1) == (3, 3, 6)
    found = graphla("truss_numbers", triangle, "--undirected", "--output", tmp_path / "t.npy")
    assert (found.code, ".npy holds one array" in found.err) == (2, True)


def test_biconnected_components(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.csv"
    found = graphla("biconnected_components", triangle, "--undirected", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    assert (facts["components"], facts["bridges"], facts["largest"]) == (1, 0, 3)
    assert len(target.read_text().splitlines()) - 1 == 6
    found = graphla("biconnected_components", triangle, "--undirected", "--output", tmp_path / "b.npy")
    assert (found.code, ".npy holds one array" in found.err) == (2, True)


def test_matchings(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "m.npy"
    found = graphla("matching", triangle, "--undirected", "--weighted", "--verify", "--output", target, "--json")
    assert (json.loads(found.out)["edges"], sorted(np.load(target).tolist())[:2]) == (1, [-1, -1])
    assert json.loads(graphla("matching", "grid2d:4", "--kind", "maximum", "--verify", "--json").out)["edges"] == 8
    assert "kind='maximum' counts edges" in graphla("matching", triangle, "--kind", "maximum", "--weighted").err


def test_colorings(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "c.npy"
    found = graphla("coloring", triangle, "--undirected", "--seed", 2, "--verify", "--output", target, "--json")
    facts, colors = json.loads(found.out), np.load(target)
    assert (facts["colors"], facts["seed"]) == (3, 2)
    assert (colors.dtype, colors.max(), colors[3]) == (np.int32, 2, 0)
    assert "seed=-1: it goes from 0 on" in graphla("coloring", triangle, "--seed", -1).err


@pytest.mark.parametrize("problem", ["louvain", "leiden"])
def test_communities(graphla, triangle: Path, tmp_path: Path, problem: str) -> None:
    target = tmp_path / "c.npy"
    asked = "--undirected", "--resolution", 0.5, "--seed", 2, "--max-levels", 4, "--verify"
    facts = json.loads(graphla(problem, triangle, *asked, "--output", target, "--json").out)
    assert (facts["communities"], facts["largest"], facts["resolution"], facts["seed"]) == (2, 3, 0.5, 2)
    assert (facts["modularity"], np.load(target).tolist()) == (0.5, [0, 0, 0, 1])
    assert "max_levels=0: it goes from 1 on" in graphla(problem, triangle, "--max-levels", 0).err


def test_eccentricities(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "e.npy"
    found = graphla("eccentricity", triangle, "--undirected", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    assert (facts["diameter"], facts["radius"], np.load(target).tolist()) == (1, 0, [1, 1, 1, 0])
    found = graphla("eccentricity", triangle, "--source", 1, "--weighted", "--json")
    assert json.loads(found.out)["largest"] > 1


def test_similarities(graphla, triangle: Path, tmp_path: Path) -> None:
    target, both = tmp_path / "s.npz", (triangle, "--undirected", "--json")
    found = graphla("similarity", *both, "--verify", "--output", target)
    facts = json.loads(found.out)
    with np.load(target) as stored:
        assert stored["value"].tolist() == [1 / 3] * 6
    assert (facts["pairs"], facts["highest"], facts["verified"]) == (6, 1 / 3, True)
    found = graphla("similarity", *both, "--kind", "common_neighbors", "--pair", 0, 1, "--pair", 0, 3)
    assert json.loads(found.out)["scores"] == [1.0, 0.0]
    assert json.loads(graphla("similarity", *both, "--two-hops").out)["pairs"] == 6
    assert graphla("similarity", *both, "--two-hops", "--pair", 0, 1).code == 2
    assert "are three" in graphla("similarity", *both, "--output", tmp_path / "s.npy").err


def test_widest_paths(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "w.npz"
    found = graphla("widest_paths", triangle, "--source", 1, "--parents", "--verify", "--output", target, "--json")
    facts = json.loads(found.out)
    with np.load(target) as stored:
        assert (stored["parents"][1], (stored["parents"] >= 0).sum()) == (1, facts["reached"])
    assert graphla("widest_paths", triangle, "--source", 99).code == 2


def test_transitive_closures(graphla, tmp_path: Path) -> None:
    source, target = tmp_path / "tasks.csv", tmp_path / "closure.csv"
    source.write_text("source,target\n0,1\n1,2\n")
    found = graphla("transitive_closure", source, "--verify", "--output", target, "--json")
    assert (json.loads(found.out)["pairs"], target.read_text().split()) == (3, ["from,to", "0,1", "0,2", "1,2"])
    assert json.loads(graphla("transitive_closure", source, "--reflexive", "--json").out)["pairs"] == 6
    assert "pairs are two" in graphla("transitive_closure", source, "--output", tmp_path / "c.npy").err


def test_random_walks(graphla, triangle: Path, tmp_path: Path) -> None:
    target, asked = tmp_path / "r.npy", ("--undirected", "--length", 5, "--walks", 2, "--seed", 3)
    found = graphla("random_walks", triangle, *asked, "--start", 0, "-p", 2, "--verify", "--output", target, "--json")
    facts, walks = json.loads(found.out), np.load(target)
    assert (facts["walks"], facts["steps"], walks.shape) == (2, 10, (2, 6))
    assert walks[:, 0].tolist() == [0, 0]
    assert graphla("random_walks", triangle, "-q", 0).code == 2


def test_dominators(graphla, tmp_path: Path) -> None:
    source, target = tmp_path / "flow.csv", tmp_path / "d.npy"
    source.write_text("source,target\n0,1\n0,2\n1,3\n2,3\n3,4\n")
    found = graphla("dominators", source, "--verify", "--output", target, "--json")
    assert (json.loads(found.out)["reached"], np.load(target).tolist()) == (5, [0, 0, 0, 0, 3])
    assert graphla("dominators", source, "--source", 9).code == 2


def test_diameters(graphla, triangle: Path, tmp_path: Path) -> None:
    assert json.loads(graphla("diameter", "path:9", "--verify", "--json").out)["diameter"] == 8
    facts = json.loads(graphla("diameter", "path:9", "--sweeps", 1, "--json").out)
    assert (facts["at_least"], facts["at_most"], facts["sweeps"]) == (7, 8, 1)
    assert graphla("diameter", triangle, "--output", tmp_path / "d.npy").code == 2
    assert graphla("diameter", triangle, "--sweeps", 2, "--verify").code == 2
    assert json.loads(graphla("diameter", triangle, "--weighted", "--json").out)["diameter"] > 1


def test_maximum_flows(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "f.npz"
    facts = json.loads(graphla("max_flow", triangle, "--sink", 2, "--verify", "--output", target, "--json").out)
    expected = gl.max_flow(gl.read(triangle), 0, 2)
    assert (facts["flow"], facts["source_side"]) == (expected.value, int(expected.cut.to_numpy().sum()))
    with np.load(target) as stored:
        assert stored["value"][stored["from"] == 0].sum() == expected.value
    assert "flows are three" in graphla("max_flow", triangle, "--sink", 2, "--output", tmp_path / "f.npy").err
    assert "Missing option '--sink'" in graphla("max_flow", triangle).err


def test_labels_after_some_rounds(graphla, triangle: Path, tmp_path: Path) -> None:
    found = graphla("label_propagation", triangle, "--rounds", 2, "--verify", "--output", tmp_path / "l.npy", "--json")
    facts = json.loads(found.out)
    assert (facts["rounds"], facts["labels"], facts["largest"]) == (2, 2, 3)
    assert np.load(tmp_path / "l.npy").tolist() == [0, 0, 0, 3]
    assert "rounds=-1: it goes from 0 on" in graphla("label_propagation", triangle, "--rounds", -1).err


@pytest.mark.parametrize("problem", ["katz", "eigenvector", "hits"])
def test_other_centralities(graphla, triangle: Path, tmp_path: Path, problem: str) -> None:
    target = tmp_path / "c.npz"
    asked = "--rounds", "5", "--weighted", "--verify", "--output", target, "--json"
    facts = json.loads(graphla(problem, triangle, *asked).out)
    assert (facts["verified"], facts["method"]) == (True, "fused")
    expected = getattr(gl, problem)(gl.read(triangle), rounds=5, weights=True)
    for found, wanted in zip(
        np.load(target).values(), expected if isinstance(expected, tuple) else (expected,), strict=True
    ):
        np.testing.assert_allclose(found, wanted.to_dense())


def test_betweenness_and_closeness(graphla, triangle: Path, tmp_path: Path) -> None:
    G = gl.read(triangle)
    asked = "--source", "0", "--source", "1", "--counts", "--weighted", "--dtype", "FP64", "--verify"
    facts = json.loads(graphla("betweenness", triangle, *asked, "--output", tmp_path / "b.npy", "--json").out)
    expected = gl.betweenness(G, sources=[0, 1], normalized=False, weights=True, dtype="FP64").to_numpy()
    assert np.load(tmp_path / "b.npy").tolist() == expected.tolist()
    assert facts["highest"][0] == expected.argmax()
    facts = json.loads(graphla("betweenness", triangle, "--edges", "--output", tmp_path / "e.csv", "--json").out)
    lines = [line.split(",") for line in (tmp_path / "e.csv").read_text().splitlines()]
    assert lines[0] == ["from", "to", "value"]
    assert [[int(u), int(v)] for u, v, _ in lines[1:]] == np.stack(G.A.to_coo()[:2], axis=1).tolist()
    assert facts["written_to"] == str(tmp_path / "e.csv")
    assert graphla("betweenness", triangle, "--edges", "--output", tmp_path / "e.npz").code == 0
    assert np.load(tmp_path / "e.npz")["value"].tolist() == gl.betweenness(G, edges=True).to_coo()[2].tolist()
    assert "edges are three" in graphla("betweenness", triangle, "--edges", "--output", tmp_path / "e.npy").err
    assert "--source and --sample" in graphla("betweenness", triangle, "--source", "1", "--sample", "2").err
    assert graphla("betweenness", triangle, "--sample", "2", "--seed", "3", "--verify").code == 0
    asked = "--harmonic", "--direction", "out", "--verify", "--source", "1"
    facts = json.loads(graphla("closeness", triangle, *asked, "--output", tmp_path / "c.csv", "--json").out)
    assert facts["highest"] == [1]
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 2


def test_tables_are_readable(graphla, triangle: Path) -> None:
    out = graphla("sssp", triangle, "--source", 1).out
    assert "farthest" in out
    assert "delta_stepping" in out


def test_answers_in_every_kind_of_file(graphla, triangle: Path, tmp_path: Path) -> None:
    for kind in ("npz", "npy", "csv", "txt"):
        assert graphla("sssp", triangle, "--output", tmp_path / f"d.{kind}").code == 0
    none = np.iinfo(np.int64).max
    assert np.load(tmp_path / "d.npz")["distances"].tolist() == [0, 4, 7, none]
    assert np.load(tmp_path / "d.npy").tolist() == [0, 4, 7, none]
    assert (tmp_path / "d.csv").read_text() == "vertex,distance\n0,0\n1,4\n2,7\n"
    assert (tmp_path / "d.txt").read_text() == "# vertex distance\n0 0\n1 4\n2 7\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d.csv", "d.npy", "d.npz", "d.txt", "triangle.mtx"]


def test_parents_and_next_hops(graphla, triangle: Path, tmp_path: Path) -> None:
    assert graphla("bfs", triangle, "--parents", "--output", tmp_path / "b.npz").code == 0
    assert np.load(tmp_path / "b.npz")["parents"].tolist() == [0, 0, 0, -1]
    assert graphla("sssp", triangle, "--parents", "--output", tmp_path / "s.csv").code == 0
    assert (tmp_path / "s.csv").read_text().splitlines() == ["vertex,distance,parent", "0,0,0", "1,4,0", "2,7,1"]
    facts = json.loads(graphla("apsp", triangle, "--next-hops", "--output", tmp_path / "a.csv", "--json").out)
    assert facts["pairs_with_a_path"] == 7
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert (lines[0], len(lines)) == ("from,to,distance,next_hop", 8)
    assert "0,2,7,1" in lines


def test_weights_are_drawn_alike_every_time(graphla) -> None:
    farthest = {json.loads(graphla("sssp", "path:50", "--weights", "3..3", "--json").out)["farthest"] for _ in range(2)}
    assert farthest == {147}


def test_options_of_a_method(graphla, triangle: Path) -> None:
    assert graphla("bfs", triangle, "--method", "algebraic", "--set", "direction=pull").code == 0
    refused = graphla("bfs", triangle, "--method", "algebraic", "--set", "direction=up")
    assert refused.code == 2
    assert "'push'" in refused.err


def test_settings_are_read_as_python_reads_them() -> None:
    assert parse_settings(("a=3", "b=0.5", "c=none", "d=true", "e=fine")) == {
        "a": 3,
        "b": 0.5,
        "c": None,
        "d": True,
        "e": "fine",
    }


def test_traces(graphla, triangle: Path, tmp_path: Path) -> None:
    shown = graphla("bfs", triangle, "--method", "algebraic", "--trace")
    assert "any_pair" in shown.err
    for kind in ("json", "html", "txt", "png", "svg"):
        assert graphla("bfs", triangle, "--method", "algebraic", "--trace-to", tmp_path / f"t.{kind}").code == 0
        assert (tmp_path / f"t.{kind}").stat().st_size > 200
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]


def test_the_trace_is_of_a_call_that_compiles_nothing(graphla, triangle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    show = _solve.run_with_progress
    monkeypatch.setattr(_solve, "run_with_progress", lambda title, call: [calls.append(title), show(title, call)][1])
    assert "bfs direction_optimized: 2 levels" in graphla("bfs", triangle, "--trace").err
    assert calls == ["bfs by direction_optimized", "bfs by direction_optimized, once more for its trace"]
    monkeypatch.setattr(_solve, "SHORT", 0.0)
    assert "2 levels" in graphla("bfs", triangle, "--trace").err
    graphla("bfs", triangle)
    assert len(calls) == 4


def test_info_of_a_graph_and_of_the_machine(graphla, triangle: Path) -> None:
    facts = json.loads(graphla("info", triangle, "--json").out)
    assert (facts["vertices"], facts["arcs"], facts["symmetric"], facts["largest_weight"]) == (4, 3, False, 9)
    assert json.loads(graphla("info", "--json").out)["graphla"] == gl.__version__


def test_generate_and_convert(graphla, tmp_path: Path) -> None:
    assert "kron:18" in graphla("generate").out
    assert graphla("generate", "cycle:6", tmp_path / "c.npz", "--weights", "2..2").code == 0
    assert graphla("convert", tmp_path / "c.npz", tmp_path / "c.mtx.gz").code == 0
    assert json.loads(graphla("sssp", tmp_path / "c.mtx.gz", "--json").out)["farthest"] == 6


def test_methods_are_listed(graphla) -> None:
    shown = " ".join(graphla("methods").out.split())
    assert "delta_stepping" in shown
    assert "delta : default None width of a bucket, in the unit of the weights" in shown
    assert "direction : {None, 'push', 'pull'}, default None" in shown
    listed = {m["name"]: m for m in json.loads(graphla("methods", "bfs", "--json").out)["bfs"]}
    assert {"algebraic", "direction_optimized"} <= set(listed)
    direction = listed["algebraic"]["options"]["direction"]
    assert (direction["default"], direction["choices"]) == (None, [None, "push", "pull"])
    assert "plan" in direction["meaning"]


def test_graph500_reports(graphla, tmp_path: Path) -> None:
    line = ("graph500", "--scale", 6, "--sources", 4)
    assert "harmonic_mean_TEPS" in graphla(*line, "--output", tmp_path / "report.txt").out
    assert "NBFS:" in (tmp_path / "report.txt").read_text()
    assert json.loads(graphla(*line, "--json").out)["SCALE"] == "6"


def test_compare_hands_settings_to_every_method(graphla, triangle: Path) -> None:
    asked = "compare", "bfs", triangle, "--peers", "none", "--repeat", 1, "--set"
    assert graphla(*asked, "parents=true").code == 0
    assert "has no option 'wings'" in graphla(*asked, "wings=2").out
    assert "no option of a method" in graphla(*asked, "repeat=2").err


def test_compare_writes_what_is_asked(graphla, triangle: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("c.json", "c.csv", "c.svg")]
    asked = [
        part for option, file in zip(("--json", "--csv", "--picture"), files, strict=True) for part in (option, file)
    ]
    found = graphla("compare", "bfs", triangle, "path:20", "--peers", "scipy", "--repeat", 2, *asked)
    assert found.code == 0, found.err
    rows = json.loads(files[0].read_text())["rows"]
    assert {row["graph"] for row in rows} == {str(triangle), "path:20"}
    assert {row["status"] for row in rows} == {"right"}
    assert all(file.stat().st_size for file in files)
