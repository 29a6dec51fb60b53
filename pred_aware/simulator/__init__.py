"""A Batsim-compatible simulator that needs only Python."""
