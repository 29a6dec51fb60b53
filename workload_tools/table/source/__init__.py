"""Files of tables and what is joined to them, a batch of rows at a time."""
