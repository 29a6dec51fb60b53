"""A check of this installation: its parts, with advice on failures."""
