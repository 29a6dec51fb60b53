"""Infer a site's rules from the first half of its log and test them on the second half."""
