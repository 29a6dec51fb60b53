"""Expressions that users write: over the columns of a table, and conditions on jobs."""
