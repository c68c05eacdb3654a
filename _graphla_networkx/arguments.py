"""The arguments of a call by their names, as the caller wrote them."""

from _graphla_networkx.functions import FUNCTIONS

PLACES = {
    name: {each.partition("=")[0]: place for place, each in enumerate(parameters.split())}
    for name, (_, parameters) in FUNCTIONS.items()
}
"""The place of each argument of each function."""
WEIGHTS = {
    name: (place, "weight" if "=weight" in FUNCTIONS[name][1] else None)
    for name, places in PLACES.items()
    for place in ("weight", "distance")
    if place in places and name != "descendants_at_distance"
}
"""The argument that names the weights, and its default."""


def find_argument(name, which, args, kwargs, default=None):  # type: ignore[no-untyped-def]
    """An argument of a call, or the default if it is not given."""
    if which in kwargs:
        return kwargs[which]
    place = PLACES[name].get(which)
    return default if place is None or place >= len(args) else args[place]


def find_graph(args, kwargs):  # type: ignore[no-untyped-def]
    """The graph of a call."""
    return args[0] if args else kwargs["flowG" if "flowG" in kwargs else "G"]


def find_weight(name, args, kwargs):  # type: ignore[no-untyped-def]
    """The name of the weights of a call, or None."""
    which, default = WEIGHTS.get(name, (None, None))
    return None if which is None else find_argument(name, which, args, kwargs, default)
