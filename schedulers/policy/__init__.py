"""The policy engine: what it plans with, and what is corrected."""
