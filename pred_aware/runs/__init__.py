"""Runs as values: the result of each job, measures, files, and provenance."""
