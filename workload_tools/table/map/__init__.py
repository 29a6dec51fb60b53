"""Maps of tables: the meaning of each column, from a TOML file."""
