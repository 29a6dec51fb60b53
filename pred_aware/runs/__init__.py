"""Runs as values: what became of each job, in figures, in files, and how it was made."""
