"""Decision processes: policies made of order, backfilling, estimates, correction, allocation."""
