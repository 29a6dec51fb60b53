"""Where a campaign's runs are made, and what jobs there are asked for."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar

from pred_aware.commands.options.groups import flag, option

_PANEL = "Where runs are made"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereOptions:
    """Where runs are made."""

    PANEL: ClassVar = _PANEL
    on: Annotated[
        str,
        option(
            "WHERE",
            "local; slurm-array or pbs-array: submit a job array; dask:ADDRESS: a Dask "
            "scheduler; dask-slurm or dask-pbs: Dask workers as jobs. The store must be on a "
            "shared folder.",
        ),
    ] = "local"
    wait: Annotated[
        bool,
        flag("With an array: wait for the jobs, and submit again until all is there."),
    ] = False
    walltime: Annotated[
        str | None, option("TIME", "Walltime per job, e.g. 2h; 1 h by default.")
    ] = None
    memory: Annotated[
        str | None,
        option("SIZE", "Memory per job, e.g. 4GB; runs that take more are ended."),
    ] = None
    cores: Annotated[int, option("", "Cores per job: so many runs at once.", min=1)] = 1
    partition: Annotated[str | None, option("NAME", "Slurm's partition, PBS's queue.")] = None
    account: Annotated[str | None, option("NAME", "Account to charge.")] = None
    python: Annotated[
        str | None,
        option("PATH", "The Python of the environment there; this one by default."),
    ] = None
    options: Annotated[
        list[str] | None,
        option(
            "OPTION",
            "One more for the batch system, such as --qos=low. Repeatable.",
            "--batch-option",
        ),
    ] = None
    before: Annotated[
        list[str] | None,
        option("LINE", "A line of the shell that each job runs first. Repeatable."),
    ] = None

    @property
    def jobs(self) -> dict[str, Any]:
        """The request of each job, as `pred_aware.campaign.cluster.jobs.jobs_of` takes it."""
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in asdict(self).items()
            if name not in {"on", "wait"}
        }
