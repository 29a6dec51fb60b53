"""Regression on past jobs: features, target, window, when to fit again, model, one row."""

from predictors.regression.regression import Regression

__all__ = ["Regression"]
