"""A whole study of a job log: what prediction would change, in one call."""
