"""Changes by a policy, with intervals: one row, one table, and the same words everywhere."""
