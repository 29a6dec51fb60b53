"""Which processors a job gets."""
