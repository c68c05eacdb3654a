"""A comparison finds who is wrong, outlives who hangs, and shows itself in every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms import bfs as bfs_package
from graphla.common.errors import GraphlaError, InvalidGraph, NotSupported
from graphla.measuring import peers
from graphla.measuring.comparing import Comparison, Row, compare, turns
from graphla.measuring.comparing.clock import TIME_BOTH
from graphla.measuring.comparing.process import Worker
from graphla.measuring.comparing.roster import make_titles
from graphla.measuring.comparing.table import choose_columns, format_magnitude
from graphla.measuring.peers import networkx
from graphla.measuring.peers.peer import convert_distances
from graphla.measuring.peers.scipy import count_depths
from graphla.measuring.pictures import format_ratio, format_tick
from graphla.problem.difference import find_difference
from tests.graphla.engine.engines import get_engine_named
from tests.graphla.planted import forget, plant


@pytest.fixture
def chain() -> gl.Graph:
    """0 → 1 → … → 9, and a vertex that cannot be reached."""
    weights = np.arange(1, 10, dtype=np.int32)
    return gl.Graph((list(range(9)), list(range(1, 10)), weights), n=11, engine="cpu", name="chain")


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The methods that misbehave, beside the honest ones."""
    folder = plant(tmp_path, "wrong", "raises", "refuses", "crashes", "hangs")
    monkeypatch.setattr(bfs_package, "__path__", [*bfs_package.__path__, str(folder)])
    forget(gl.bfs)
    yield
    monkeypatch.undo()
    forget(gl.bfs)


@pytest.mark.parametrize("problem", ["bfs", "sssp", "apsp"])
def test_everyone_is_right(problem: str, chain: gl.Graph) -> None:
    found = compare(problem, chain, repeat=2)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {"algebraic", "SciPy"} <= {row.name for row in found}
    assert all(len(row.times) == 2 and row.first is not None for row in found)
    assert found.ok


def test_floats_of_other_libraries_agree_within_rounding() -> None:
    rng = np.random.default_rng(4)
    rows, cols = rng.integers(0, 60, (2, 400))
    G = gl.Graph((rows, cols, rng.random(400).astype(np.float32)), n=60, dup="min", engine="cpu")
    found = compare("sssp", [G], source=7, repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)


def test_negative_weights_are_solved_or_refused() -> None:
    arcs = [0, 0, 1, 3, 2], [1, 2, 3, 2, 4], np.array([4, 1, -2, -3, 1], np.float32)
    found = compare("sssp", gl.Graph(arcs, engine="cpu"), repeat=1)
    assert found["algebraic"].status == found["SciPy"].status == found["NetworkX"].status == "right", str(found)
    assert (found["delta_stepping"].status, found.ok) == ("refused", True)


def test_the_misbehaving_are_shown_and_the_others_go_on(planted: None, chain: gl.Graph) -> None:
    gl.bfs(chain, 0, method="algebraic")  # compiled before the time limit counts
    names = ["wrong", "hangs", "algebraic", "raises", "refuses", "crashes"]
    found = compare("bfs", chain, methods=names, peers=["scipy"], repeat=2, time_limit=4.0)
    status = {row.name: row.status for row in found}
    assert status == {
        "wrong": "wrong",
        "hangs": "stopped",
        "algebraic": "right",
        "raises": "failed",
        "refuses": "refused",
        "crashes": "failed",
        "SciPy": "right",
    }
    assert not found.ok
    assert "first at vertex 3: 1 instead of 3" in found["wrong"].note
    assert "KeyError: 'no luck\\ntoday'" in found["raises"].note
    assert found["refuses"].note == "never on a Sunday"
    assert "SIGSEGV" in found["crashes"].note
    assert "time limit" in found["hangs"].note
    assert len(found["algebraic"].times) == len(found["SciPy"].times) == 2
    assert "\n" not in found["raises"].note


def test_nothing_is_left_behind_by_ctrl_c(chain: gl.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Worker] = []

    class Watched(Worker):
        def start(self) -> None:
            super().start()
            started.append(self)

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(turns, "Worker", Watched)
    monkeypatch.setattr(turns.Judge, "judge", interrupt)
    with pytest.raises(KeyboardInterrupt):
        compare("bfs", chain, methods="algebraic", peers=False)
    assert [worker.process for worker in started] == [None]
    assert not Path(started[0].job.folder).exists()


def test_networkx_is_not_asked_for_what_its_dictionaries_cannot_hold(
    chain: gl.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networkx, "host_free", lambda: 9 * networkx.ARC_BYTES - 1)
    with pytest.raises(NotSupported, match="dictionaries would take about 4,050 bytes, and 4,049 are free"):
        networkx.make_digraph(chain.csr)
    monkeypatch.setattr(networkx, "host_free", lambda: 9 * networkx.ARC_BYTES)
    assert networkx.make_digraph(chain.csr).number_of_edges() == 9


def test_options_reach_every_method(chain: gl.Graph) -> None:
    found = compare("bfs", chain, peers=False, repeat=1, parents=True)
    assert {row.status for row in found} == {"right"}
    assert found.conditions["parents"] is True


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"problem": "tsp"}, NotSupported, "there are: apsp, betweenness, bfs, .*sssp"),
        ({"methods": ["magic"]}, NotSupported, "no method 'magic'"),
        ({"peers": ["boost"]}, NotSupported, "no peer 'boost'"),
        ({"peers": ["absent"]}, NotSupported, "not installed"),
        ({"source": 99}, InvalidGraph, "source=99 is no vertex"),
        ({"repeat": 0}, GraphlaError, "repeat=0"),
        ({"time_limit": 0}, GraphlaError, "time_limit=0"),
        ({"problem": "apsp", "source": 1}, GraphlaError, "takes no source"),
    ],
)
def test_bad_requests_are_refused_before_the_work(
    arguments: dict, error: type, said: str, chain: gl.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = peers.Peer("Absent", "a_package_that_is_not_there", "cpu", {}, "absent")
    known = {**peers.list_known(), "absent": absent}
    monkeypatch.setattr(peers, "list_known", lambda: known)
    monkeypatch.setattr(Worker, "start", lambda self: pytest.fail("work was begun"))
    with pytest.raises(error, match=said):
        compare(**{"problem": "bfs", "graphs": chain, **arguments})


def test_difference_names_the_first_vertex() -> None:
    right = np.array([0, 1, 2, 3])
    assert find_difference(right, right) is None
    assert find_difference(np.array([0, 1, 5, 9]), right) == "first at vertex 2: 5 instead of 2 (2 differ)"
    assert find_difference(right[:3], right) == "its shape is (3,), not (4,)"
    square = np.zeros((2, 2), np.float32)
    assert find_difference(square + 1, square + np.float32(1 + 1e-6)) is None
    off = square.copy()
    off[1, 0] = np.inf
    assert find_difference(off, square) == "first at the pair (1, 0): inf instead of 0.0 (1 differ)"


def test_no_two_graphs_have_one_title(chain: gl.Graph) -> None:
    other = gl.Graph(chain.A)
    assert make_titles([chain, other, chain, other]) == ["chain", "a graph", "chain #2", "a graph #2"]


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32"])
def test_no_path_of_another_library_is_the_end_of_the_dtype(dtype: str) -> None:
    found = convert_distances([[0.0, 3.0], [np.inf, 0.0]], np.zeros(0, dtype))
    assert found.dtype == dtype
    assert found.tolist() == [[0, 3], [np.inf if dtype == "float32" else np.iinfo(dtype).max, 0]]


def test_depths_are_counted_along_predecessors() -> None:
    order, predecessors = np.array([2, 0, 1, 3]), np.array([2, 2, -9999, 0, -9999])
    assert count_depths(order, predecessors).tolist() == [1, 1, 0, 2, -1]


@pytest.fixture(scope="module")
def finished() -> Comparison:
    """A comparison as it could come out."""
    base = {"problem": "bfs", "graph": "kron:4", "vertices": 16, "arcs": 1000, "engine": "cpu"}
    rows = (
        Row(**base, name="slow", kind="method", status="right", first=1.0, times=(2e-3, 2e-3, 4e-3), memory=1234567),
        Row(**base, name="fast", kind="method", status="right", first=0.5, times=(1e-3, 1e-3, 1e-3)),
        Row(**base, name="liar", kind="method", status="wrong", note="<first> at vertex 3", times=(1e-6,)),
        Row(**base, name="SciPy", kind="peer", status="right", times=(5e-3, 5e-3)),
        Row(**base, name="idle", kind="method", status="stopped", note="no answer"),
    )
    return Comparison(rows, {"python": "3"})


def test_figures_of_a_row(finished: Comparison) -> None:
    slow = finished["slow"]
    assert slow.median == 2e-3
    assert slow.spread == pytest.approx(1e-3)
    assert slow.arcs_per_second == pytest.approx(5e5)
    assert finished["idle"].median is None
    with pytest.raises(KeyError, match="there are: slow, fast"):
        finished["nobody"]


def test_faults_of_others_are_not_ours(finished: Comparison) -> None:
    assert not finished.ok
    theirs = replace(finished, rows=tuple(replace(row, kind="peer") for row in finished))
    assert theirs.ok


def test_text_puts_the_fastest_right_one_first(finished: Comparison) -> None:
    lines = str(finished).splitlines()
    ranked = [line.split()[0] for line in lines if line.split()[1:2] == ["cpu"]]
    assert ranked == ["fast", "slow", "SciPy", "liar", "idle"]
    assert "liar wrong: <first> at vertex 3" in str(finished)
    assert "2×" in str(finished)


def test_wrong_is_red(finished: Comparison) -> None:
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, force_terminal=True, color_system="standard", width=140).print(finished)
    lines = stream.getvalue().splitlines()
    assert any("\x1b[1;31m" in line and "liar" in line for line in lines)
    assert not any("\x1b[1;31m" in line and "fast" in line for line in lines)


def test_narrow_terminals_drop_columns() -> None:
    line = ("a" * 20, "cpu", "right", "1.0 ms", "± 1 ms", "1.1 ms", "1.0 s", "1×", "1 G", "1 MB")
    assert choose_columns([line], 140) == list(range(10))
    assert choose_columns([line], 140, on_gpu=False) == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert choose_columns([line], 60) == [0, 1, 2, 3, 5]
    assert choose_columns([line], 50) == [0, 1, 2, 3]


def test_html_is_escaped(finished: Comparison) -> None:
    page = finished._repr_html_()
    assert "&lt;first&gt;" in page
    assert 'class="wrong method"' in page


def test_json_and_csv(finished: Comparison, tmp_path: Path) -> None:
    finished.to_json(tmp_path / "c.json")
    data = json.loads((tmp_path / "c.json").read_text())
    assert [row["status"] for row in data["rows"]] == ["right", "right", "wrong", "right", "stopped"]
    assert data["rows"][0]["times"] == [2e-3, 2e-3, 4e-3]
    table = list(csv.DictReader(io.StringIO(finished.to_csv())))
    assert [line["name"] for line in table] == ["slow", "fast", "liar", "SciPy", "idle"]
    assert table[4]["median"] == ""


def test_on_the_gpu_solve_and_whole_call_are_both_told(finished: Comparison) -> None:
    row = replace(finished["fast"], engine="cuda", times=(2e-5, 3e-5, 4e-5), calls=(3e-4, 2e-4, 4e-4))
    shown = str(replace(finished, rows=(row, finished["SciPy"])))
    assert "30 µs" in shown
    assert "300 µs" in shown
    assert "between CUDA events" in shown
    assert "whole call" not in str(finished)
    assert row.to_dict()["whole"] == 3e-4
    assert "whole call" in replace(finished, rows=(row,))._repr_html_()
    assert "whole call" not in finished._repr_html_()


def test_on_the_cpu_solve_and_whole_call_are_the_same() -> None:
    solve, whole = TIME_BOTH["cpu"](lambda: None, None)
    assert 0 < solve == whole < 1


@pytest.mark.gpu
def test_the_misbehaving_are_shown_on_the_gpu(chain: gl.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = plant(tmp_path, "wrong", "spins", "raises", engine="cuda")
    monkeypatch.setattr(bfs_package, "__path__", [*bfs_package.__path__, str(folder)])
    forget(gl.bfs)
    try:
        names = ["wrong", "spins", "raises", "fused"]
        found = compare(
            "bfs", chain.to(get_engine_named("cuda")), methods=names, peers=False, repeat=2, time_limit=10.0
        )
    finally:
        monkeypatch.undo()
        forget(gl.bfs)
    assert [row.status for row in found] == ["wrong", "stopped", "failed", "right"], str(found)
    assert "first at vertex 3: 1 instead of 3" in found["wrong"].note
    assert len(found["fused"].times) == len(found["fused"].calls) == 2


@pytest.mark.gpu
def test_a_solve_is_timed_without_pythons_part() -> None:
    G = gl.generate.kronecker(12, engine=get_engine_named("cuda"))
    call = lambda: gl.bfs(G, 0)  # noqa: E731
    call()
    pairs = [TIME_BOTH["cuda"](call, G.engine) for _ in range(9)]
    assert all(0 < solve < whole for solve, whole in pairs[1:])


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_pictures(finished: Comparison, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"c.{kind}"
    finished.plot(path)
    assert path.stat().st_size > 1000


def test_a_picture_has_points_their_ratios_and_a_legend(finished: Comparison) -> None:
    timed = [row for row in finished if row.times]
    theirs = replace(timed[-1], name="theirs", kind="peer", engine="cuda", calls=(9.0, 9.0))
    made = replace(finished, rows=(*finished.rows, theirs)).plot()
    (axes,) = made.axes
    assert (axes.get_xscale(), len(axes.patches)) == ("log", 0)
    best = min(row.median for row in timed if row.status == "right")
    points = {line.get_xdata()[0] for line in axes.lines if line.get_marker() in ("o", "X")}
    assert {row.median for row in timed} <= points
    shown = [text.get_text() for text in axes.texts]
    assert all(format_ratio(row.median / best) in shown for row in timed if row.status == "right")
    said = {text.get_text() for text in made.legends[0].get_texts()}
    assert {"graphla", "another library", "wrong or failed", "whole call on the GPU"} <= said


def test_ratios_and_round_times() -> None:
    assert [format_ratio(x) for x in (0.04, 1, 1.08, 6.32, 27.6, 1234)] == [
        "0.04 ×",
        "1.00 ×",
        "1.08 ×",
        "6.3 ×",
        "28 ×",
        "1,234 ×",
    ]
    assert [format_tick(x) for x in (1e-7, 1e-5, 5e-3, 0.1, 1.0, 20)] == [
        "100 ns",
        "10 µs",
        "5 ms",
        "100 ms",
        "1 s",
        "20 s",
    ]


def test_magnitudes() -> None:
    assert [format_magnitude(x) for x in (None, 999, 1.5e6)] == ["", "999", "1.5 M"]
    assert format_magnitude(2e9, "B") == "2 GB"
