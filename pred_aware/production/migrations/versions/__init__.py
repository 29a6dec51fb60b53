"""A module for each schema, each naming the one before."""
