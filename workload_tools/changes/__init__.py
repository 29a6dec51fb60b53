"""Changes of logs: cleaning, anonymisation, scaling, inference, twins."""
