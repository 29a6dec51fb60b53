"""Maps of tables: what each column means, from a file in TOML."""
