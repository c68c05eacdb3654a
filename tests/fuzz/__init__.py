"""Fuzzers: random programs, loops and arguments, each compared with something that cannot share its faults.

Each subject is a module with ``check(seed, engine)``, which raises on a fault and names the seed that shows it again.
``python -m tests.fuzz expressions --minutes 5`` runs one for a time; a small share runs in the suite.
"""
