"""Simple rules on past jobs: means, percentiles, ratios, nearest neighbours."""
