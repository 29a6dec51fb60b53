"""Options that several commands share, and what they do with them."""
