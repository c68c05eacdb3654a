"""The benchmarks of the field, run on graphla's problems: the GAP Benchmark Suite and LDBC Graphalytics."""
