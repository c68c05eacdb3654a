"""Tests of many ranks: each start of mpiexec runs all cases of the modules ``cases_*.py``."""

import os

ON_GPUS = os.environ.get("GRAPHLA_MPI_LOCAL") == "cuda"
"""Whether each rank has a GPU."""
