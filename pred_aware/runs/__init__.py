"""Runs as objects, with the result of each job, measures, files, and provenance."""
