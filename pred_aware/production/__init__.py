"""Prediction as a service for a batch system: the store of ended jobs, and programs that use it."""
