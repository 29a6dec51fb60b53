"""A regression tree of whole numbers of seconds, in compiled loops."""
