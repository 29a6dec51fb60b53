"""A site's rules inferred from its log: fitted on the first half, judged on the second."""
