"""Problems and their methods: the registry is the folder.

A problem is a package `graphla.algorithms.<problem>`; each of its modules that defines `method` is a
method, and the file's name is the method's name. Dropping a file in is all it takes.
"""

from graphla.graphs.graph import require_graph
from graphla.problem.answer import Answer
from graphla.problem.method import GraphLike, Method, Request
from graphla.problem.methods import Methods
from graphla.problem.option import Choice, Option
from graphla.problem.problem import Problem
from graphla.problem.registry import all_examples, all_problems, get_problem, list_names
from graphla.problem.settings import Settings, checked, choice, flag

__all__ = [
    "Answer",
    "Choice",
    "GraphLike",
    "Method",
    "Methods",
    "Option",
    "Problem",
    "Request",
    "Settings",
    "all_examples",
    "all_problems",
    "checked",
    "choice",
    "flag",
    "get_problem",
    "list_names",
    "require_graph",
]
