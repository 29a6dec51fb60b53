"""Our predictors in compiled loops: asked and told of all jobs of a date by one call."""
