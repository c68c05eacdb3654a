"""Structs of parameters: read from the kernel's text, matched with records by name, packed as C++ lays them out."""

from __future__ import annotations

import ctypes
import gc
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.device import Device
from graphla.engine.cuda.launch import KernelError
from graphla.engine.cuda.parameters import StructKernel, check_record, list_members
from graphla.storage import Array
from tests.emulator import EmulatorError, load

TEXT = """
using Wide = unsigned long long;
constexpr int FEW = 2, MANY = 3;
template <class T>
struct MixedParameters {
  bool flag;  // one byte, then seven that nobody reads
  const Wide* numbers;
  T scale;
  short small;
  unsigned char* rows[MANY];
  Wide bits[FEW];
  double* out;
};
template <class T>
__global__ void mixed(const __grid_constant__ MixedParameters<T> given) {
  if (threadIdx.x != 0) return;
  given.out[0] = given.flag ? 1 : 0;
  given.out[1] = static_cast<double>(given.numbers[1]);
  given.out[2] = static_cast<double>(given.scale);
  given.out[3] = given.small;
  for (int k = 0; k < MANY; ++k) given.out[4 + k] = given.rows[k][0];
  for (int k = 0; k < FEW; ++k) given.out[7 + k] = static_cast<double>(given.bits[k]);
}
"""


class MixedParameters(NamedTuple):
    """In another order than the struct."""

    out: Array
    scale: np.generic
    numbers: Array
    rows: tuple[Array, ...]
    bits: tuple[int, ...]
    flag: bool
    small: int


@pytest.fixture
def engine(tmp_path: Any) -> Any:
    file = tmp_path / "mixed.cuh"
    file.write_text(TEXT)
    made = KernelEngine(np, load)
    return SimpleNamespace(kernel=lambda takes, name="mixed<float>": made.kernel(file, name, takes=takes))


def record(**changes: Any) -> MixedParameters:
    given = {
        "flag": True,
        "numbers": np.array([3, 2**40], "uint64"),
        "scale": np.float32(0.5),
        "small": -7,
        "rows": tuple(np.array([k], "uint8") for k in (11, 12, 13)),
        "bits": (21, np.uint64(22)),
        "out": np.zeros(9),
    }
    return MixedParameters(**{**given, **changes})


@pytest.mark.emulated
@pytest.mark.parametrize(
    ("type_", "scale"), [("float", np.float32(0.5)), ("long long", np.int64(2**33)), ("bool", np.True_)]
)
def test_each_member_arrives(engine: Any, type_: str, scale: Any) -> None:
    given = record(scale=scale)
    engine.kernel(MixedParameters, f"mixed<{type_}>")(1, 32, given)
    assert given.out.tolist() == [1, 2**40, float(scale), -7, 11, 12, 13, 21, 22]


@pytest.mark.emulated
def test_launches_that_share_members_change_the_arrays_that_they_name(engine: Any) -> None:
    bound = engine.kernel(MixedParameters).bind(record(), "out", "numbers")
    for value in (5, 6):
        out, numbers = np.zeros(9), np.array([0, value], "uint64")
        bound(1, 32, (out, numbers))
        assert out[:4].tolist() == [1, value, 0.5, -7]


@pytest.mark.emulated
def test_an_access_beyond_an_array_names_the_member(engine: Any) -> None:
    with pytest.raises(EmulatorError, match=r"of an array of 8 bytes \(numbers\)"):
        engine.kernel(MixedParameters)(1, 32, record(numbers=np.zeros(1, "uint64")))


@pytest.mark.emulated
def test_a_struct_of_another_size_is_refused(engine: Any) -> None:
    with pytest.raises(EmulatorError, match="a struct of 72 bytes, where the kernel takes 80 bytes"):
        engine.kernel(MixedParameters, "mixed<double>")(1, 32, record(scale=np.float32(1)))


EITHER = """
#include "headers/primitives/complex.cuh"
template <class T>
struct EitherParameters {
  int few;
  T given;
  double* out;
};
template <class T>
__global__ void either(const __grid_constant__ EitherParameters<T> given) {
  if constexpr (is_same<T, const float*>) given.out[0] = given.given[given.few];
  else given.out[0] = given.given.re;
}
"""


class EitherParameters(NamedTuple):
    """A member that is a pointer or a complex number, as the template says."""

    few: int
    given: Any
    out: Array


@pytest.mark.emulated
@pytest.mark.parametrize(
    ("type_", "given", "wanted"),
    [
        ("const float*", np.array([1, 2.5], "float32"), 2.5),
        ("Complex<float>", np.complex64(3.5 - 1j), 3.5),
        ("Complex<double>", np.complex128(4.5 + 1j), 4.5),
    ],
)
def test_a_template_says_whether_a_member_is_an_array(tmp_path: Any, type_: str, given: Any, wanted: float) -> None:
    file, out = tmp_path / "either.cuh", np.zeros(1)
    file.write_text(EITHER)
    kernel = KernelEngine(np, load).kernel(file, f"either<{type_}>", takes=EitherParameters)
    for _ in range(2):
        kernel(1, 32, EitherParameters(few=1, given=given, out=out))
    assert out.tolist() == [wanted]


FIELDS = dict(MixedParameters.__annotations__)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({k: v for k, v in FIELDS.items() if k != "small"}, "the record has no small"),
        ({**FIELDS, "smell": "int"}, "the struct has no smell"),
        ({**FIELDS, "small": "Array"}, "MixedParameters.small is a value, not 'Array'"),
        ({**FIELDS, "out": "int"}, "MixedParameters.out is a pointer, not 'int'"),
        ({**FIELDS, "rows": "Array"}, "MixedParameters.rows is a pointer, 3 of them, not 'Array'"),
    ],
)
def test_a_record_that_differs_is_refused_before_anything_is_compiled(
    engine: Any, fields: dict[str, Any], message: str
) -> None:
    takes = SimpleNamespace(__name__="MixedParameters", __annotations__=fields)
    with pytest.raises(KernelError, match=message):
        engine.kernel(takes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct Other {\n  int n;\n};", "its text has no `struct P`"),
        ("struct P {\n  int n, m;\n};", "'int n, m;' is not one"),
        ("struct P {\n  int f() const;\n};", "is not one"),
        ("struct P {\n  int n[MOST];\n};", "MOST is no `constexpr int`"),
    ],
)
def test_a_struct_that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(KernelError, match=message):
        list_members(text, "P", "f")


NESTED = """
template <class T>
struct InnerParameters {
  unsigned char few;
  T scale;
  const double* values;
  short places[2];
  bool last;
};
template <class T>
struct OuterParameters {
  short before;
  InnerParameters<T> inner;
  unsigned char after;
  double* out;
};
template <class T>
__global__ void nested(const __grid_constant__ OuterParameters<T> given) {
  if (threadIdx.x != 0) return;
  const InnerParameters<T>& inner = given.inner;
  const double seen[] = {static_cast<double>(given.before), static_cast<double>(inner.few),
                         static_cast<double>(inner.scale), inner.values[1], static_cast<double>(inner.places[0]),
                         static_cast<double>(inner.places[1]), static_cast<double>(inner.last),
                         static_cast<double>(given.after)};
  for (int k = 0; k < 8; ++k) given.out[k] = seen[k];
}
"""


class InnerParameters(NamedTuple):
    """The struct within."""

    few: int
    scale: Any
    values: Array
    places: tuple[int, ...]
    last: bool


class OuterParameters(NamedTuple):
    """The struct that the kernel takes."""

    inner: InnerParameters
    before: int
    after: int
    out: Array


def launch_nested(folder: Any, kind: str, scale: Any, values: np.ndarray) -> list[float]:
    file, out = folder / "nested.cuh", np.zeros(8)
    file.write_text(NESTED)
    inner = InnerParameters(few=200, scale=scale, values=values, places=(-3, 4), last=True)
    kernel = KernelEngine(np, load).kernel(file, f"nested<{kind}>", takes=OuterParameters)
    kernel(1, 32, OuterParameters(inner=inner, before=-5, after=201, out=out))
    return out.tolist()


@pytest.mark.emulated
@pytest.mark.parametrize(
    ("kind", "scale"), [("float", np.float32(0.5)), ("short", np.int16(9)), ("double", np.float64(2))]
)
def test_members_of_a_struct_within_arrive(tmp_path: Any, kind: str, scale: Any) -> None:
    found = launch_nested(tmp_path, kind, scale, np.array([0, 1.5]))
    assert found == [-5, 200, float(scale), 1.5, -3, 4, 1, 201]


@pytest.mark.emulated
def test_an_access_beyond_an_array_of_a_struct_within_names_the_member(tmp_path: Any) -> None:
    with pytest.raises(EmulatorError, match=r"\(inner.values\)"):
        launch_nested(tmp_path, "float", np.float32(1), np.zeros(1))


def test_a_struct_within_that_differs_is_refused() -> None:
    members = list_members(NESTED.replace("unsigned char few", "unsigned char many"), "OuterParameters", "f")
    with pytest.raises(KernelError, match=r"the record has no inner\.many; the struct has no inner\.few"):
        check_record(OuterParameters, members, "f")


def test_a_third_struct_within_is_refused() -> None:
    text = NESTED.replace("unsigned char few;", "DeepParameters few;") + "struct DeepParameters {\n  int n;\n};"
    with pytest.raises(KernelError, match="holds a struct that holds another, few; one may"):
        list_members(text, "OuterParameters", "f")


def test_a_member_of_a_template_needs_a_scalar_of_numpy() -> None:
    members = list_members(TEXT, "MixedParameters", "mixed<float>")
    kernel = StructKernel(SimpleNamespace(resident_blocks=None), Device, members)
    with pytest.raises(KernelError, match="scale is of the template's type T: give a NumPy scalar, not int"):
        kernel.get_packing(record(scale=1))


class CPointer:
    """CuPy's: an address, and no wrapper around it."""

    def __init__(self, address: int) -> None:
        self.address = address


class OnDevice:
    """An array of CuPy, as far as a launch looks."""

    def __init__(self, address: int) -> None:
        self.data = SimpleNamespace(ptr=address)


def gpu() -> Device:
    runtime = SimpleNamespace(getDeviceCount=lambda: 1)
    return Device(SimpleNamespace(cuda=SimpleNamespace(runtime=runtime, function=SimpleNamespace(CPointer=CPointer))))


class Launched:
    """A kernel that keeps the bytes of the struct at the time of each launch, as a GPU does."""

    resident_blocks = None

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def __call__(self, grid: Any, block: Any, args: tuple[Any, ...], shared: int) -> None:
        gc.collect()
        self.seen.append(ctypes.string_at(args[0].address, 72))


def test_a_gpu_gets_the_address_of_the_bytes() -> None:
    launched = Launched()
    members = list_members(TEXT, "MixedParameters", "mixed<float>")
    check_record(MixedParameters, members, "mixed<float>")
    rows = tuple(map(OnDevice, (11, 12, 13)))
    given = record(numbers=OnDevice(10), rows=rows, out=OnDevice(14))
    kernel = StructKernel(launched, gpu(), members)
    kernel(1, 32, given)
    kernel(1, 32, given._replace(out=OnDevice(99)))
    kernel.bind(given, "out", "numbers")(1, 32, (OnDevice(7), OnDevice(8)))
    form = np.dtype(
        {
            "names": ["flag", "numbers", "scale", "small", "rows", "bits", "out"],
            "formats": ["?", "u8", "f4", "i2", "3u8", "2u8", "u8"],
        },
        align=True,
    )
    first, second, third = (np.frombuffer(one, form)[0] for one in launched.seen)
    assert form.itemsize == 72
    assert [np.asarray(first[name]).tolist() for name in form.names or ()] == [
        True,
        10,
        0.5,
        -7,
        [11, 12, 13],
        [21, 22],
        14,
    ]
    assert (second["out"], second["numbers"]) == (99, 10)
    assert (third["out"], third["numbers"], third["small"]) == (7, 8, -7)
