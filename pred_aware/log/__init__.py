"""Job logs and workloads in memory, from which simulations and predictions start."""
