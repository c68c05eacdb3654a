"""Expressions over matrices and vectors, before they are planned and computed.

Importing any module of this package imports those that define what the operators of `Expr` build.
"""

from graphla.language import apply, infix

__all__ = ["apply", "infix"]
