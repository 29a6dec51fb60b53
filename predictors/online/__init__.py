"""Predictors that learn from each job as it ends, without refitting a model."""
