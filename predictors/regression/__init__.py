"""Predictors that fit a regression model to past jobs and fit it again as jobs end."""
