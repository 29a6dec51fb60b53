"""Read tables of jobs (CSV, TSV, Parquet) with a column map, which describes the columns."""
