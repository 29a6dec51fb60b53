"""Each paper's claims, as data."""
