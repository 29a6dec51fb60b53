"""What a policy changes, with its interval: one row, one table, and the same words everywhere."""
