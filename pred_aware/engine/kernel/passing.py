"""A pass through the queue, and through that of a site, which a filled limit ends."""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.backfilling import choose_from
from pred_aware.engine.kernel.bound import choose_bounded, count_starts
from pred_aware.engine.kernel.by_places import choose_by_places
from pred_aware.engine.kernel.calendar import note_pass
from pred_aware.engine.kernel.capacity import look_at_machine
from pred_aware.engine.kernel.codes import CHOSEN, FAILED, FREE, HIDDEN, PASSED, SLURM, WAITING
from pred_aware.engine.kernel.gate_in_time import (
    note_promises,
    sort_out,
    stops_more,
    take_promises_back,
)
from pred_aware.engine.kernel.nodes_backfilling import choose_on_nodes, choose_slurm_on_nodes
from pred_aware.engine.kernel.nodes_values import Nodes
from pred_aware.engine.kernel.pbs import arrange
from pred_aware.engine.kernel.priority import bring_up
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_values import Slurm
from pred_aware.engine.kernel.starting import start_chosen
from pred_aware.engine.kernel.values import Bound, Jobs, Profile, Rules, Schedule, State, Trust


@compiled
def go_through(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    now: float,
) -> None:
    """Choose among the waiting jobs, and start those that are chosen."""
    counts = state.counts
    counts[CHOSEN] = 0
    note_pass(state.calendar, now)
    if counts[WAITING] > 1:
        bring_up(state.priority, now)
    arrange(state.pbs, jobs.rank, now)
    if bound is None or trust is None:
        _choose(jobs, rules, state, schedule, state.profile, state.nodes, now)
    else:
        choose_bounded(jobs, rules, state, schedule, bound, trust, now)
    start_chosen(jobs, rules, state, schedule, now)
    if bound is not None:
        count_starts(jobs, rules, state, bound)


@compiled
def _choose(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    counted: Profile | None,
    nodes: Nodes | None,
    now: float,
) -> None:
    # who is asked of an argument that is none is not compiled
    if counted is not None:
        choose_from(jobs, rules, state, schedule, state.queue, state.counts[WAITING], now)
    elif nodes is not None:
        _choose_on_nodes(jobs, rules, state, schedule, nodes, state.slurm, now)
    else:
        choose_by_places(jobs, state, state.timetable, now)


@compiled
def _choose_on_nodes(
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    nodes: Nodes,
    slurm: Slurm | None,
    now: float,
) -> None:
    beside, waiting, count = state.beside, state.queue, state.counts[WAITING]
    if slurm is None:
        choose_on_nodes(jobs, rules, state, schedule, nodes, beside, waiting, count, now)
    else:
        choose_slurm_on_nodes(jobs, rules, state, schedule, nodes, slurm, count, now)


@compiled_apart
def go_through_on_site(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    schedule: Schedule,
    bound: Bound | None,
    trust: Trust | None,
    gate: Gate,
    now: float,
) -> None:
    """Go through the jobs that no rule stops, and once more as often as a limit ends the pass."""
    counts = state.counts
    if gate.in_time:
        look_at_machine(jobs, rules, state, schedule, bound, gate, now)
    while True:
        sort_out(jobs, rules, state, bound, gate, now)
        if not counts[WAITING] or counts[FAILED]:
            return
        if gate.remembers:
            note_promises(state, schedule, gate)
        go_through(jobs, rules, state, schedule, bound, trust, now)
        if rules.backfilling == SLURM:
            # who was passed over waits for the limit from now on
            sort_out(jobs, rules, state, bound, gate, now)
            return
        passed = counts[PASSED] != 0
        free = counts[FREE] > 0
        counts[FREE] += counts[HIDDEN]
        counts[PASSED] = counts[HIDDEN] = 0
        # nor may what has a reservation keep it once a limit stops it
        if not passed and not (free and stops_more(gate)):
            return
        if gate.remembers:
            take_promises_back(schedule, gate)
