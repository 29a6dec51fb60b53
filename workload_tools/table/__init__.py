"""Tables of jobs (CSV, TSV, Parquet), read with a map that describes each column."""
