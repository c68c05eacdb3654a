"""Matrices: in, out, change, products, and what they refuse."""

import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graphla import Matrix, Vector, binary, monoid, replace, select
from graphla.common.errors import DimensionMismatch, GraphlaError, IndexOutOfBounds, InvalidGraph, ValueOutOfRange
from semirings import any_pair, max_plus, min_plus, plus_pair, plus_times

INF = 2**31 - 1


@pytest.fixture
def A():
    return Matrix.from_coo([0, 0, 2], [0, 2, 1], [1, 2, 3], nrows=3, ncols=4)


def to_dense(M, fill=0):
    return M.to_numpy(fill).tolist()


def test_entries_come_out_as_they_went_in(A):
    assert to_dense(A) == [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]
    assert (A.shape, A.nvals, A.get(0, 2), A.get(1, 1)) == ((3, 4), 3, 2, None)
    assert (0, 0) in A
    assert (1, 0) not in A
    assert [part.tolist() for part in A.to_csr()] == [[0, 2, 2, 3], [0, 2, 1], [1, 2, 3]]
    assert [part.tolist() for part in A.to_csc()] == [[0, 1, 2, 3, 3], [0, 2, 0], [1, 3, 2]]


def test_other_ways_in(A):
    S = A.to_scipy_sparse()
    for made in (
        Matrix.from_scipy_sparse(S.tocsc()),
        Matrix.from_csr(S.indptr, S.indices, S.data, ncols=4),
        Matrix.from_csc(*A.to_csc(), nrows=3),
        Matrix.from_dense(A.to_numpy(0), 0),
    ):
        assert made.isequal(A)


def test_columns_of_csr_are_sorted_and_pointers_checked():
    M = Matrix.from_csr([0, 2], [1, 0], [5, 6])
    assert M.to_csr()[1].tolist() == [0, 1]
    assert M.to_csr()[2].tolist() == [6, 5]
    for pointers in ([0, 1], [1, 2], [0, 3, 2], []):
        with pytest.raises(InvalidGraph, match="indptr"):
            Matrix.from_csr(pointers, [1, 0], [5, 6])


def test_stored_zeros_are_entries():
    S = scipy.sparse.csr_array(([0.0, 1.0], ([0, 1], [1, 0])), (2, 2))
    assert Matrix.from_scipy_sparse(S).nvals == 2


def test_cells_outside_and_repeats_are_refused():
    with pytest.raises(IndexOutOfBounds, match="row 5, of entry 1, is out of range for size 3"):
        Matrix.from_coo([0, 5], [0, 1], nrows=3, ncols=3)
    with pytest.raises(IndexOutOfBounds, match="column -1, of entry 2, is out of range for size 3"):
        Matrix.from_coo([0, 1, 2], [1, 2, -1], nrows=3, ncols=3)
    with pytest.raises(InvalidGraph, match="occurs twice"):
        Matrix.from_coo([1, 1], [0, 0], [1, 2])
    with pytest.raises(DimensionMismatch):
        Matrix.from_coo([1, 1], [0])
    with pytest.raises(DimensionMismatch):
        Matrix.from_coo([1], [0], [1, 2])


def test_parts(A):
    assert A[0, :].new().to_dict() == {0: 1, 2: 2}
    assert A.T[:, 0].new().to_dict() == {0: 1, 2: 2}
    assert A[:, 1].new().to_dict() == {2: 3}
    assert to_dense(A[[2, 0, 0], [2, 1]].new()) == [[0, 3], [2, 0], [2, 0]]
    assert to_dense(A[::-1, ::2].new()) == [[0, 0], [0, 0], [1, 2]]
    assert A[2, 1].new().value == 3
    with pytest.raises(IndexOutOfBounds):
        A[3, 0]
    with pytest.raises(IndexOutOfBounds, match="1 parts"):
        A[0]


def test_assignment(A):
    A[1, 1] = 9
    A[0, :] << Vector.from_coo([3], [4], size=4)
    assert to_dense(A) == [[0, 0, 0, 4], [0, 9, 0, 0], [0, 3, 0, 0]]
    A[1:, [0, 1]] << 5
    assert to_dense(A) == [[0, 0, 0, 4], [5, 5, 0, 0], [5, 5, 0, 0]]
    A(binary.plus)[[2, 1], [1, 3]] << Matrix.from_coo([0, 1], [0, 1], [1, 1], nrows=2, ncols=2)
    assert to_dense(A) == [[0, 0, 0, 4], [5, 5, 0, 1], [5, 6, 0, 0]]
    B = A.dup()
    B(select.tril(A).new().S, replace) << A
    assert to_dense(B) == [[0, 0, 0, 0], [5, 5, 0, 0], [5, 6, 0, 0]]


def test_reductions(A):
    assert A.reduce_rowwise().new().to_dict() == {0: 3, 2: 3}
    assert A.reduce_columnwise(monoid.max).new().to_dict() == {0: 1, 1: 3, 2: 2}
    assert A.reduce_scalar("times").new().value == 6
    assert Matrix("INT32", 2, 2).reduce_scalar().new().is_empty
    full = Matrix.from_dense([[1, 2], [3, 4]])
    assert full.reduce_rowwise().new().to_dict() == {0: 3, 1: 7}
    assert full.T.new().reduce_rowwise().new().to_dict() == {0: 4, 1: 6}


def test_select_and_apply(A):
    assert to_dense(select.triu(A, 1).new()) == [[0, 0, 2, 0], [0] * 4, [0] * 4]
    assert to_dense(A.select(">=", 2).new()) == [[0, 0, 2, 0], [0] * 4, [0, 3, 0, 0]]
    assert to_dense(A.apply("minus", left=10).new()) == [[9, 0, 8, 0], [0] * 4, [0, 7, 0, 0]]
    assert to_dense(A.apply("rowindex").new()) == [[0, 0, 0, 0], [0] * 4, [0, 2, 0, 0]]
    assert A.T.apply("ainv").new().get(2, 0) == -2
    with pytest.raises(GraphlaError, match="exactly one"):
        A.apply("minus")


def test_products_of_every_shape(A):
    v, w = Vector.from_coo([0, 2], [1, 1], size=3), Vector.from_coo([1, 2], [1, 10], size=4)
    assert plus_times(A @ w).new().to_dict() == {0: 20, 2: 3}
    assert plus_times(A.T @ v).new().to_dict() == {0: 1, 1: 3, 2: 2}
    assert plus_times(v @ A).new().to_dict() == {0: 1, 1: 3, 2: 2}
    assert plus_times(w @ A.T).new().to_dict() == {0: 20, 2: 3}
    assert to_dense(plus_times(A @ A.T).new()) == [[5, 0, 0], [0, 0, 0], [0, 0, 9]]
    with pytest.raises(DimensionMismatch, match="inner sizes 4 and 3"):
        plus_times(A @ v)


def test_product_under_a_mask_takes_dots():
    rng = np.random.default_rng(1)
    S = scipy.sparse.random_array((60, 60), density=0.2, rng=rng, format="csr")
    M = scipy.sparse.random_array((60, 60), density=0.02, rng=rng, format="csr")
    A, mask = Matrix.from_scipy_sparse(S), Matrix.from_scipy_sparse(M)
    C = Matrix("FP64", 60, 60)
    C(mask.S) << plus_times(A @ A)
    assert C.plan.step.how == "dots"
    expected = (S @ S).toarray() * (M.toarray() != 0)
    assert np.allclose(C.to_numpy(0), expected)
    C(~mask.S, replace) << plus_times(A @ A)
    assert C.plan.step.how == "rows"
    assert np.allclose(C.to_numpy(0), (S @ S).toarray() * (M.toarray() == 0))


def test_full_operands_multiply_as_tiles():
    X = np.array([[0, 3, INF], [INF, 0, 4], [1, INF, 0]], np.int32)
    D = Matrix.from_dense(X)
    C = min_plus(D @ D).new()
    assert C.plan.step.how == "tiles"
    assert to_dense(C) == [[0, 3, 7], [5, 0, 4], [1, 4, 0]]


@settings(max_examples=40, deadline=None)
@given(arrays(np.int32, (5, 4), elements=st.integers(-3, 3)), arrays(np.int32, (4, 6), elements=st.integers(-3, 3)))
def test_product_by_rows_is_that_of_numpy(X, Y):
    A, B = Matrix.from_dense(X, 0), Matrix.from_dense(Y, 0)
    assert (plus_times(A @ B).new().to_numpy(0) == X @ Y).all()
    pattern = (X != 0).astype(int) @ (Y != 0).astype(int)
    assert (plus_pair(A @ B).new().to_numpy(0) == pattern).all()
    assert ((any_pair(A @ B).new().to_numpy(0) != 0) == (pattern != 0)).all()


def test_integers_of_the_tropics_saturate():
    A = Matrix.from_coo([0], [0], [100], "INT8")
    assert min_plus(A @ A).new().get(0, 0) == 127
    assert max_plus(A @ A).new().get(0, 0) == 127


def test_kronecker():
    A, B = Matrix.from_dense([[1, 2], [0, 3]], 0), Matrix.from_dense([[0, 1]], 0)
    assert (A.kronecker(B).new().to_numpy(0) == np.kron([[1, 2], [0, 3]], [[0, 1]])).all()


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1)])
def test_empty_matrices(shape):
    A = Matrix("INT32", *shape)
    assert plus_times(A @ A.T).new().nvals == 0
    assert binary.plus(A | A).new().nvals == 0
    assert A.T.new().shape == shape[::-1]
    assert A.reduce_rowwise().new().nvals == 0
    assert A.isequal(A.dup())
    assert repr(A)


def test_transposed_views(A):
    assert A.T.shape == (4, 3)
    assert A.T.T is A
    assert binary.plus(A.T | A.T).new().isequal(A.T.new().apply("times", 2).new())


def test_explain_and_estimate(A):
    product = plus_times(A @ A.T)
    assert "for the result and the work space, at most: its entries are counted" in product.explain()
    assert product.estimate() > 0


def test_a_networkx_graph_has_the_same_matrix():
    from graphla import Graph

    N = networkx.gnp_random_graph(20, 0.2, seed=3, directed=True)
    assert (Graph(N).A.to_numpy(0) == networkx.to_numpy_array(N)).all()


def test_diagonals_there_and_back():
    v = Vector.from_coo([0, 2], [5, 7], size=3)
    for k in (-2, 0, 1):
        D = v.diag(k)
        assert D.shape == (3 + abs(k), 3 + abs(k))
        assert D.diag(k).isequal(v)
        assert D.diag(k + 1).nvals == 0
    assert Matrix.from_dense([[1, 2, 3], [4, 5, 6]]).diag(1).to_dict() == {0: 2, 1: 6}
    assert Matrix.from_dense([[1, 2, 3], [4, 5, 6]]).diag(-1).to_dict() == {0: 4}
    assert Matrix.from_dense([[1, 2, 3], [4, 5, 6]]).diag(5).size == 0


def test_edge_lists_and_cells(A):
    edges, values = A.to_edgelist()
    assert Matrix.from_edgelist(edges, values, nrows=3, ncols=4).isequal(A)
    assert Matrix.from_edgelist([(0, 1, 2.5), (1, 0, 3.5)]).get(1, 0) == 3.5
    assert Matrix.from_edgelist([(0, 1), (1, 0)]).get(1, 0) == 1.0
    assert Matrix.from_edgelist([], nrows=2, ncols=2).nvals == 0
    assert list(A) == [(0, 0), (0, 2), (2, 1)]
    del A[0, 2]
    del A[1, 1]
    assert list(A) == [(0, 0), (2, 1)]
    del A[0, :]
    assert all(row != 0 for row, _ in A)
    assert Matrix.from_scalar(7, 2, 2, "INT8").dtype.name == "INT8"


def test_expressions_say_what_they_are(A):
    v = Vector("INT64", 4, name="v")
    assert repr(min_plus(A @ v)) == (
        "min_plus(A @ v): 3 INT64, not computed yet: take .new(), or write it with out << expression"
    )
    shown = [A.T, A | A, A + A, 1 - v, A[0, :], A.reduce_scalar(), A.reduce_rowwise(), A.kronecker(A), select.tril(A)]
    starts = [
        "A.T",
        "two operands",
        "plus(A | A)",
        "minus(1, v)",
        "A[…]",
        "plus of A:",
        "plus of A by rows",
        "A.kronecker(A",
    ]
    for expression, start in zip(shown, [*starts, "select.tril(A, 0)"], strict=True):
        assert repr(expression).startswith(start)
    assert (v * 2)._repr_html_().startswith("<pre>times(v, 2)")


@pytest.mark.parametrize("k", [-8, -3, -1, 0, 2, 7, 9])
def test_a_diagonal_is_a_vector_of_its_own(k: int) -> None:
    rng = np.random.default_rng(k + 20)
    dense = (rng.random((7, 9)) < 0.6) * rng.integers(1, 99, (7, 9))
    for whole in (dense, np.where(np.eye(7, 9, k) == 1, dense, 0)):
        A = Matrix.from_dense(whole, missing_value=0, engine="cpu")
        line = A.diag(k)
        assert line.size == np.diagonal(dense, k).size
        assert line.to_dict() == {p: x for p, x in enumerate(np.diagonal(dense, k).tolist()) if x}
        for place in line.to_dict():
            line[place] = -6  # written where the values lie
        assert np.array_equal(A.to_dense(0), whole)
    if line.size and dense.diagonal(k).any():
        with pytest.raises(ValueOutOfRange):
            A.apply("plus", right=400).new().diag(k, dtype="INT8")
