"""Compiling Python functions of arrays with numba, as the fits of predictors are, too."""

from predictors.compiled import compiled

__all__ = ["compiled"]
