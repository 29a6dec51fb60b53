"""The Standard Workload Format: reading and writing."""
