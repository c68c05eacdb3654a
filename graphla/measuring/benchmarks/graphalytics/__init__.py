"""LDBC Graphalytics: six algorithms on a data set with reference output.

A data set is a folder with ``NAME.properties``, the vertices ``NAME.v``, the edges ``NAME.e`` and the right answers
``NAME-BFS``, ``NAME-PR``, ``NAME-WCC``, ``NAME-CDLP``, ``NAME-LCC`` and ``NAME-SSSP``. Specification: Iosup et al.,
"The LDBC Graphalytics Benchmark", arXiv:2011.15028.
"""

from graphla.measuring.benchmarks.graphalytics.algorithms import ALGORITHMS
from graphla.measuring.benchmarks.graphalytics.dataset import Dataset, find_datasets
from graphla.measuring.benchmarks.graphalytics.graph_files import LoadedGraph, load
from graphla.measuring.benchmarks.graphalytics.run import Result, run

__all__ = ["ALGORITHMS", "Dataset", "LoadedGraph", "Result", "find_datasets", "load", "run"]
