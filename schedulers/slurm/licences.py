"""The licences of a site: the total number of each, and the number in use."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from schedulers.core.job import Job
from schedulers.site.requests import licences_of
from schedulers.site.site import Limit, Site

_NONE: Mapping[str, float] = MappingProxyType({})


def is_of_all(limit: Limit) -> bool:
    """Return True if a limit states the total number of a licence."""
    of_all = limit.of == "licences" and not (limit.keys or limit.only or limit.by)
    return of_all and limit.per != "job" and limit.begin is None and limit.end is None


def rules_beside(site: Site) -> Site:
    """Return a site without the limits that a scheduler with licences enforces itself."""
    return replace(site, limits=tuple(one for one in site.limits if not is_of_all(one)))


class Licences:
    """The licences whose total number the site's limits state, for all users and dates."""

    def __init__(self, site: Site) -> None:
        self.all: dict[str, float] = {
            one.licence: one.most
            for one in site.limits
            if is_of_all(one) and one.licence is not None and one.most is not None
        }
        self._used: Counter[str] = Counter()
        self._held: dict[int, Mapping[str, float]] = {}

    def asked(self, job: Job) -> Mapping[str, float]:
        """Return the licences that a job requests."""
        told = (job.fields or {}).get("licences") if self.all else None
        if not told:
            return _NONE
        return {name: count for name, count in licences_of(str(told)).items() if name in self.all}

    def has(self, job: Job) -> bool:
        """Return True if the licences that a job requests are free now."""
        return all(
            self._used[name] + count <= self.all[name] for name, count in self.asked(job).items()
        )

    def take(self, job: Job) -> None:
        """Take the licences of a job that starts."""
        asked = self._held[job.number] = self.asked(job)
        for name, count in asked.items():
            self._used[name] += count  # type: ignore[assignment] # of parts of one, too

    def give_back(self, job: Job) -> None:
        """Free the licences of a job."""
        for name, count in self._held.pop(job.number, _NONE).items():
            self._used[name] -= count  # type: ignore[assignment]
