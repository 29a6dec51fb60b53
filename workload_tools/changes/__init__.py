"""Logs made of logs: cleaned, anonymised, scaled, inferred, twins."""
