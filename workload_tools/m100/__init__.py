"""Marconi100's public job table."""
