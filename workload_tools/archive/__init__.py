"""The logs of the Parallel Workloads Archive and public tables, and their download."""
