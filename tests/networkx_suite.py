"""NetworkX's own tests of the functions that the backend claims, with graphla in their place and nothing in its place.

``python -m tests.networkx_suite`` runs the modules of `MODULES`; names of modules after it run these alone. The entry
points are those of pyproject.toml, whatever is installed. With ``GRAPHLA_ENGINE=cuda`` problems are solved on a GPU.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import graphla

ROOT = Path(__file__).parents[1]
MODULES = (
    "shortest_paths.tests.test_unweighted",
    "shortest_paths.tests.test_generic",
    "shortest_paths.tests.test_weighted",
    "shortest_paths.tests.test_dense",
    "shortest_paths.tests.test_dense_numpy",
    "traversal.tests.test_bfs",
    "components.tests.test_biconnected",
    "components.tests.test_connected",
    "components.tests.test_weakly_connected",
    "components.tests.test_strongly_connected",
    "link_analysis.tests.test_pagerank",
    "link_analysis.tests.test_hits",
    "centrality.tests.test_katz_centrality",
    "centrality.tests.test_eigenvector_centrality",
    "centrality.tests.test_betweenness_centrality",
    "centrality.tests.test_closeness_centrality",
    "centrality.tests.test_harmonic_centrality",
    "centrality.tests.test_current_flow_betweenness_centrality",
    "centrality.tests.test_current_flow_closeness",
    "tests.test_bridges",
    "tests.test_cluster",
    "tests.test_core",
    "flow.tests.test_maxflow",
    "flow.tests.test_maxflow_large_graph",
    "tests.test_matching",
    "bipartite.tests.test_matching",
    "coloring.tests.test_coloring",
    "community.tests.test_leiden",
    "community.tests.test_louvain",
    "community.tests.test_quality",
    "tree.tests.test_mst",
    "tests.test_dag",
    "tests.test_dominance",
    "tests.test_link_prediction",
    "tests.test_distance_measures",
)
"""Below ``networkx.algorithms``."""


def write_entry_points(folder: Path) -> None:
    """Write what an installed graphla tells of its entry points."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    target = folder / f"graphla-{graphla.__version__}.dist-info"
    target.mkdir()
    told = f"Metadata-Version: 2.1\nName: graphla\nVersion: {graphla.__version__}\n"
    (target / "METADATA").write_text(told, "utf-8")
    groups = project["entry-points"].items()
    lines = [line for group, points in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))]
    (target / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def make_environment(folder: Path) -> dict[str, str]:
    """The environment of a process that finds this tree and its entry points."""
    write_entry_points(folder)
    engine = os.environ.get("GRAPHLA_ENGINE", "cpu")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "GRAPHLA_ENGINE": engine}


def run(modules: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run modules of tests with the backend."""
    names = [f"networkx.algorithms.{module}" for module in modules]
    options = ["-q", "-rfEx", "-W", "ignore", "-p", "no:cacheprovider", "-p", "tests.networkx_plugin", "--pyargs"]
    environment = {**make_environment(folder), "NETWORKX_TEST_BACKEND": "graphla"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *names],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def main() -> int:
    """Run the modules of the command line, or all."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(tuple(sys.argv[1:]) or MODULES, Path(folder))
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
