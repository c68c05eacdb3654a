"""What the CUDA engine does where a device has no more memory, and where operands lie on two devices."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import NotSupported, OutOfMemory
from graphla.engine.cuda.device import HostDevice
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import load

pytestmark = pytest.mark.emulated


class OutOfMemoryError(MemoryError):
    """What CuPy raises."""


class Block(np.ndarray):
    """An array that can be watched."""


class SmallDevice:
    """NumPy, until it has given out so many arrays."""

    def __init__(self, gives: int) -> None:
        self.gives = gives
        self.given: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def empty(self, *shape_and_dtype: Any) -> Any:
        if self.gives == 0:
            raise OutOfMemoryError("Out of memory allocating 4,096 bytes")
        self.gives -= 1
        made = np.empty(*shape_and_dtype).view(Block)
        self.given.append(weakref.ref(made))
        return made


class Pool(HostDevice):
    """A host whose pool is counted."""

    def __init__(self, xp: Any) -> None:
        super().__init__(xp)
        self.freed: list[int] = []

    def free_pool(self) -> None:
        gc.collect()
        self.freed.append(sum(ref() is not None for ref in self.xp.given))


def make_operands(engine: Any) -> tuple[gl.Matrix, gl.Vector]:
    A = gl.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0], engine=engine)
    return A, gl.Vector.from_coo([1], [5.0], size=3, engine=engine)


def test_a_copy_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CudaEngine(np, load)
    A, _ = make_operands(engine)

    def refuse(plan: object) -> None:
        raise MemoryError("Out of memory allocating 512 bytes.")

    monkeypatch.setattr(engine, "run", refuse)
    with pytest.raises(OutOfMemory, match=r"needs about 48 bytes beyond its operands: .* 512 bytes; [\d,]+ bytes are"):
        A.dup("FP32")


def test_out_of_memory_frees_the_pool_and_the_process_goes_on() -> None:
    engine = CudaEngine(np, load)
    A, v = make_operands(engine)
    expression = gl.semiring.plus_times(A @ v)
    engine.spare["left by a push"] = object()
    engine.xp = SmallDevice(2)
    engine.device = Pool(engine.xp)
    w = gl.Vector("FP64", 3, engine=engine)
    needs = r"needs about [\d,]+ bytes beyond its operands: Out of memory allocating 4,096 bytes; [\d,]+ bytes are free"
    with pytest.raises(OutOfMemory, match=needs):
        w(direction="push") << expression
    assert len(engine.xp.given) == 2
    assert engine.device.freed == [0], "the pool was freed once, and nothing held on to its blocks"
    assert engine.spare == {}
    engine.xp.gives = 100
    w(direction="push") << expression
    assert w.to_dict() == {0: 5.0}


class Full:
    """NumPy, where one function finds no memory."""

    def __init__(self, function: str) -> None:
        self.function = function

    def __getattr__(self, name: str) -> Any:
        if name == self.function:
            raise OutOfMemoryError("Out of memory allocating 4,096 bytes")
        return getattr(np, name)


WAYS_IN = {
    "Matrix.from_coo": ("searchsorted", lambda engine: gl.Matrix.from_coo([0], [1], [2.0], engine=engine)),
    "Matrix.from_csr": ("asarray", lambda engine: gl.Matrix.from_csr([0, 1], [0], [2.0], engine=engine)),
    "Matrix.from_dense": ("asarray", lambda engine: gl.Matrix.from_dense([[1.0]], engine=engine)),
    "Vector.from_scalar": ("empty", lambda engine: gl.Vector.from_scalar(1, 5, engine=engine)),
}


@pytest.mark.parametrize("name", WAYS_IN)
def test_a_container_that_finds_no_memory_is_refused(name: str) -> None:
    engine = CudaEngine(np, load)
    function, make = WAYS_IN[name]
    engine.spare["left by a push"] = object()
    engine.xp = Full(function)
    with pytest.raises(OutOfMemory, match=rf"{name}: Out of memory allocating 4,096 bytes; [\d,]+ bytes are free now"):
        make(engine)
    assert engine.spare == {}
    engine.xp = np
    assert make(engine).nvals


@pytest.mark.parametrize(
    ("what", "make"),
    [
        ("Matrix.from_coo", lambda engine: gl.Graph(([0, 1], [1, 2]), n=3, engine=engine)),
        ("generate.path", lambda engine: gl.generate.path(9, engine=engine)),
    ],
)
def test_a_graph_that_finds_no_memory_is_refused(what: str, make: Any) -> None:
    engine = CudaEngine(np, load)
    engine.xp = Full("arange" if what == "generate.path" else "searchsorted")
    with pytest.raises(OutOfMemory, match=rf"{what}: Out of memory allocating 4,096 bytes"):
        make(engine)
    engine.xp = np
    assert make(engine).n


def test_a_vector_that_finds_no_memory_on_another_engine_is_refused() -> None:
    engine = CudaEngine(np, load)
    v = gl.Vector.from_coo([1], [5.0], size=3, engine="cpu")
    engine.xp = Full("asarray")
    with pytest.raises(OutOfMemory, match=r"Vector\.to: Out of memory allocating"):
        v.to(engine)


def test_a_method_that_finds_no_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CudaEngine(np, load)
    G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=3, engine=engine)
    engine.spare["left by a push"] = object()
    assert gl.bfs(G, 0, method="frontier").to_dict() == {0: 0, 1: 1, 2: 2}
    engine.xp = Full("empty")
    with pytest.raises(OutOfMemory, match="bfs frontier: Out of memory allocating 4,096 bytes"):
        gl.bfs(G, 0, method="frontier")
    assert engine.spare == {}
    engine.xp = np
    assert gl.bfs(G, 0, method="frontier").to_dict() == {0: 0, 1: 1, 2: 2}


class Two(HostDevice):
    """A host that plays two GPUs: what is in `elsewhere` lies on number 1."""

    def __init__(self, xp: Any) -> None:
        super().__init__(xp)
        self.elsewhere: set[int] = set()
        self.on_host: set[int] = set()
        self.current = 0

    def number(self) -> int:
        return self.current

    def count(self) -> int:
        return 2

    def of(self, array: Any) -> int | None:
        return None if id(array) in self.on_host else int(id(array) in self.elsewhere)


@pytest.fixture
def two() -> Any:
    engine = CudaEngine(np, load)
    engine.device = Two(np)
    return engine


def test_operands_of_one_device_are_computed_with(two: Any) -> None:
    A, v = make_operands(two)
    assert gl.semiring.plus_times(A @ v).new().to_dict() == {0: 5.0}


def test_a_loop_takes_positions_of_the_host(two: Any) -> None:
    places, x, y = np.array([2, 0, 1]), *(gl.Vector.from_dense([1, 2, 3], engine=two) for _ in range(2))
    two.device.on_host = {id(places)}
    assert gl.loop(lambda _: x[places] << y, times=1).plan == "rounds on the host"
    assert x.to_dense().tolist() == [2, 3, 1]


@pytest.mark.parametrize("part", ["operand", "mask", "target"])
def test_operands_of_two_devices_are_refused(two: Any, part: str) -> None:
    A, v = make_operands(two)
    mask, w = v.dup(), v.dup()
    away = {"operand": v, "mask": mask, "target": w}[part]
    two.device.elsewhere = {id(away._storage.values)}
    with pytest.raises(NotSupported, match=r"live on CUDA devices 0 and 1: move one, as in .*Device\(0\)"):
        w(mask.V) << gl.semiring.plus_times(A @ v)


def test_another_device_than_the_current_one_is_refused(two: Any) -> None:
    _, v = make_operands(two)
    two.device.elsewhere = {id(array) for array in (v._storage.values, v._storage.present)}
    with pytest.raises(NotSupported, match="live on CUDA device 1 and device 0 is current"):
        v.dup()


def test_each_device_has_work_space_of_its_own(two: Any) -> None:
    counter, unread = two.device.take_counter(), two.get_unread("bool")
    two.device.read_counters(counter)
    two.device.current = 1
    assert two.device.take_counter() is not counter
    assert two.get_unread("bool") is not unread
    two.device.current = 0
    assert two.device.take_counter() is counter
    assert two.get_unread("bool") is unread
