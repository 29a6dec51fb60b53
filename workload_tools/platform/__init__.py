"""Platforms: reading and writing XML."""
