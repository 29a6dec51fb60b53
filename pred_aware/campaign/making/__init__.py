"""Makers of a campaign's runs: workers of this machine, and what each does."""
