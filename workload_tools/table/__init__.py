"""Read tables of jobs (CSV, TSV, Parquet) with a map that describes the columns."""
