"""Read and write logs in the Standard Workload Format (SWF)."""
