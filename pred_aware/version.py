"""The version of this package, and which of its two builds runs."""

__version__ = "0.2.0"

_HOT = "pred_aware.simulator.ledger"
"""One of the modules that the compiled build compiles, all or none of them."""


def is_compiled() -> bool:
    """Say whether the modules in which a simulation spends its time are compiled.

    They are in a wheel that was built so (CONTRIBUTING.md); a clone runs their sources.
    """
    from importlib.util import find_spec

    found = find_spec(_HOT)
    return found is not None and not str(found.origin).endswith(".py")


def build() -> str:
    """Return in words which build runs: ``compiled`` or ``pure Python``."""
    return "compiled" if is_compiled() else "pure Python"
