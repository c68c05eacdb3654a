"""Seeing and comparing: traces, comparisons, other libraries, benchmarks of the field, the demonstration, pictures."""
