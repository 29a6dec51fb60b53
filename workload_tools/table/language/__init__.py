"""Cells, dates, units and expressions: what the words of a map say about values."""
