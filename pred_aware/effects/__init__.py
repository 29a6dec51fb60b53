"""Effects of policies, with intervals: rows, tables and sentences."""
