"""Making of a campaign's runs: workers on this machine, and their work."""
