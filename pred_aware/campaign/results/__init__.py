"""Results of a campaign's runs."""
