"""Making of a campaign's runs on several machines, with Dask."""
