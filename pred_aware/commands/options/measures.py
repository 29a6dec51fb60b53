"""What of a comparison is measured: measures, groups, and who gains and who loses."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from pred_aware.commands.options.groups import option
from pred_aware.commands.options.panels import OUTPUT
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from pred_aware.comparison.comparison import Comparison
    from pred_aware.comparison.simulated import Simulated

MEASURED = "What is measured"
TAU = 10.0
"""As `pred_aware.metrics.figures.TAU`, of which the help need not load the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureOptions:
    """What is asked for of a comparison."""

    PANEL: ClassVar = MEASURED
    measures: Annotated[
        str | None,
        option("NAME,...", "Measures to show, such as p99_waiting_time,lost_capacity, or all."),
    ] = None
    tau: Annotated[
        float,
        option("SECONDS", "Run times below this count as this in bounded slowdowns."),
    ] = TAU
    by: Annotated[
        list[str] | None,
        option(
            "GROUP",
            "Show the measures by size, length, user, queue or weekday too; may be given again.",
        ),
    ] = None
    gains: Annotated[
        Path | None,
        option(
            "FILE.csv",
            "Write each job's wait under the base and under the others, and the difference.",
            panel=OUTPUT,
        ),
    ] = None

    def check(self) -> None:
        """Refuse what can't be, before anything is read.

        Raises
        ------
        PredAwareError
            There is no such measure or group, the tau is no time, or the file is no CSV file.
        """
        from pred_aware.metrics.groups import BY

        if not 0.0 < self.tau < float("inf"):
            raise PredAwareError(
                f"--tau {self.tau:g}: give a positive number of seconds, such as 600"
            )
        for group in self.groups:
            if group not in BY:
                raise PredAwareError(f"--by {group}: jobs can be grouped by {', '.join(BY)}")
        gains = self.gains
        if gains is not None and not gains.name.lower().endswith((".csv", ".csv.gz")):
            raise PredAwareError(
                f"can't write gains to {gains}: its name must end in .csv or .csv.gz"
            )
        measures_named(self.measures)

    @property
    def groups(self) -> tuple[str, ...]:
        """By what the measures are shown, too, each once."""
        return tuple(dict.fromkeys(self.by or ()))

    def simulated(
        self, workload: Path | None, base: Path, *, marks_count: bool = False
    ) -> "Simulated":
        """Return what is known of the workload: as given, or as it is found.

        Parameters
        ----------
        workload
            The one that the user names.
        base
            The base's jobs file.
        marks_count
            Whether jobs marked as warm-up are left out in any case, as they are with shakes.

        Raises
        ------
        PredAwareError, WorkloadError
            It can't be read, or is needed and not found.
        """
        from pred_aware.comparison.simulated import given, looked_for
        from pred_aware.metrics.groups import FROM_WORKLOAD

        if workload is not None:
            return given(workload, base)
        needed = not FROM_WORKLOAD.isdisjoint(self.groups)
        named = measures_named(self.measures) or ()
        asked_for = self.gains is not None or "gini_of_users" in named
        found = looked_for(base, needed=needed)
        if marks_count and found.workload is not None:
            return replace(found, warm_up=found.workload.warm_up, remarks=())
        return found if asked_for or found.workload is not None else replace(found, remarks=())

    def write_gains(self, comparison: "Comparison") -> None:
        """Write what became of the wait of each job, whole or not at all, if it is asked for.

        Raises
        ------
        InputError
            The file can't be written.
        """
        if self.gains is None:
            return
        from workload_tools.files import packed, written_whole

        content = comparison.gains().to_csv(lineterminator="\n")
        with written_whole(self.gains) as file, packed(file, self.gains) as into:
            into.write(content.encode())


def measures_named(text: str | None) -> tuple[str, ...] | None:
    """Return the names of measures that an option lists; ``None`` where it was not given.

    Raises
    ------
    PredAwareError
        There is no measure of such a name, or none is named.

    Examples
    --------
    >>> measures_named("lost_capacity, mean_waiting_time")
    ('lost_capacity', 'mean_waiting_time')
    """
    if text is None:
        return None
    from pred_aware.metrics.table import MEASURES, chosen

    if text.strip() == "all":
        return tuple(MEASURES)
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise PredAwareError("--measures names none: give some, such as p99_waiting_time, or all")
    return chosen(names)
