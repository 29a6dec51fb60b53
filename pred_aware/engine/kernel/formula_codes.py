"""The steps of formulas; see `formula`."""

LOAD, GO, GO_UNLESS, NEGATE, NOT, ABSOLUTE, ROOT = range(7)
"""The first have a number; those behind them change what is on top of the stack."""
ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, MAXIMUM, MINIMUM = range(7, 14)
LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, EQUAL, UNEQUAL = range(14, 20)
"""These, and those before them, make one of the two on top."""
