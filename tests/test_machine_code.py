"""The comparison of machine code between two trees: what counts as the same, and what it reports."""

from __future__ import annotations

import pytest

from tests.machine_code import HERE, Listed, compare, compile_all, compile_code, list_instances
from tests.nvrtc import load_library

pytestmark = pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
TEXT = (
    "template <class T> __global__ void scale(T* x, int n) { for (int i = threadIdx.x; i < n; i += 32) x[i] *= 3; }\n"
)


def compile_instances(*instances: Listed):
    return dict(zip(instances, compile_all(list(instances), "sm_90", 1), strict=True))


def test_a_rename_and_a_new_layout_change_nothing():
    renamed = TEXT.replace("scale", "stretch").replace("x[i]", "values[i]").replace("T* x", "T*\n  values")
    before = compile_instances(Listed("a.cuh", "a.cuh: scale<int>", "scale<int>", TEXT))
    after = compile_instances(Listed("b/c.cuh", "c.cuh: stretch<int>", "stretch<int>", renamed))
    assert compare(before, after, "sm_90") == []


def test_another_constant_is_reported_with_both_costs():
    before = compile_instances(Listed("a.cuh", "a.cuh: scale<int>", "scale<int>", TEXT))
    after = compile_instances(Listed("a.cuh", "a.cuh: scale<int>", "scale<int>", TEXT.replace("3", "5")))
    (line,) = compare(before, after, "sm_90")
    assert line.startswith("a.cuh: scale<int>: ")
    assert line.count("registers") == 2


def test_what_one_tree_alone_has_is_reported():
    both = [Listed("a.cuh", f"a.cuh: scale<{t}>", f"scale<{t}>", TEXT) for t in ("int", "float")]
    (line,) = compare(compile_instances(*both), compile_instances(both[0]), "sm_90")
    assert line.startswith("only before: a.cuh: scale<float>")


def test_what_does_not_compile_is_reported():
    good = Listed("a.cuh", "a.cuh: scale<int>", "scale<int>", TEXT)
    bad = Listed(good.file, good.name, good.expression, "x")
    (line,) = compare(compile_instances(good), compile_instances(bad), "sm_90")
    assert "error" in line


def test_a_tree_lists_its_own_instances():
    found = [one for one in list_instances(HERE, everything=False) if one.file.endswith("edge_centric.cuh")]
    assert found
    assert all(compile_code(one.text, one.expression, "sm_90").registers > 0 for one in found[:1])
