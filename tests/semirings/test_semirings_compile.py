"""NVRTC compiles every shipped semiring on every type to machine code, on a machine without a GPU."""

import pytest
from host_program import render_struct
from rendered_cases import list_cases

from semirings import DomainError, cuda, semiring
from semirings.dtypes import REAL, DType
from tests.nvrtc import NvrtcError, compile_kernel, load_library

pytestmark = pytest.mark.skipif(load_library() is None, reason="needs the package nvidia-cuda-nvrtc")

DRIVER = """
template <class S>
__device__ void use(const void* a, const void* b, void* c, long long n) {
  typename S::C x = static_cast<const typename S::C*>(c)[n];
  if (S::has_terminal && S::is_terminal(x)) return;
  typename S::A left = static_cast<const typename S::A*>(a)[n];
  typename S::B right = static_cast<const typename S::B*>(b)[n];
  x = S::add(x, S::mul(left, right, n, n, n));
  static_cast<typename S::C*>(c)[n] = S::kind == 0 ? S::add(x, S::identity()) : x;
}
"""


def render_structs(dtype: DType) -> dict[str, str]:
    """The text of each semiring that has a meaning on a type."""
    texts: dict[str, str] = {}
    for s in semiring.values():
        try:
            texts[s.name] = cuda.render_semiring(s, dtype, dtype, struct=s.name)
        except DomainError:
            continue
    return texts


def write_unit(texts: dict[str, str]) -> str:
    calls = "\n".join(f"    case {n}: use<{name}>(a, b, c, n); break;" for n, name in enumerate(texts))
    kernel = "__global__ void every(const void* a, const void* b, void* c, long long n, int which) {\n"
    return "".join(texts.values()) + DRIVER + kernel + f"  switch (which) {{\n{calls}\n  }}\n}}\n"


@pytest.mark.parametrize("dtype", REAL, ids=str)
def test_every_semiring_compiles(dtype: DType) -> None:
    texts = render_structs(dtype)
    assert len(texts) > 200
    assert compile_kernel(write_unit(texts), "every").size > 10_000


def test_every_operator_compiles() -> None:
    found = list_cases()
    text = "".join(render_struct(case, f"S{n}") for n, case in enumerate(found))
    uses = "\n".join(f"  {write_call(case.types, n)};" for n, case in enumerate(found))
    assert compile_kernel(f"{text}__global__ void every() {{\n{uses}\n}}\n", "every").size > 0


def write_call(types: list[DType], number: int) -> str:
    return f"S{number}::apply({', '.join(f'({t.c})1' for t in types)})"


def test_a_semiring_of_two_types_compiles() -> None:
    assert compile_kernel(write_unit({"S": cuda.render_semiring(semiring.min_plus, "UINT8", "FP32")}), "every").size > 0


def test_the_compiler_is_asked() -> None:
    with pytest.raises(NvrtcError, match="undefined"):
        compile_kernel("__global__ void f() { nothing(); }", "f")
