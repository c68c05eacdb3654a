"""What NetworkX asks before a call: if graphla can answer it and should. The functions import graphla."""

from importlib import import_module

from _graphla_networkx.arguments import find_graph
from _graphla_networkx.functions import FUNCTIONS
from _graphla_networkx.gain import find_reason
from _graphla_networkx.obstacles import CHECKED, find_obstacle

ANSWERS = "graphla.doors.networkx.backend"
"""The module that converts graphs and answers calls."""
_testing = False


def can_run(name, args, kwargs):  # type: ignore[no-untyped-def]
    """Whether graphla answers a function with these arguments.

    NetworkX drops a reason that is returned. What is raised here is the message of a call with ``backend="graphla"``,
    and otherwise one line of NetworkX's log.

    Raises
    ------
    NotImplementedError
        If it does not, with the reason.
    """
    graph = args[0] if args else find_graph(args, kwargs)
    if hasattr(graph, "_graph"):
        graph.__networkx_cache__ = None  # of a view: nothing tells it that what it shows has changed
    if name not in CHECKED:
        return True
    reason = find_obstacle(name, graph, args, kwargs)
    if reason is None:
        return True
    if _testing:
        return reason
    raise NotImplementedError(f"graphla does not answer '{name}' here: {reason}")


def should_run(name, args, kwargs):  # type: ignore[no-untyped-def]
    """Whether it gains anything, or the reason why not; NetworkX does not ask if the caller names the backend."""
    return find_reason(name, args, kwargs) or True


def on_start_tests(items):  # type: ignore[no-untyped-def]
    """NetworkX's own tests expect that a reason is returned: then the test is of something that is left to NetworkX."""
    global _testing
    _testing = True


def __getattr__(name):  # type: ignore[no-untyped-def]
    """Functions by their names, and the conversions: each imports graphla when it is called for the first time."""
    if name not in FUNCTIONS and name not in ("convert_from_nx", "convert_to_nx"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def answer(*args, **kwargs):  # type: ignore[no-untyped-def]
        return getattr(import_module(ANSWERS), name)(*args, **kwargs)

    answer.__name__ = name
    return globals().setdefault(name, answer)
