"""The freezes of a site: times in which no job starts."""

from bisect import bisect_right
from collections.abc import Callable

from schedulers.site.site import Date, Site, texts


class Freezes:
    """Times in which no job starts, on all partitions or on some of them."""

    def __init__(self, site: Site, seconds: Callable[[Date], float]) -> None:
        found = [
            (seconds(one.begin), seconds(one.end), texts(one.partitions)) for one in site.freezes
        ]
        self.dates = sorted({date for begin, end, _ in found for date in (begin, end)})
        """The dates at which freezes begin or end, in seconds."""
        # the partitions of each freeze that holds between two such dates
        self._stopped: list[list[tuple[str, ...]]] = [[] for _ in self.dates]
        places = {date: place for place, date in enumerate(self.dates)}
        for begin, end, partitions in found:
            for place in range(places[begin], places[end]):
                self._stopped[place].append(partitions)

    def __bool__(self) -> bool:
        """Return True if the site has a freeze."""
        return bool(self.dates)

    def stop(self, partition: str, now: float) -> bool:
        """Return True if no job of a partition may start at a date, in seconds."""
        place = bisect_right(self.dates, now) - 1
        if place < 0:
            return False
        return any(not names or partition in names for names in self._stopped[place])
