"""Predictors that fit a regression model to past jobs, and repeat the fit as jobs end."""
