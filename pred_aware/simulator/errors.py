"""The errors that end a simulation, by what the user can do about them."""


class SimulationError(RuntimeError):
    """A simulation can't go on; the message says at which date, who did what, and what to do."""


class DecisionError(SimulationError):
    """The decision process asked for something that can't be."""


class DeadlockError(SimulationError):
    """Jobs wait, and nothing will ever happen again."""


class PeerError(SimulationError):
    """The decision process at the other end of the socket is gone, silent or incomprehensible."""
