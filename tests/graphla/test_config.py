"""Settings of the process, and memory asked for before it is taken."""

import subprocess
import sys

import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, OutOfMemory
from graphla.planning.plan import make_plan
from semirings import plus_times


def test_settings_are_checked_and_restored():
    with pytest.raises(GraphlaError, match="no setting 'speed'"):
        gl.config.speed = 3
    with pytest.raises(GraphlaError, match="engine='tpu'"):
        gl.config.engine = "tpu"
    with pytest.raises(GraphlaError, match="memory_limit=-1"):
        gl.config.memory_limit = -1
    before = gl.config.engine
    with gl.config.set(engine="cpu", memory_limit=10**9):
        assert gl.config.memory_limit == 10**9
    assert gl.config.engine == before
    assert gl.config.memory_limit is None


def test_settings_hold_without_a_block_and_end_with_the_one_around():
    v = gl.Vector.from_coo([0], [1], size=2)
    with gl.config.set(memory_limit=10**6):
        gl.config.set(autocompute=False)
        gl.config.set(memory_limit=10**9)
        assert (gl.config.autocompute, gl.config.memory_limit) == (False, 10**9)
        with pytest.raises(GraphlaError, match=r"gl\.config\.set\(autocompute=True\)"):
            print((v + v).to_dict())
        gl.config.set(autocompute=True)
        assert (v + v).to_dict() == {0: 2}
    assert (gl.config.autocompute, gl.config.memory_limit) == (True, None)


def test_a_wrong_setting_is_refused_when_it_is_given():
    with pytest.raises(GraphlaError, match="memory_limit='lots'"):
        gl.config.set(memory_limit="lots")
    assert gl.config.memory_limit is None


def test_what_a_plan_says_of_its_choice_and_of_its_bytes():
    A = gl.generate.kronecker(6, engine="cpu").A.dup("INT64")
    C = gl.Matrix("INT64", A.nrows, A.ncols, engine="cpu")
    C(A.S) << plus_times(A @ A)
    assert "products by rows, which cost 4 reads each" in str(C.plan)
    assert str(C.plan).endswith(" for the result")
    assert repr(gl.Scalar("INT64", 33695)) == "Scalar INT64: 33695"
    with pytest.raises(GraphlaError, match=r"below 2⁶³, and one is 1000000000000000000000000000000$"):
        gl.Graph(([0], [10**30]))


def test_a_product_past_the_limit_is_refused_before_it_starts():
    A = gl.Matrix.from_dense([[1.0] * 50] * 50)
    with gl.config.set(memory_limit=1000), pytest.raises(OutOfMemory, match=r"20,000 bytes .* 1,000"):
        plus_times(A @ A).new()
    assert plus_times(A @ A).new().nvals == 2500


def test_all_pairs_past_the_limit_names_the_way_out():
    G = gl.generate.kronecker(8)
    with gl.config.set(memory_limit=100_000), pytest.raises(OutOfMemory, match="sssp_sweep"):
        gl.apsp(G, method="algebraic")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: gl.Matrix("FP64", 2**50, 3), "a matrix of .* rows needs"),
        (lambda: gl.Matrix("FP64", 3, 3).resize(2**50, 3), "a matrix of .* rows needs"),
        (lambda: gl.Matrix.from_scalar(1.0, 10**8, 10**9), "a full matrix of 100000000 × 1000000000 needs"),
        (lambda: gl.Matrix("FP64", 10**6, 10**9).to_dense(0), "an array of 1000000 × 1000000000 needs"),
        (lambda: gl.Vector("FP64", 2**59).to_dense(0), "an array of .* places needs"),
        (lambda: gl.Vector("FP64", 2**60).update(1.0), "an array of .* places needs"),
        (lambda: gl.Vector.from_dense([1.0, 2.0]).diag(2**50), "a diagonal of .* rows needs"),
        (lambda: gl.Vector("FP64", 2**60).outer(gl.Vector("FP64", 2**60)).new(), "a list of .* rows needs"),
        (lambda: gl.bfs(gl.generate.path(300_000), sources=range(300_000)), "levels from 300,000 sources needs"),
    ],
)
def test_what_does_not_fit_says_so(make, what):
    with gl.config.set(engine="cpu"), pytest.raises(OutOfMemory, match=f"^{what}.* free"):
        make()


def test_an_array_that_does_not_fit_names_the_problem(monkeypatch):
    def search(*_):
        raise MemoryError("Unable to allocate 9 GiB")

    monkeypatch.setattr("graphla.algorithms.bfs.many.multi_source.search_many", search)
    with pytest.raises(OutOfMemory, match=r"^bfs: Unable to allocate 9 GiB; .* free"):
        gl.bfs(gl.generate.path(4, engine="cpu"), sources=[0, 1])


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)


def test_import_loads_no_compiler():
    done = run("import sys, graphla; print({'numba', 'cupy', 'scipy', 'matplotlib'} & set(sys.modules))")
    assert done.stdout.strip() == "set()", done.stderr


def test_the_engine_of_the_environment():
    assert "cpu" in run("import graphla as gl; print(gl.Vector('INT8', 1).engine.name)", GRAPHLA_ENGINE="cpu").stdout
    assert (
        "GRAPHLA_ENGINE='abacus'" in run("import graphla as gl; gl.Vector('INT8', 1)", GRAPHLA_ENGINE="abacus").stderr
    )


def test_a_product_is_counted_before_its_memory_is_taken():
    star = gl.generate.star(400)
    product = plus_times(star.A @ star.A)
    plan = make_plan(product, None, product.dtype)
    with (
        gl.config.set(engine="cpu", memory_limit=200_000),
        pytest.raises(OutOfMemory, match=r"a product of 159,202 entries"),
    ):
        star.engine.run(plan)
