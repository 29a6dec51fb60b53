"""The public job table of Marconi100."""
