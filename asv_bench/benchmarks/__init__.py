"""Benchmarks of every method of every problem, and of every operation, on every engine that is present."""
