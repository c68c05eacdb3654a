"""A translation unit holds everything once, in the order that C++ needs, and keeps the names of its sources."""

from pathlib import Path

import pytest

from graphla.common.errors import GraphlaError
from graphla.engine.cuda.source import PRIMITIVES, MissingConstant, MissingInclude, render_constant, unit


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.cuh").write_text(text)
    return folder / "kernel.cuh"


def test_primitives_then_prelude_then_kernel(tmp_path: Path) -> None:
    text = unit(write(tmp_path, kernel="__global__ void f() {}\n"), "struct S {};")
    places = [text.index(part) for part in ("grid_sync(unsigned* barrier)", "struct S {};", "__global__ void f() {}")]
    assert places == sorted(places)


def test_includes_are_inlined_once(tmp_path: Path) -> None:
    kernel = write(
        tmp_path,
        kernel='#include "a.cuh"\n#include "b.cuh"\n#include "headers/primitives.cuh"\nint kernel;\n',
        a='#pragma once\n  #  include "b.cuh"  // twice\nint a;\n',
        b="int b;\n",
    )
    text = unit(kernel)
    assert text.count("int b;") == text.count("int a;") == 1
    assert text.index("int b;") < text.index("int a;") < text.index("int kernel;")
    assert text.count("struct StridedRange") == 1
    assert '#include "' not in text


def test_a_file_beside_wins_over_the_engine_s(tmp_path: Path) -> None:
    kernel = write(tmp_path, kernel='#include "grid.cuh"\n', grid="int mine;\n")
    assert "int mine;" in unit(kernel)


def test_the_engine_s_kernels_are_found_from_elsewhere(tmp_path: Path) -> None:
    kernel = write(tmp_path, kernel='#include "headers/primitives/rows.cuh"\nint kernel;\n')
    assert unit(kernel).count("MergePoint<Offset> merge_path(") == 1


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    kernel = write(tmp_path, kernel='// one\n#include "a.cuh"\nint third;\n', a="int first;\n")
    lines = unit(kernel).splitlines()
    assert lines[lines.index("int first;") - 1] == '#line 1 "a.cuh"'
    assert lines[lines.index("int third;") - 1] == '#line 3 "kernel.cuh"'


def test_system_includes_are_left_alone(tmp_path: Path) -> None:
    assert "#include <cub/cub.cuh>" in unit(write(tmp_path, kernel="#include <cub/cub.cuh>\n"))


def test_a_missing_include_names_who_asks(tmp_path: Path) -> None:
    kernel = write(tmp_path, kernel='#include "nowhere.cuh"\n')
    with pytest.raises(MissingInclude, match=r'kernel\.cuh includes "nowhere\.cuh", which is neither in'):
        unit(kernel)


def test_a_missing_kernel_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphlaError, match=r"kernel file .*absent\.cuh does not exist"):
        unit(tmp_path / "absent.cuh")


def test_the_same_text_each_time(tmp_path: Path) -> None:
    kernel = write(tmp_path, kernel="int kernel;\n")
    assert unit(kernel, "int p;") == unit(kernel, "int p;")
    assert unit(PRIMITIVES).count("merge_path(") == 1


def write_line(folder: Path, line: str) -> Path:
    return write(folder, kernel=f"{line}\nint kernel;\n")


def test_numbers_of_a_module_are_rendered_once(tmp_path: Path) -> None:
    line = '#include "base.py"  // SPREAD_THREADS, TICKS'
    text = unit(write_line(tmp_path, f"{line}\n{line}"))
    assert text.count("constexpr int SPREAD_THREADS = 256; constexpr double TICKS = 2000000000.0;") == 1
    assert text.splitlines()[-3:-1] == ['#line 3 "kernel.cuh"', "int kernel;"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('#include "base.py"', r"kernel\.cuh: write the numbers that it takes"),
        ('#include "base.py"  // NOTHING', r"kernel\.cuh takes NOTHING of graphla\.engine\.cuda\.base, .* None"),
        ('#include "base.py"  // KernelEngine', "which is no int or float there but <class"),
        ('#include "absent.py"  // SPREAD_THREADS', r'includes "absent\.py", which is neither'),
    ],
)
def test_a_number_that_is_not_there_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises((MissingConstant, MissingInclude), match=message):
        unit(write_line(tmp_path, line))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-5, "constexpr int N = -5;"),
        (2**31, "constexpr long long N = 2147483648;"),
        (4e-6, "constexpr double N = 4e-06;"),
    ],
)
def test_a_number_has_the_type_that_holds_it(value: float, text: str) -> None:
    assert render_constant("N", value, "") == text


@pytest.mark.parametrize("value", [True, "3", 2**63])
def test_what_is_no_number_of_c_is_refused(value: object) -> None:
    with pytest.raises(MissingConstant):
        render_constant("N", value, "kernel.cuh takes N of a")
