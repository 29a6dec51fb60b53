"""Maps of tables: TOML files that state the meaning of each column."""
