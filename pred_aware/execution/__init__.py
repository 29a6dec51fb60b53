"""Who is on which side of a run: policy, pybatsim, Batsim, decision process."""
