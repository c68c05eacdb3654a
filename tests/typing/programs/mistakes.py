"""What a type checker must refuse: each mistake is marked with the rule that reports it."""

import graphla as gl
from graphla import Graph, Matrix, Scalar, Vector, binary, unary
from semirings import any_pair, min_plus, plus_times

G = gl.Graph(([0, 1], [1, 0]))
A, v = Matrix("FP64", 3, 3), Vector("FP64", 3)

# misspelt arguments
gl.Graph(([0], [1]), nn=3)  # E: reportCallIssue
Vector.from_coo([0], [1], sise=3)  # E: reportCallIssue
Matrix.from_coo([0], [1], [2.0], ncol=3)  # E: reportCallIssue
gl.loop(lambda depth: None, until=v)  # E: reportCallIssue
gl.read("a.gr", format_name="gr")  # E: reportCallIssue
gl.config.set(engin="cpu")  # E: reportCallIssue
v.select(">", thunks=3)  # E: reportCallIssue
A.to(engine="cud")  # E: reportArgumentType
Vector("FP64", 3, engine="gpu")  # E: reportArgumentType
gl.config.engine = "gpu"  # E: reportAttributeAccessIssue
v(mask=v.S, accumulate=binary.plus) << v  # E: reportArgumentType
v(direction="pul") << any_pair(A @ v)  # E: reportArgumentType

gl.sssp(G, 0, predecesors=True)  # E: reportCallIssue
gl.bfs(G, 0, direction="pul")  # E: reportArgumentType
gl.core_numbers(G, seed=1)  # E: reportCallIssue
gl.triangles(G, per_vertx=True)  # E: reportCallIssue
gl.pagerank(G, dampening=0.9)  # E: reportCallIssue
gl.apsp(G, outputs="d.npy")  # E: reportCallIssue
gl.k_core(G, 2, kk=3)  # E: reportCallIssue

# wrong kinds of operands
v @ 3  # E: reportOperatorIssue
A @ [1, 2, 3]  # E: reportOperatorIssue
A | v  # E: reportOperatorIssue
v & A  # E: reportOperatorIssue
v + "x"  # E: reportOperatorIssue
v < [1]  # E: reportOperatorIssue
A.mxv(A)  # E: reportArgumentType
A.mxm(v)  # E: reportArgumentType
v.vxm(v)  # E: reportArgumentType
v.inner(A)  # E: reportArgumentType
v.ewise_add(A)  # E: reportArgumentType
v.isequal(A)  # E: reportArgumentType
A.apply(any_pair)  # E: reportArgumentType
A.apply(A)  # E: reportArgumentType
A.apply(lambda: 1)  # E: reportArgumentType
A.ewise_add(A, lambda x: x)  # E: reportArgumentType
Vector.from_coo([0], [1], size="3")  # E: reportArgumentType
gl.bfs(A, 0)  # E: reportArgumentType
gl.sssp(G, ["a"])  # E: reportCallIssue reportArgumentType
Graph(G.A, n="3")  # E: reportArgumentType
v[0, 1]  # E: reportCallIssue reportArgumentType
A[0]  # E: reportCallIssue reportArgumentType
v["a"]  # E: reportCallIssue reportArgumentType
v(mask=[0])  # E: reportArgumentType
v(mask=A.S, accum=plus_times)  # E: reportArgumentType

# operators on expressions of another kind
any_pair(A & A)  # E: reportCallIssue reportArgumentType
any_pair(v)  # E: reportCallIssue reportArgumentType
binary.plus(A @ v)  # E: reportCallIssue reportArgumentType
unary.abs(A | A)  # E: reportCallIssue reportArgumentType
min_plus("x")  # E: reportCallIssue reportArgumentType
(A @ v) + A  # E: reportOperatorIssue
A << A @ v  # E: reportOperatorIssue

# what is not there
v.nvalss  # E: reportAttributeAccessIssue reportUnknownMemberType
v.nrows  # E: reportAttributeAccessIssue reportUnknownMemberType
A.size  # E: reportAttributeAccessIssue reportUnknownMemberType
A.to_dict()  # E: reportAttributeAccessIssue reportUnknownMemberType
(v + v).storage  # E: reportAttributeAccessIssue reportUnknownMemberType
(v + v).nrows  # E: reportAttributeAccessIssue reportUnknownMemberType
(A + A).to_dict()  # E: reportAttributeAccessIssue reportUnknownMemberType

# wrong results
w: Matrix = any_pair(A @ v).new()  # E: reportAssignmentType
x: Vector = any_pair(A @ A).new()  # E: reportAssignmentType
y: Vector = v.inner(v).new()  # E: reportAssignmentType
z: Scalar = A.reduce_rowwise().new()  # E: reportAssignmentType
row: Matrix = A[0, :].new()  # E: reportAssignmentType
cell: Vector = A[0, 0].new()  # E: reportAssignmentType
copied: Vector = A.dup()  # E: reportAssignmentType
levels: Matrix = gl.bfs(G, 0)  # E: reportAssignmentType
both: Vector = gl.bfs(G, 0, parents=True)  # E: reportAssignmentType
rows: Vector = gl.sssp(G, sources=[0])  # E: reportAssignmentType
lengths: Vector = gl.apsp(G)  # E: reportAssignmentType
v << any_pair(A @ A)  # E: reportOperatorIssue
A << v  # E: reportOperatorIssue
v(v.S) << A.T  # E: reportOperatorIssue
v.update(A)  # E: reportArgumentType
count: str = v.nvals  # E: reportAssignmentType
expression: Vector = v + v  # E: reportAssignmentType
v += A  # E: reportOperatorIssue reportUnknownVariableType
