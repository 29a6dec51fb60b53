"""A log of the periods in which estimates were trusted."""

from bisect import bisect_right
from collections.abc import Iterator

COLUMNS = ("time", "trusted", "concordance", "concordance_of_walltimes")
"""The columns of ``PREFIX_trust.csv``: date in seconds, trust from then on, concordances."""


class TrustLog:
    """The dates at which estimates gained or lost trust. They begin without trust.

    Examples
    --------
    >>> log = TrustLog()
    >>> log.changed(60.0, concordance=0.75, of_walltimes=0.5)
    >>> log.trusted(59.0), log.trusted(60.0)
    (False, True)
    >>> print("".join(log.text()), end="")
    time,trusted,concordance,concordance_of_walltimes
    60.000000,1,0.7500,0.5000
    """

    def __init__(self) -> None:
        self._dates: list[float] = []
        self._reasons: list[tuple[float, float]] = []

    def changed(self, now: float, *, concordance: float, of_walltimes: float) -> None:
        """Record a change of trust at `now`."""
        self._dates.append(now)
        self._reasons.append((concordance, of_walltimes))

    def trusted(self, at: float) -> bool:
        """Say whether the pass at a date used the estimates."""
        return bisect_right(self._dates, at) % 2 == 1

    def text(self) -> Iterator[str]:
        """Return the content of ``PREFIX_trust.csv``, piece by piece."""
        yield ",".join(COLUMNS) + "\n"
        for number, (date, reasons) in enumerate(zip(self._dates, self._reasons, strict=True), 1):
            yield f"{date:f},{number % 2},{reasons[0]:.4f},{reasons[1]:.4f}\n"
