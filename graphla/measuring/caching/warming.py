"""Compile what problems, factors, spectra and ordinary statements need, before that: for images, clusters, lessons."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from graphla.common.arguments import show, to_list
from graphla.common.errors import GraphlaError, InvalidOption, NotConverged, NotSupported
from graphla.containers.matrix import Matrix
from graphla.containers.select import select
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.engine.cpu.late import compile_at_once
from graphla.engine.protocol import EngineLike
from graphla.graphs.graph import Graph
from graphla.graphs.reading import generate
from graphla.language.masks import replace
from graphla.measuring.watching.compiling import seconds_compiling
from graphla.problem import Problem, all_examples, all_problems
from semirings import binary, monoid, semiring

SMALL, LARGE = 8, 13
"""Scales of the Kronecker graphs: that on which all is called, and one on which what is quick is called as well."""
SIDE = 20
"""Vertices on a side of the grid on which the other functions are called."""
QUICK = 0.002
"""Seconds that a call on the small graph may take for the large one to be asked, too."""
DTYPES = "BOOL", "INT64", "FP32", "FP64"
"""Of weights, and of the operands of statements: what patterns, tables and files give."""
STATEMENTS = "statements"
"""What the statements are called among the problems."""
NUMBER = 3
"""What stands for an argument that is no vertex and has no default, such as the length of a walk."""

Call = Callable[[], Any]
Tell = Callable[[str, int, int], Any]


@dataclass(frozen=True)
class Warmed:
    """What was compiled for a problem.

    Parameters
    ----------
    name : str
        The problem or function, or ``"statements"``.
    engine : str
        The engine.
    calls : int
        How many calls were made.
    compiling : float
        The seconds that they spent compiling, or loading what was compiled before.
    refused : tuple of str
        What the engine refuses, and why; nothing is compiled for it.

    Examples
    --------
    >>> from graphla import caching
    >>> caching.warm(engine="cpu", only=["topological_order"])[0].name
    'topological_order'
    """

    name: str
    engine: str
    calls: int
    compiling: float
    refused: tuple[str, ...]


def warm(*, engine: EngineLike = None, only: Sequence[str] | None = None, progress: Tell | None = None) -> list[Warmed]:
    """Compile what problems by name, other functions and ordinary statements need, and keep it on disk.

    Parameters
    ----------
    engine : {"cpu", "cuda"}, optional
        For which engine; by default as `config.engine` says.
    only : list of str, optional
        Names of problems, of functions as ``"factorize"``, ``"roads"`` and ``"laplacian_eigenvectors"``, and
        ``"statements"``; by default all of them.
    progress : callable (name, done, of), optional
        Called before each of them.

    Returns
    -------
    list of Warmed
        One for each, in their order.

    Raises
    ------
    InvalidOption
        If a name is no problem, or `progress` no function.
    NotSupported
        If the engine is not there, or is one of many processes.

    Notes
    -----
    Each problem is called by its best method for Kronecker graphs of four dtypes, with each of its switches, and for
    grids; each other function (`problem.all_examples`) for grids of these dtypes.
    What other methods, semirings of your own and expressions in `apply` need is compiled when it is called. A call that
    is stopped keeps what it has compiled.

    Examples
    --------
    >>> from graphla import caching
    >>> [each.refused for each in caching.warm(engine="cpu", only=["coloring"])]
    [()]
    """
    chosen = get_engine(engine)
    if chosen.name == "mpi":
        raise NotSupported(f"engine={show(engine)}: warm the engine of each process, 'cpu' or 'cuda'")
    makers = list_makers()
    names = list(makers) if only is None else to_list(only, "only", "names", InvalidOption)
    for name in names:
        if not isinstance(name, str) or name not in makers:
            raise InvalidOption(f"only={show(only)}: there is no {show(name)} to warm; there are {', '.join(makers)}")
    if not (progress is None or callable(progress)):
        raise InvalidOption(f"progress={show(progress)}: give a function of (name, done, of)")
    done = []
    for number, name in enumerate(names):
        if progress is not None:
            progress(name, number, len(names))
        with compile_at_once():
            done.append(run_calls(name, chosen, makers[name](chosen)))
    return done


def list_makers() -> dict[str, Callable[[Any], Iterator[tuple[str, Call, Call | None]]]]:
    """List what can be warmed: a function of the engine that makes its calls, each with one on a larger graph."""
    problems = {name: partial(list_problem_calls, problem) for name, problem in all_problems().items()}
    others = {name: partial(list_example_calls, example) for name, example in all_examples().items()}
    return {**problems, **others, STATEMENTS: list_statements}


def run_calls(name: str, engine: Any, calls: Iterator[tuple[str, Call, Call | None]]) -> Warmed:
    """Make calls, and those on the larger graph as far as they are quick."""
    start, before, count, refused = time.perf_counter(), seconds_compiling(), 0, list[str]()
    for label, call, larger in calls:
        try:
            call()
            begun = time.perf_counter()
            call()
            if larger is not None and time.perf_counter() - begun < QUICK:
                larger()
        except NotConverged:  # it has run
            pass
        except GraphlaError as error:
            refused.append(f"{label}: {error}")
        count += 1
    compiling = min(seconds_compiling() - before, time.perf_counter() - start)  # threads wait for each other
    return Warmed(name, engine.name, count, compiling, tuple(refused))


def list_problem_calls(problem: Problem, engine: Any) -> Iterator[tuple[str, Call, Call | None]]:
    """Make the calls of a problem: for each dtype, with its defaults, also on a grid, and with each switch turned."""
    switches = [name for name, default in problem.defaults.items() if isinstance(default, bool)]
    needed, solve = find_needed(problem), cast("Any", problem)
    for dtype in DTYPES:
        small, large = (make_graph(problem, scale, dtype, engine) for scale in (SMALL, LARGE))
        for asked in ({}, *({name: not problem.defaults[name]} for name in switches)):
            label = f"{dtype}{''.join(f', {name}={value}' for name, value in asked.items())}"
            yield label, partial(solve, small, **needed, **asked), partial(solve, large, **needed, **asked)
        yield f"{dtype}, a grid", partial(solve, restrict(draw_grid(), problem.domain, dtype, engine), **needed), None


def list_example_calls(example: Callable[[Graph], Any], engine: Any) -> Iterator[tuple[str, Call, Call | None]]:
    """Make the calls of a function that is no problem: for each dtype."""
    for dtype in DTYPES:
        yield dtype, partial(example, restrict(draw_grid(), "", dtype, engine)), None


def find_needed(problem: Problem) -> dict[str, Any]:
    """Find values for the arguments that a call must have: different vertices, and whole numbers."""
    signature = inspect.signature(type(problem).__call__).parameters.values()
    needed = [each.name for each in signature if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    vertices = {name: place for place, name in enumerate(problem.takes)}
    return {name: NUMBER for name in needed if name not in ("self", "G")} | vertices


def make_graph(problem: Problem, scale: int, dtype: str, engine: Any) -> Graph:
    """Make a Kronecker graph that a problem is about, with weights of a dtype."""
    made = generate.kronecker(scale, seed=1, weights=None if dtype == "BOOL" else (1, 255), engine="cpu")
    return restrict(made, problem.domain, dtype, engine)


def draw_grid() -> Graph:
    """A grid with weights: some problems have kernels of their own for it, as for roads."""
    return generate.grid2d(SIDE, SIDE, seed=1, weights=(1, 255), engine="cpu")


def restrict(G: Graph, domain: str, dtype: str, engine: Any) -> Graph:
    """The part of a graph that a problem is about, with weights of a dtype, on an engine."""
    A = select.triu(G.A).new() if domain == "acyclic" else G.A
    return Graph(A.dup(dtype)).to(engine)


def list_statements(engine: Any) -> Iterator[tuple[str, Call, Call | None]]:
    """Make the statements of programs: products, element by element, reductions, parts, and writes under masks."""
    for dtype in DTYPES:
        A = make_graph(all_problems()["bfs"], SMALL, dtype, engine).A
        x, q = Vector.from_scalar(1, A.nrows, dtype, engine=engine), A[0, :].new()
        for label, call in make_statements(A, x, q, dtype).items():
            yield f"{label} of {dtype}", call, None


def make_statements(A: Matrix, x: Vector, q: Vector, dtype: str) -> dict[str, Call]:
    """Make the statements of one dtype."""
    ring, add = (semiring.lor_land, binary.lor) if dtype == "BOOL" else (semiring.plus_times, binary.plus)
    some = list(range(0, A.nrows, 3))
    C, w = A.dup(), x.dup()
    return {
        "A @ x": lambda: ring(A @ x).new(),
        "A.T @ q": lambda: semiring.any_pair(A.T @ q).new(),
        "min_plus(A.T @ q)": lambda: semiring.min_plus(A.T @ q).new(),
        "w(~q.S, replace) << A.T @ q": lambda: w.dup()(~q.S, replace) << ring(A.T @ q),
        "A @ A": lambda: ring(A @ A).new(),
        "C(A.S) << A @ A.T": lambda: C(A.S) << semiring.plus_pair(A @ A.T),
        "x & q": lambda: add(x & q).new(),
        "x | q": lambda: add(x | q).new(),
        "A | A.T": lambda: add(A | A.T).new(),
        "A & A.T": lambda: add(A & A.T).new(),
        "w(add) << q": lambda: w(add) << q,
        "w(q.S) << 1": lambda: w(q.S) << 1,
        "w[5] = 1": lambda: w.__setitem__(5, 1),
        "w[some] << x[some]": lambda: w[some] << x[some].new(),
        "x.reduce": lambda: x.reduce(monoid.lor if dtype == "BOOL" else monoid.plus).value,
        "A.reduce_rowwise": lambda: A.reduce_rowwise(monoid.lor if dtype == "BOOL" else monoid.plus).new(),
        "A.apply": lambda: A.apply(add, right=1).new(),
        "select": lambda: select.tril(A).new(),
        "A[some, some]": lambda: A[some, some].new(),
        "A[:, 5]": lambda: A[:, 5].new(),
        "C[some, some] << 1": lambda: C[some, some] << 1,
        "A.to_coo": lambda: Matrix.from_coo(*A.to_coo(), nrows=A.nrows, ncols=A.ncols, engine=A.engine),
        "x.isequal": lambda: x.isequal(x.dup()),
    }
