"""Every kernel compiles for every architecture we name, and hot ones keep to their registers."""

from pathlib import Path

import pytest

from tests.instances import Instance, list_instances, list_kernel_files
from tests.nvrtc import ARCHITECTURES, NvrtcError, compile_kernel, load_library

pytestmark = pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")

FILES = list_kernel_files()
COVERING = [i for file in FILES for i in list_instances(file)]
EVERYTHING = [i for file in FILES for i in list_instances(file, everything=True)]

SPILLING = """
// Sixty-four values live at once in threads of 32 registers.
__global__ void __launch_bounds__(1024, 2) crowded(const float* a, float* out, int n) {
  float x[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = a[i * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; ++i) out[i * n + threadIdx.x] = x[i] * x[(i * 7 + 1) % 64];
}
__global__ void roomy(const float* a, float* out) { out[threadIdx.x] = 2 * a[threadIdx.x]; }
"""


def check(instance: Instance, architecture: str) -> None:
    try:
        compiled = compile_kernel(instance.text, instance.concrete, architecture)
    except NvrtcError as error:
        pytest.fail(f"{instance} on {architecture}: {error}", pytrace=False)
    if architecture in instance.hot:
        used = f"{instance} on {architecture}: {compiled.registers} registers"
        assert not compiled.spills, f"{used}, spills {compiled.spill_stores} + {compiled.spill_loads} bytes"
        assert compiled.stack == 0, f"{used}, {compiled.stack} bytes of local memory"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_kernel_file_says_what_is_compiled(file: Path) -> None:
    assert list_instances(file), f"{file} has a __global__ and no `// compiled:` line; see kernels/primitives.cuh"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("instance", COVERING, ids=str)
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
    assert crowded.registers <= 32


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_no_spill_is_seen_where_there_is_none(architecture: str) -> None:
    roomy = compile_kernel(SPILLING, "roomy", architecture)
    assert (roomy.spills, roomy.stack) == (False, 0)
    assert 0 < roomy.registers < 32


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
    assert all(i.hot == ARCHITECTURES for i in list_instances(file))


@pytest.mark.parametrize(
    ("said", "hot"), [("", ()), ("; hot", ARCHITECTURES), ("; hot on sm_90 sm_100", ("sm_90", "sm_100"))]
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
    assert (f.choices, f.hot, f.concrete) == ({"S": "plus_times INT8", "I": "int"}, ARCHITECTURES, "f<S, int>")
    assert (last.concrete, last.choices) == ("g", {})


def test_a_misspelt_part_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.cuh"
    file.write_text("// compiled: f<I> with I = int; hott\n")
    with pytest.raises(ValueError, match="hott"):
        list_instances(file)
