"""What a run is made from, as values: job logs and workloads."""
