"""Fair share of batch systems: a tree of shares, decaying usage, and factors from both."""
