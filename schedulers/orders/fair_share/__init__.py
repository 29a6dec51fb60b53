"""Fair share as batch systems count it: a tree of shares, usage that decays, factors of both."""
