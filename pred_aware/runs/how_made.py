"""The record of a simulation in this process, made when it is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from pred_aware.log.workload import Workload
from pred_aware.runs.made import Made, of_platform, of_workload, run_json
from workload_tools.platform.platform import Platform


@dataclass(frozen=True, slots=True)
class RunRecipe:
    """All that a run was made of but its workload, as `pred_aware.simulate` takes it."""

    policy: Any
    options: Mapping[str, Any]
    """The scheduler: a name, a class or a policy, and its options."""
    platform: Platform
    """The machine."""
    delays: Any
    """``none`` or ``batsim``."""
    jobs_sha256: str = ""
    """Of the jobs file that the run's own workload must give again; empty where that is certain,
    since nothing was read from files."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HowMade:
    """The content of ``PREFIX_run.json`` of a simulation in this process, made when it is read.

    The digests of the workload and the jobs take a while, and need their text.
    """

    who_decides: Made = field(kw_only=False)
    """As `made_by_scheduler` tells."""
    workload: Workload
    platform: Platform
    delays: str
    transport: str
    rejected: Mapping[str, int]
    """How many jobs were rejected, by reason."""
    files: Mapping[str, str]
    """Where workload and platform are, seen from the folder of the run's files."""
    jobs_sha256: Callable[[], str]
    engine: str
    date: datetime = field(default_factory=partial(datetime.now, UTC))

    def text(self) -> Iterator[str]:
        """Return the JSON."""
        yield run_json(
            self.who_decides,
            workloads=[of_workload(self.workload)],
            platform=of_platform(self.platform),
            delays=self.delays,
            transport=self.transport,
            jobs_sha256=self.jobs_sha256(),
            engine=self.engine,
            rejected=self.rejected,
            files=self.files,
            date=self.date,
        )
