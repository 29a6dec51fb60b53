"""A first map of a table, guessed from its names and a sample of its values."""
