"""Every kernel compiles for every architecture we name, and hot ones keep to their registers."""

import functools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from graphla.engine.cuda.source import unit
from tests.instances import Instance, list_instances, list_kernel_files
from tests.nvrtc import ARCHITECTURES, MEASURED, NvrtcError, compile_kernel, load_library

pytestmark = pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")

FILES = list_kernel_files()
COVERING = [i for file in FILES for i in list_instances(file)]
EVERYTHING = [i for file in FILES for i in list_instances(file, everything=True)]

SPILLING = """
// Sixty-four values live at once in threads of 40 registers, of which an SM of each architecture holds 1,536.
__global__ void __launch_bounds__(768, 2) crowded(const float* a, float* out, int n) {
  float x[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = a[i * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; ++i) out[i * n + threadIdx.x] = x[i] * x[(i * 7 + 1) % 64];
}
__global__ void roomy(const float* a, float* out) { out[threadIdx.x] = 2 * a[threadIdx.x]; }
"""


@functools.cache
def asks_for_the_architecture(file: Path) -> bool:
    return bool(re.search(r"__CUDA_ARCH__ *[<>=]", unit(file)))


def list_architectures(instance: Instance) -> tuple[str, ...]:
    """Where an instance has something to show: the oldest, some where it is hot, and all if its text tells them apart.

    What is right for the oldest is right for those after it (PTX, "target architectures"); registers differ.
    """
    if asks_for_the_architecture(instance.file):
        return ARCHITECTURES
    return tuple(name for name in ARCHITECTURES if name == ARCHITECTURES[0] or name in instance.hot)


@functools.cache
def gather_by_text(architecture: str) -> dict[str, list[str]]:
    """The kernels that are compiled for an architecture, by the text that they are compiled from."""
    found: dict[str, list[str]] = {}
    for instance in COVERING:
        if architecture in list_architectures(instance):
            found.setdefault(instance.text, []).append(instance.concrete)
    return found


def check(instance: Instance, architecture: str) -> None:
    beside = gather_by_text(architecture).get(instance.text, [])
    try:
        compiled = compile_kernel(instance.text, instance.concrete, architecture, beside=tuple(beside))
    except NvrtcError as error:
        pytest.fail(f"{instance} on {architecture}: {error}", pytrace=False)
    if architecture in instance.hot:
        used = f"{instance} on {architecture}: {compiled.registers} registers"
        assert not compiled.spills, f"{used}, spills {compiled.spill_stores} + {compiled.spill_loads} bytes"
        assert compiled.stack == 0, f"{used}, {compiled.stack} bytes of local memory"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_kernel_file_says_what_is_compiled(file: Path) -> None:
    assert list_instances(file), f"{file} has a __global__ and no `// compiled:` line; see kernels/primitives.cuh"


@pytest.mark.parametrize(
    ("instance", "architecture"), [(i, name) for i in COVERING for name in list_architectures(i)], ids=str
)
def test_kernel_compiles(instance: Instance, architecture: str) -> None:
    check(instance, architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("instance", EVERYTHING, ids=str)
def test_every_combination_compiles(instance: Instance, architecture: str) -> None:
    check(instance, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_spill_is_seen(architecture: str) -> None:
    crowded = compile_kernel(SPILLING, "crowded", architecture)
    assert crowded.spills
    assert crowded.stack > 0
    assert crowded.registers <= 40


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_no_spill_is_seen_where_there_is_none(architecture: str) -> None:
    roomy = compile_kernel(SPILLING, "roomy", architecture)
    assert (roomy.spills, roomy.stack) == (False, 0)
    assert 0 < roomy.registers < 32


def test_a_newer_architecture_is_asked_where_it_may_differ(tmp_path: Path) -> None:
    file = tmp_path / "some.cuh"
    file.write_text("// compiled: f<int>\n// compiled: g<int>; hot\n// compiled: h<int>; hot on sm_121\n")
    oldest, newest = ARCHITECTURES[0], ARCHITECTURES[-1]
    wanted = [(oldest,), MEASURED, (oldest, newest)]
    assert [list_architectures(i) for i in list_instances(file)] == wanted
    other = tmp_path / "other.cuh"
    other.write_text("// compiled: f<int>\n#if __CUDA_ARCH__ >= 1000\n#endif\n")
    assert [list_architectures(i) for i in list_instances(other)] == [ARCHITECTURES]
    assert {name for i in COVERING for name in list_architectures(i)} == {*ARCHITECTURES}


def test_kernels_of_one_text_cost_what_they_cost_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = ("crowded", "roomy")
    monkeypatch.setenv("GRAPHLA_NVRTC_CACHE", str(tmp_path / "alone"))
    alone = [compile_kernel(SPILLING, name) for name in names]
    monkeypatch.setenv("GRAPHLA_NVRTC_CACHE", str(tmp_path / "together"))
    together = [compile_kernel(SPILLING, name, beside=names) for name in names]
    assert [replace(costs, size=0) for costs in alone] == [replace(costs, size=0) for costs in together]
    assert len(list((tmp_path / "together").iterdir())) == 2
    assert together[0].size == together[1].size


def test_an_error_is_that_of_the_kernel_which_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPHLA_NVRTC_CACHE", str(tmp_path))
    text = SPILLING + "template <class T> __global__ void wrong(T* x) { x->none(); }"
    assert compile_kernel(text, "roomy", beside=("roomy", "wrong<int>")).registers > 0
    with pytest.raises(NvrtcError, match=r"none|class"):
        compile_kernel(text, "wrong<int>", beside=("roomy", "wrong<int>"))


def test_an_error_names_its_line() -> None:
    with pytest.raises(NvrtcError, match=r"scale\.cuh\(2\): error: identifier \"factor\" is undefined"):
        compile_kernel('#line 1 "scale.cuh"\n__global__ void scale(float* x) {\n *x *= factor; }', "scale")


def test_choices_are_covered_and_crossed(tmp_path: Path) -> None:
    file = tmp_path / "some.cuh"
    file.write_text(
        "// compiled: f<S, I> with S = min_plus FP32 | any_pair BOOL | plus_times INT8; I = int | long long; hot\n"
    )
    covering = [tuple(i.choices.values()) for i in list_instances(file)]
    assert covering == [("min_plus FP32", "int"), ("any_pair BOOL", "long long"), ("plus_times INT8", "int")]
    assert len(list_instances(file, everything=True)) == 6
    assert [i.concrete for i in list_instances(file)] == ["f<S, int>", "f<S, long long>", "f<S, int>"]
    assert "struct S {" in list_instances(file)[0].text
    assert all(i.hot == MEASURED for i in list_instances(file))


@pytest.mark.parametrize(
    ("said", "hot"), [("", ()), ("; hot", MEASURED), ("; hot on sm_90 sm_100", ("sm_90", "sm_100"))]
)
def test_hot_may_name_its_architectures(tmp_path: Path, said: str, hot: tuple[str, ...]) -> None:
    file = tmp_path / "some.cuh"
    file.write_text(f"// compiled: f<int>{said}\n")
    assert [(i.concrete, i.hot) for i in list_instances(file)] == [("f<int>", hot)]


def test_a_wrapped_line_is_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "some.cuh"
    file.write_text(
        "// Adds.\n//\n// compiled: f<S, I> with S = min_plus FP32 | any_pair BOOL |\n//   plus_times INT8;\n"
        "//   I = int | long long; hot\n// compiled: g\n#pragma once\n//   none of it\n"
    )
    f, last = list_instances(file)[2:]
    assert (f.choices, f.hot, f.concrete) == ({"S": "plus_times INT8", "I": "int"}, MEASURED, "f<S, int>")
    assert (last.concrete, last.choices) == ("g", {})


def test_a_misspelt_part_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.cuh"
    file.write_text("// compiled: f<I> with I = int; hott\n")
    with pytest.raises(ValueError, match="hott"):
        list_instances(file)
