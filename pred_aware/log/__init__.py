"""Input of a run, as values: job logs and workloads."""
