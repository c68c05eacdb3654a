"""Graphs: an adjacency matrix and facts about it, and where graphs come from: files, tables, samples, generators."""
