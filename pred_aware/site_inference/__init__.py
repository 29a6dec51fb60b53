"""Infer a site's rules from the first half of its log, and test the rules on the second half."""
