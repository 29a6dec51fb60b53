"""Making a campaign's runs elsewhere: by job arrays of a batch system, or by Dask."""
