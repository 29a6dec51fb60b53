"""Column maps: TOML files that state the meaning of each column."""
