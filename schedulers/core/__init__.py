"""The core: one definition of every scheduling rule."""
