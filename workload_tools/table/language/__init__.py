"""The language of maps: cells, dates, units and expressions."""
