"""Read the files of tables and of joined tables in batches of rows."""
