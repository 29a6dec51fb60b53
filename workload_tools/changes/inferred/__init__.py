"""Inference of nodes and tasks that a log does not contain (paper 000)."""
