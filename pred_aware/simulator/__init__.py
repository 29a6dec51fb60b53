"""A Batsim-compatible simulator, so that nothing but Python is needed."""
