"""The papers' claims, and whether they hold on the logs that are at hand."""
