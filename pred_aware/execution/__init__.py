"""Runs of a scheduler with a simulator, in this process or with pybatsim and the real Batsim."""
