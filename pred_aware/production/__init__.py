"""Prediction beside a batch system: the store of ended jobs, and what is built upon it."""
