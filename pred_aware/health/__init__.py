"""A check of this installation: each part that works or fails, and its remedy."""
