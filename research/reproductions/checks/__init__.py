"""Checks of each kind of claim."""
