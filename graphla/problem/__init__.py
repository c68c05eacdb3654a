"""Problems and their methods: the registry is the folder.

A problem is a package `graphla.algorithms.<problem>`; each of its modules that defines `method` is a
method, and the file's name is the method's name. Dropping a file in is all it takes.
"""

from graphla.problem.answer import Answer
from graphla.problem.method import GraphLike, Method, Request
from graphla.problem.methods import Methods
from graphla.problem.option import Choice, Option
from graphla.problem.problem import Problem, require_graph, require_vectors
from graphla.problem.registry import all_problems, list_names

__all__ = [
    "Answer",
    "Choice",
    "GraphLike",
    "Method",
    "Methods",
    "Option",
    "Problem",
    "Request",
    "all_problems",
    "list_names",
    "require_graph",
    "require_vectors",
]
