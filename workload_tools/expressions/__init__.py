"""Parse expressions that users write: formulas over table columns, and conditions on jobs."""
