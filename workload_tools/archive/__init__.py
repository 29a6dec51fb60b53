"""The Parallel Workloads Archive: which logs there are, and fetching them."""
