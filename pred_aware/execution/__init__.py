"""The two sides of a run: policy, pybatsim, Batsim, decision process."""
