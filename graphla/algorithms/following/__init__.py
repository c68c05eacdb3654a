"""Answers that are kept up to date while their graph changes."""
