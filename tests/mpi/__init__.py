"""Tests of many ranks: each start of mpiexec runs all cases of the modules ``cases_*.py``."""
