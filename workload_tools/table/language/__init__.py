"""The language of maps: how cells, dates, units and expressions are read."""
