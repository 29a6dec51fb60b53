"""Campaigns, comparisons, the papers' experiments and reports."""
