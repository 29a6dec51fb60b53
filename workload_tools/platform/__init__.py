"""Platforms: XML in and out."""
