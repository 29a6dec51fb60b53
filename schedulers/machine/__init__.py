"""Machines: which jobs can run at the same time, and which processors jobs get."""
