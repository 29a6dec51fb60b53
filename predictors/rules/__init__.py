"""Rules of thumb on past jobs: means, percentiles, ratios, neighbours."""
