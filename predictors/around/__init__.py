"""Predictors that wrap others: margins, factors, chains, medians, tests of quality."""
