"""Predictors that go around others: margins, chains, proof, medians."""
