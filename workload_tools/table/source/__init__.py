"""Files of tables and of joined tables, read in batches of rows."""
