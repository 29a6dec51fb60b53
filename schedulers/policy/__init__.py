"""The policy engine, with its estimates and their corrections."""
