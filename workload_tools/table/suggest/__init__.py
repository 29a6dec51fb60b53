"""Suggest a first column map of a table from its column names and its first rows."""
