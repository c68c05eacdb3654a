"""Graphs with a conditional node: what is asked of the driver, in which order, and what happens where it refuses."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda import graphs
from graphla.engine.cuda.graphs import Conditional, Driver, GraphError, LoopGraph, NodeParameters

BODY, GRAPH, EXECUTABLE, HANDLE, NODE = 0xB0D1, 0x6A4F, 0xE8EC, 0x4A4D, 0x40DE


class FakeLibrary:
    """The driver's functions: they note their names, and one of them may fail."""

    def __init__(self, fails: str | None = None, lacks: str | None = None) -> None:
        self.calls: list[str] = []
        self.fails, self.lacks = fails, lacks
        self.bodies = (ctypes.c_void_p * 1)(BODY)

    def __getattr__(self, name: str) -> Any:
        if name == self.lacks or not name.startswith("cu"):
            raise AttributeError(name)
        return lambda *arguments: self.answer(name, arguments)

    def answer(self, name: str, arguments: tuple[Any, ...]) -> int:
        self.calls.append(name)
        if name == self.fails:
            return 801
        results = {"cuGraphCreate": GRAPH, "cuGraphInstantiateWithFlags": EXECUTABLE, "cuGraphGetNodes": NODE}
        if name in results:
            arguments[1 if name == "cuGraphGetNodes" else 0]._obj.value = results[name]
        if name == "cuGraphConditionalHandleCreate":
            arguments[0]._obj.value = HANDLE
        if name == "cuGraphAddNode":
            node = arguments[4]._obj
            assert (node.kind, node.conditional.kind, node.conditional.size) == (13, 1, 1)
            assert (node.conditional.handle, arguments[2]._obj.value) == (HANDLE, NODE)
            node.conditional.graphs = ctypes.cast(self.bodies, ctypes.POINTER(ctypes.c_void_p))
        if name == "cuStreamBeginCaptureToGraph":
            self.calls[-1] += f" {arguments[1].value:#x}"
        return 0


def make_cupy(launches: list[Any], *, refuses: bool = False) -> Any:
    """What graphs.py asks of CuPy."""

    current: list[Any] = []

    class Stream:
        def __init__(self, ptr: int = 77, non_blocking: bool = True) -> None:
            assert non_blocking
            self.ptr = ptr

        def __enter__(self) -> None:
            current.append(self)

        def __exit__(self, *_: object) -> None:
            current.pop()

        def record(self) -> str:
            return f"the end on {self.ptr}"

        def wait_event(self, event: str) -> None:
            launches.append(("waits", self.ptr, event))

    def allocate(size: int) -> bytearray:
        launches.append(("allocates", current[-1].ptr))
        return bytearray(size)

    @contextmanager
    def use_allocator(chosen: Any) -> Any:
        chosen(8)
        yield

    class Module:
        def load(self, text: bytes) -> None:
            assert b"cudaGraphSetConditional" in text
            if refuses:
                raise RuntimeError("CUDA_ERROR_UNSUPPORTED_PTX_VERSION")

        def get_function(self, name: str) -> Any:
            return lambda grid, block, arguments: launches.append((name, int(arguments[0])))

    current.append(Stream(5))
    cuda = SimpleNamespace(
        driver=SimpleNamespace(CUDADriverError=RuntimeError),
        get_allocator=lambda: allocate,
        using_allocator=use_allocator,
        Stream=Stream,
        function=SimpleNamespace(Module=Module),
        runtime=SimpleNamespace(getDevice=lambda: 0),
        get_current_stream=lambda: current[-1],
    )
    return type("FakeCupy", (), {"cuda": cuda})


@pytest.fixture(autouse=True)
def fresh() -> None:
    graphs.load_setter.cache_clear()


def test_structs_have_the_sizes_of_the_driver() -> None:
    assert (ctypes.sizeof(NodeParameters), ctypes.sizeof(Conditional)) == (256, 32)
    assert (NodeParameters.conditional.offset, Conditional.graphs.offset, Conditional.context.offset) == (16, 16, 24)


def test_a_round_is_recorded_between_two_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    library, launches = FakeLibrary(), list[Any]()
    monkeypatch.setattr(graphs, "load_driver", lambda: Driver(library))
    how, graph = graphs.repeat(make_cupy(launches), lambda: launches.append("round"), np.ones(1, "uint64"), 9, True)
    assert how == "one CUDA graph"
    assert [each for each in launches if each[0] != "allocates"] == [
        ("set_condition", HANDLE), "round", ("set_condition", HANDLE),
    ]  # fmt: skip
    assert library.calls == [
        "cuCtxGetCurrent", "cuGraphCreate", "cuGraphConditionalHandleCreate",
        f"cuStreamBeginCaptureToGraph {GRAPH:#x}", "cuStreamEndCapture", "cuGraphGetNodes", "cuGraphAddNode",
        f"cuStreamBeginCaptureToGraph {BODY:#x}", "cuStreamEndCapture", "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",
    ]  # fmt: skip
    assert graph is not None
    before = len(launches)
    graph.run()
    assert (library.calls[-1], launches[before:]) == ("cuGraphLaunch", []), "the host does not wait"
    del graph
    assert library.calls[-2:] == ["cuGraphExecDestroy", "cuGraphDestroy"]


@pytest.mark.parametrize(
    "given",
    [{"fails": "cuGraphAddNode"}, {"fails": "cuGraphInstantiateWithFlags"}, {"fails": "cuStreamEndCapture"},
     {"lacks": "cuGraphConditionalHandleCreate"}, {"lacks": "cuStreamBeginCaptureToGraph"}],
)  # fmt: skip
def test_without_conditional_nodes_the_host_asks(given: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    library, launches, goes_on = FakeLibrary(**given), list[Any](), np.ones(1, "uint64")
    monkeypatch.setattr(graphs, "load_driver", lambda: Driver(library))
    rounds: list[int] = []

    def run_round() -> None:
        if "cuStreamEndCapture" in library.calls or "cuGraphDestroy" in library.calls:
            rounds.append(1)
            goes_on[0] = len(rounds) < 4

    how, _ = graphs.repeat(make_cupy(launches), run_round, goes_on, 9, True)
    assert how.startswith("the launches of a round, after which the host reads whether another follows: ")
    assert ("driver 12.3 or newer" in how) == ("lacks" in given)
    assert next(iter(given.values())) in how
    assert goes_on[0] == 0
    created = "cuGraphCreate" in library.calls
    assert library.calls.count("cuGraphDestroy") == created


def test_a_text_that_does_not_load_is_said() -> None:
    with pytest.raises(GraphError, match=r"set_condition\.ptx: CUDA_ERROR_UNSUPPORTED_PTX_VERSION"):
        LoopGraph(make_cupy([], refuses=True), Driver(FakeLibrary()), lambda: None, np.ones(1, "uint64"))


def test_an_error_in_the_round_ends_the_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    library = FakeLibrary()

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        LoopGraph(make_cupy([]), Driver(library), fail, np.ones(1, "uint64"))
    assert library.calls[-3:] == [f"cuStreamBeginCaptureToGraph {BODY:#x}", "cuStreamEndCapture", "cuGraphDestroy"]


def test_blocks_go_back_to_the_stream_that_launches() -> None:
    """What that stream does with them comes after the launch; one of another stream is waited for."""
    launches = list[Any]()
    xp, word = make_cupy(launches), np.ones(1, "uint64")
    for stream, waits in ((xp.cuda.get_current_stream(), []), (xp.cuda.Stream(9), [("waits", 5, "the end on 9")])):
        launches.clear()
        graph = LoopGraph(xp, Driver(FakeLibrary()), lambda: None, word)
        with stream:
            graph.run()
        graph.close()
        graph.close()
        assert [each for each in launches if each[0] == "allocates"] == [("allocates", 5)] * 2
        assert [each for each in launches if each[0] == "waits"] == waits


def test_few_rounds_of_a_number_are_launched_one_by_one() -> None:
    rounds: list[int] = []
    how, graph = graphs.repeat(None, lambda: rounds.append(1), np.ones(1, "uint64"), 3, False)
    assert (how, len(rounds), graph) == ("the launches of a round, repeated", 3, None)


def test_a_machine_without_a_driver_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "LIBRARIES", ("libnothing.so",))
    graphs.load_driver.cache_clear()
    with pytest.raises(GraphError, match="does not load"):
        graphs.load_driver()
    graphs.load_driver.cache_clear()
