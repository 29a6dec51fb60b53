"""Read and write Batsim's workloads."""
