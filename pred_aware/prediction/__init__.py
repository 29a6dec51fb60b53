"""How well predictors predict: a log replayed, errors measured, tables, pictures and a report."""
