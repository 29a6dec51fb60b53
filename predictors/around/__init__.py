"""Predictors that wrap others: they add margins, scale, combine or check predictions."""
