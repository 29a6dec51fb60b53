"""Nodes and tasks for a log that does not tell them (paper 000)."""
