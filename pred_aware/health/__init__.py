"""Check the parts of this installation, with advice on each failure."""
