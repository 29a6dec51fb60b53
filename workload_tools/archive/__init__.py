"""Download logs of the Parallel Workloads Archive, and public tables of jobs."""
