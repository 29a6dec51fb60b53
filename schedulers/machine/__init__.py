"""Machines, which decide which jobs can run at the same time, and on which processors."""
