"""The scope of a rehearsal, simulated or not, in plain words."""

from pred_aware.comparison.effect_tables import surely
from pred_aware.rehearsal.period import LEAD
from pred_aware.rehearsal.rehearsed import Rehearsed
from pred_aware.report.durations import DAY
from pred_aware.report.plural import counted
from pred_aware.report.remark import Remark, remarks


def what_is_simulated(rehearsal: Rehearsed) -> tuple[Remark, ...]:
    """Say what the schedules are of, for somebody who knows the real scheduler."""
    filling = (
        f"Jobs submitted up to {LEAD / DAY:.0f} days before the period are simulated with it, to "
        f"fill the machine: {counted(rehearsal.warm_up, 'job')} that no figure counts."
    )
    said = [_scheduled_with(rehearsal), NOT_SIMULATED, TWO_PASTS, NO_CALENDAR]
    return remarks([*said, filling] if rehearsal.warm_up else said)


NOT_SIMULATED = (
    "Not simulated: queues with their limits, limits of users, fair share, memory, nodes, "
    "reservations, preemption, and cycles that come late."
)
TWO_PASTS = (
    "What would have been set is what the service would have said: it learned what had ended on "
    "the real machine. In the schedules it learns what ends in the simulation."
)
NO_CALENDAR = (
    "Soft walltimes change nothing on a server that does not plan: OpenPBS does with "
    "strict_ordering: true in sched_config and a backfill_depth of 1 or more."
)


def _scheduled_with(rehearsal: Rehearsed) -> str:
    options = {"order": "fcfs", **rehearsal.options}
    told = ", ".join(f"{name} {_told(value)}" for name, value in options.items())
    return f"Scheduled on {rehearsal.baseline.processors:,} processors, all alike, with {told}."


def trust(rehearsal: Rehearsed) -> tuple[Remark, ...]:
    """Say how far to trust the schedules."""
    check, shaken = rehearsal.comparison.recorded_queue, rehearsal.comparison.shaken
    found = []
    if check is not None:
        found += [Remark(one, odd=True) for one in (check.about_size,) if one]
        found.append(Remark(check.sentence, odd=check.warns))
    if shaken is not None:
        found += [Remark(one) for one in surely(shaken)]
    return tuple(found)


def _told(value: object) -> str:
    if isinstance(value, dict) and "name" in value:
        others = ", ".join(f"{key} {one}" for key, one in value.items() if key != "name")
        return f"{value['name']} ({others})" if others else str(value["name"])
    return str(value)
