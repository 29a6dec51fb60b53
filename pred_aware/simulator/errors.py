"""The errors that end a simulation."""


class SimulationError(RuntimeError):
    """A simulation cannot continue. The message says when, why, and what to do."""


class DecisionError(SimulationError):
    """The decision process made an impossible decision."""


class DeadlockError(SimulationError):
    """Jobs wait, but no further event will occur."""


class PeerError(SimulationError):
    """The decision process at the other end of the socket is dead, silent or sends nonsense."""
