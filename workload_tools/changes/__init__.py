"""Changes of logs: cleaning, anonymisation, scaling, inference of fields, synthetic twins."""
