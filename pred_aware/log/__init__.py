"""Input of a run in memory: job logs and workloads."""
