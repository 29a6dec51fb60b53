"""Tables of jobs (CSV, TSV, Parquet), read through a map that says what each column means."""
