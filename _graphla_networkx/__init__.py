"""What NetworkX loads of graphla: what it can answer, and what gains by it, without an import of graphla.

`import networkx` calls `get_info`; the first call of a function that graphla has loads `_graphla_networkx.backend`; and
only a call that is answered imports graphla, NumPy and Numba.
"""

from _graphla_networkx.functions import FUNCTIONS


def get_info():  # type: ignore[no-untyped-def]
    """What NetworkX shows of the backend."""
    return {
        "backend_name": "graphla",
        "project": "graphla",
        "package": "graphla",
        "short_summary": "Semiring algebra over sparse matrices, on the GPU and on the CPU.",
        "functions": {name: {} for name in FUNCTIONS},
    }
