"""Pass a call to SciPy by name, and refuse what SciPy would have to copy from a GPU."""

from __future__ import annotations

from typing import Any

from graphla.common.errors import NotSupported


def is_on_device(*inputs: Any) -> bool:
    """Whether an input is held by CuPy or cupyx."""
    return any(type(each).__module__.partition(".")[0] in ("cupy", "cupyx") for each in inputs)


def refuse_device(name: str, *inputs: Any) -> None:
    """Refuse inputs on a GPU: the function has no method there, and nothing is copied in silence."""
    if is_on_device(*inputs):
        raise NotSupported(
            f"csgraph.{name} has no method on the GPU: copy the input to the host, and SciPy computes it there: "
            f"csgraph.{name}(graph.get(), …)"
        )


def call_scipy(name: str, *args: Any, **options: Any) -> Any:
    """Call the function of that name of `scipy.sparse.csgraph`."""
    import scipy
    from scipy.sparse import csgraph

    function = getattr(csgraph, name, None)
    if function is None:
        raise NotSupported(
            f"csgraph.{name} is computed by SciPy, and SciPy {scipy.__version__} has no {name}: update it"
        )
    return function(*args, **options)


def get_negative_cycle_error() -> type[Exception]:
    """SciPy's class of errors about negative cycles."""
    from scipy.sparse.csgraph import NegativeCycleError

    return NegativeCycleError


def call_scipy_on_host(name: str, *args: Any, **options: Any) -> Any:
    """Call SciPy's function of that name, if no input is on a GPU."""
    refuse_device(name, *args, *options.values())
    return call_scipy(name, *args, **options)
