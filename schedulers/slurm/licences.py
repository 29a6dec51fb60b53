"""Two limits of backfill: free licences, and the number of jobs that a pass considers."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from schedulers.core.job import Job
from schedulers.site.batch_system import Slurm
from schedulers.site.requests import licences_of
from schedulers.site.site import Limit, Site

_NONE: Mapping[str, float] = MappingProxyType({})


def is_of_all(limit: Limit) -> bool:
    """Return ``True`` if a site's limit states the total number of a licence."""
    of_all = limit.of == "licences" and not (limit.keys or limit.only or limit.by)
    return of_all and limit.per != "job" and limit.begin is None and limit.end is None


def without_own_limits(site: Site) -> Site:
    """Return a site without the total numbers of licences, for a scheduler that enforces them."""
    return replace(site, limits=tuple(one for one in site.limits if not is_of_all(one)))


class Licences:
    """Counts the used licences, but only those whose total number a limit of the site states."""

    def __init__(self, site: Site) -> None:
        self.all: dict[str, float] = {
            one.licence: one.most
            for one in site.limits
            if is_of_all(one) and one.licence is not None and one.most is not None
        }
        self._used: Counter[str] = Counter()
        self._held: dict[int, Mapping[str, float]] = {}

    def request_of(self, job: Job) -> Mapping[str, float]:
        """Return the licences that a job requests."""
        settings = (job.fields or {}).get("licences") if self.all else None
        if not settings:
            return _NONE
        return {
            name: count for name, count in licences_of(str(settings)).items() if name in self.all
        }

    def has(self, job: Job) -> bool:
        """Return True if the licences that a job requests are free now."""
        return all(
            self._used[name] + count <= self.all[name]
            for name, count in self.request_of(job).items()
        )

    def take(self, job: Job) -> None:
        """Take the licences of a job that starts."""
        request = self._held[job.number] = self.request_of(job)
        for name, count in request.items():
            self._used[name] += count  # type: ignore[assignment] # counts may be fractions

    def give_back(self, job: Job) -> None:
        """Free the licences of a job."""
        for name, count in self._held.pop(job.number, _NONE).items():
            self._used[name] -= count  # type: ignore[assignment]


class Share:
    """Counts the jobs that a backfill pass considers for each user, association and partition."""

    def __init__(self, settings: Slurm) -> None:
        self._user = settings.bf_max_job_user
        self._association = settings.bf_max_job_assoc
        self._partition = settings.bf_max_job_part
        self.counts = bool(self._user or self._association or self._partition)
        """Whether the settings limit any of these numbers."""
        self.begin()

    def begin(self) -> None:
        """Reset the counts for the next pass."""
        self._counts: Counter[tuple[object, ...]] = Counter()
        self._counted: set[tuple[object, ...]] = set()

    def has(self, job: Job, partition: str) -> bool:
        """Count a job in a partition, or return ``False`` if a limit is reached."""
        fields = job.fields or {}
        user, account = fields.get("user_id"), fields.get("project")
        keys = (
            (self._user, ("user", user)),
            (self._association, ("association", user, account)),
            (self._partition, ("partition", partition)),
        )
        # a job with several partitions counts once for its user and association
        new = [
            (most, key) for most, key in keys if most and (job.number, *key) not in self._counted
        ]
        if any(self._counts[key] >= most for most, key in new):
            return False
        for _, key in new:
            self._counts[key] += 1
            self._counted.add((job.number, *key))
        return True
