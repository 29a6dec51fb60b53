"""The Standard Workload Format, in and out."""
