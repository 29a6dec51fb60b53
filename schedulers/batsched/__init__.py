"""Schedulers that decide as batsched's do, processor by processor."""
