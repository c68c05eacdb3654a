"""A round of launches as a CUDA graph, repeated by the device: a conditional node asks after each round for the next.

CuPy captures launches and knows no conditional nodes, so these come from the driver (12.3 or newer) through `ctypes`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

LIBRARIES = ("libcuda.so.1", "nvcuda.dll")
CONDITIONAL_NODE, WHILE, ASSIGN_DEFAULT, RELAXED = 13, 1, 1, 2  # of the driver's header cuda.h
FEW_ROUNDS = 3
"""Rounds that are launched one by one: to make a graph takes as long as some ten launches."""
Pointer, Word, Size = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t


ONE_GRAPH = "one CUDA graph"
"""How the rounds of a graph ran, for the plan."""


class GraphError(Exception):
    """The driver refused a part of a graph; the message says which."""


class Conditional(ctypes.Structure):
    """CUDA_CONDITIONAL_NODE_PARAMS of cuda.h."""

    _fields_ = (
        ("handle", Word),
        ("kind", ctypes.c_int),
        ("size", ctypes.c_uint),
        ("graphs", ctypes.POINTER(Pointer)),
        ("context", Pointer),
    )


class NodeParameters(ctypes.Structure):
    """CUgraphNodeParams of cuda.h, of a conditional node."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("reserved", ctypes.c_int * 3),
        ("conditional", Conditional),
        ("rest", ctypes.c_byte * (256 - 16 - ctypes.sizeof(Conditional))),
    )


class Driver:
    """The functions of the CUDA driver, checked.

    Parameters
    ----------
    library : ctypes.CDLL
        The driver.
    """

    def __init__(self, library: Any) -> None:
        self.library = library

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function.

        Raises
        ------
        GraphError
            If the driver has no such function, or it returns an error.
        """
        function = getattr(self.library, name, None)
        if function is None:
            raise GraphError(f"the driver has no {name}: conditional nodes need driver 12.3 or newer")
        code = function(*arguments)
        if code:
            raise GraphError(f"{name} returned error {code} of the driver")


@cache
def load_driver() -> Driver:
    """The driver of this machine.

    Raises
    ------
    GraphError
        If there is none.
    """
    for name in LIBRARIES:
        try:
            return Driver(ctypes.CDLL(name))
        except OSError:
            continue
    raise GraphError("the CUDA driver's library does not load")


@cache
def load_setter(xp: Any, device: int) -> Any:
    """The kernel that tells a conditional node whether to go on, on a device; what the driver compiles of its text."""
    module = xp.cuda.function.Module()
    try:
        module.load(files("graphla.engine.cuda").joinpath("set_condition.ptx").read_bytes() + b"\0")
    except xp.cuda.driver.CUDADriverError as error:
        raise GraphError(f"the driver does not load set_condition.ptx: {error}") from error
    return module, module.get_function("set_condition")


@contextmanager
def keep_allocations(xp: Any, home: Any) -> Iterator[list[Any]]:
    """Keep each array that is allocated meanwhile: a graph goes on using it after the array itself is gone.

    Each is allocated on stream `home`, to which the pool gives it again once it is free: what that stream does with it
    then comes after the launches of the graph.
    """
    kept: list[Any] = []
    allocate = xp.cuda.get_allocator()

    def keep(size: int) -> Any:
        with home:
            kept.append(allocate(size))
        return kept[-1]

    with xp.cuda.using_allocator(keep):
        yield kept


class LoopGraph:
    """A graph that launches a round as long as a word on the device is not zero.

    Attributes
    ----------
    how : str
        How its rounds run, for the plan.

    Parameters
    ----------
    xp : module
        CuPy.
    driver : Driver
        The driver.
    run_round : callable
        Launches a round on the current stream. Everything that it compiles or caches is there already.
    goes_on : array
        The word, of eight bytes, which the round changes.
    """

    how = ONE_GRAPH

    def __init__(self, xp: Any, driver: Driver, run_round: Callable[[], None], goes_on: Any) -> None:
        self.xp, self.driver = xp, driver
        self.graph, self.executable, self.kept = Pointer(), Pointer(), list[Any]()
        self.stream, self.home, self.abroad = xp.cuda.Stream(non_blocking=True), xp.cuda.get_current_stream(), None
        try:
            self.build(run_round, goes_on)
        except Exception:
            self.close()
            raise

    def build(self, run_round: Callable[[], None], goes_on: Any) -> None:
        """Ask, then repeat: the round, ask."""
        call, handle, context, first = self.driver.call, Word(), Pointer(), Pointer()
        call("cuCtxGetCurrent", ctypes.byref(context))
        call("cuGraphCreate", ctypes.byref(self.graph), ctypes.c_uint(0))
        flags = ctypes.c_uint(0), ctypes.c_uint(ASSIGN_DEFAULT)
        call("cuGraphConditionalHandleCreate", ctypes.byref(handle), self.graph, context, *flags)
        module, setter = load_setter(self.xp, self.xp.cuda.runtime.getDevice())

        def ask() -> None:
            setter((1,), (1,), (np.uint64(handle.value), goes_on))

        self.capture(self.graph, ask)
        call("cuGraphGetNodes", self.graph, ctypes.byref(first), ctypes.byref(Size(1)))
        parameters, node = NodeParameters(kind=CONDITIONAL_NODE), Pointer()
        parameters.conditional = Conditional(handle.value, WHILE, 1, None, context)
        before = ctypes.byref(first), Size(1)
        call("cuGraphAddNode", ctypes.byref(node), self.graph, *before, ctypes.byref(parameters))
        self.kept.append((module, goes_on))
        self.capture(Pointer(parameters.conditional.graphs[0]), lambda: (run_round(), ask()))
        call("cuGraphInstantiateWithFlags", ctypes.byref(self.executable), self.graph, Word(0))

    def capture(self, graph: Any, launch: Callable[[], Any]) -> None:
        """Record what `launch` launches into a graph."""
        stream, captured = Pointer(self.stream.ptr), Pointer()
        self.driver.call("cuStreamBeginCaptureToGraph", stream, graph, None, None, Size(0), ctypes.c_int(RELAXED))
        try:
            with self.stream, keep_allocations(self.xp, self.home) as kept:
                self.kept.append(kept)
                launch()
        finally:
            self.driver.call("cuStreamEndCapture", stream, ctypes.byref(captured))

    def run(self) -> None:
        """Run it on the current stream, which the host does not wait for."""
        stream = self.xp.cuda.get_current_stream()
        self.driver.call("cuGraphLaunch", self.executable, Pointer(stream.ptr))
        if stream.ptr != self.home.ptr:
            self.abroad = stream.record()

    def __del__(self) -> None:
        with suppress(Exception):  # the driver may be gone
            self.close()

    def close(self) -> None:
        """Free it; the driver does so after a launch that still runs, and what that uses stays with its stream."""
        if self.abroad is not None:
            self.home.wait_event(self.abroad)
        for name, held in (("cuGraphExecDestroy", self.executable), ("cuGraphDestroy", self.graph)):
            if held:
                self.driver.call(name, held)
        self.executable, self.graph, self.abroad = Pointer(), Pointer(), None
        self.kept.clear()


def repeat(
    xp: Any, run_round: Callable[[], None], goes_on: Any, rounds: int, conditional: bool
) -> tuple[str, LoopGraph | None]:
    """Run at most so many rounds while a word on the device is not zero; return how, for the plan, and the graph.

    Without a condition of the body (``conditional=False``) all rounds run, and the host only launches them. The graph
    can run again; it is freed when nothing refers to it.
    """
    if rounds <= FEW_ROUNDS and not conditional:
        for _ in range(rounds):
            run_round()
        return "the launches of a round, repeated", None
    try:
        graph = LoopGraph(xp, load_driver(), run_round, goes_on)
    except GraphError as why:
        ask_each_round(run_round, goes_on, rounds)
        return f"the launches of a round, after which the host reads whether another follows: {why}", None
    graph.run()
    return graph.how, graph


def ask_each_round(run_round: Callable[[], None], goes_on: Any, rounds: int) -> None:
    """Launch a round, and read whether another follows."""
    for _ in range(rounds):
        if not int(goes_on[0]):
            return
        run_round()
