"""Making a campaign's runs on more than one machine, by Dask."""
