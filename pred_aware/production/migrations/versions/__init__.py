"""A module for each schema, which names the previous schema."""
