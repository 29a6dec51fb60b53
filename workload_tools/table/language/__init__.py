"""The language of column maps: how cells, dates, units and expressions are read."""
