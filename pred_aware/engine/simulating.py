"""Simulating a policy in arrays: from a workload's jobs to what became of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite
from pred_aware.engine.asking import Asking
from pred_aware.engine.beginning import beginning
from pred_aware.engine.calendar_arrays import calendar_of
from pred_aware.engine.coverage import (
    CANDIDATES,
    Arrangement,
    arrangement_of,
    code_of,
    code_of_backfilling,
    terms_of,
)
from pred_aware.engine.job_arrays import Floats, Integers, JobArrays, JobNames
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.loop import simulate
from pred_aware.engine.kernel.priority_values import Priority
from pred_aware.engine.kernel.values import Jobs, Rules, State, Trust
from pred_aware.engine.node_arrays import NodeArrays
from pred_aware.engine.outcome import Outcome
from pred_aware.engine.pbs_arrays import places_of
from pred_aware.engine.predicting.loading import asking_in_arrays
from pred_aware.engine.priority_arrays import priority_of
from pred_aware.engine.records import for_these
from pred_aware.engine.site_arrays import SiteArrays
from pred_aware.engine.slurm_arrays import has_room_for, slurm_of
from pred_aware.engine.slurm_tries import ON_PROCESSORS, Tries, tries_of
from pred_aware.engine.timetable_arrays import has_exact_dates, timetable_of, with_more_rows
from pred_aware.simulator.ledger import PROGRESS_EVERY
from schedulers import make_policy
from schedulers.backfilling.trust_log import TrustLog
from schedulers.job import Job
from schedulers.machine.counting import Counting
from schedulers.machine.nodes import Nodes
from schedulers.policy.estimates import FromPredictor
from schedulers.slurm.cluster import cluster_of
from workload_tools.batsim.workload import WORKLOAD_PREFIX, RawWorkload


def outcome_of(
    raw: RawWorkload,
    jobs: JobArrays,
    arrangement: Arrangement,
    *,
    processors: int,
    users: Integers | None,
    asked: AskedOfSite | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcome | None:
    """Simulate a policy on a machine that is idle.

    Parameters
    ----------
    raw, jobs
        The workload, and its jobs as arrays.
    arrangement
        The policy.
    processors
        Size of the machine.
    users
        A number for the user of each job, for policies that learn; shape (jobs,).
    asked
        What the jobs ask a site for, where the policy has its rules or its priority.
    progress
        Called now and then with the number of jobs that are over, where predictors are asked.

    Returns
    -------
    Outcome
        ``None`` where a job waits for ever or a correction fails: the Python parts tell of it, with
        a policy that is made anew.
    """
    number = len(jobs.submit)
    refused = _refused(arrangement, jobs, processors)
    order = _by_number(raw, jobs, refused=refused, by_id=arrangement.parts.by_id)
    in_order = jobs.redated(order, jobs.submit[order])
    duration = in_order.duration
    refused = refused[order]
    site = nodes = None
    asked = None if asked is None else asked.in_order(order)
    if arrangement.gate is not None and asked is not None:
        site = _site_of(arrangement, asked, in_order)
        nodes = site.nodes
        asks = arrangement.predicts == codes.ASKED
        if (asks and site.refuses_later) or (arrangement.on_nodes and nodes is None):
            return None
        in_order = replace(in_order, walltime=site.walltime)
        refused[site.too_large] = codes.TOO_LARGE
        refused[site.nowhere] = codes.NOWHERE
    settle = None if site is None else site.settle
    places = places_of(arrangement.ranking, arrangement.gate, asked, in_order, settle)
    tries = _tries_of(arrangement, nodes, processors=processors, jobs=number)
    exact = has_exact_dates(in_order, refused, arrangement.delay)
    if places is None or tries is None or not exact:
        return None
    kept = Jobs(
        submit=in_order.submit,
        processors=in_order.processors,
        walltime=in_order.walltime,
        duration=duration,
        refused=refused,
        user=np.full(number, -1) if users is None else users[order],
        queueing=arrangement.estimates(in_order, "queueing"),
        backfilling=arrangement.estimates(in_order, "backfilling"),
        running=arrangement.estimates(in_order, "running"),
        rank=places[0],
    )
    rules = _rules_of(arrangement, processors)
    gate = None if site is None else site.gate
    priority = _priority_of(arrangement, asked, in_order, site, processors)
    state, schedule, bound, trust = beginning(
        kept.processors, rules,
        users=int(kept.user.max(initial=0)) + 1, gate=gate, priority=priority, pbs=places[1],
        calendar=calendar_of(
            arrangement.calendar, asked, in_order.submit, site=site, processors=processors
        ),
        slurm=slurm_of(
            arrangement.slurm, asked, sizes=kept.processors, processors=processors, nodes=nodes,
            tries=tries,
        ),
        nodes=nodes,
        timetable=timetable_of(kept, arrangement.delay, order=order, processors=processors),
    )  # fmt: skip
    asking = asking_in_arrays(raw, order, arrangement, rules, kept, state, schedule) or Asking(
        raw, order, arrangement.predicted, plans=rules.plans,
        settle=settle,
    )  # fmt: skip
    go_on = for_these(simulate, kept, rules, state, schedule, bound, trust, state.gate)
    go_on()
    reported = 0
    while state.counts[codes.ASKS]:
        if state.counts[codes.ASKS] == codes.ESTIMATES:
            asking.answer(kept, state, schedule)
        else:
            state = _with_more(state, site, processors)
            go_on = for_these(simulate, kept, rules, state, schedule, bound, trust, state.gate)
        over = int(state.counts[codes.OVER])
        if progress is not None and over >= reported + PROGRESS_EVERY:
            reported = over
            progress(over)
        go_on()
    if rules.predicts == codes.ASKED:
        asking.tell(state, schedule)
    if state.counts[codes.FAILED] or state.counts[codes.OVER] < number:
        return None
    schedule = schedule._replace(changes=schedule.changes[: state.counts[codes.CHANGES]])
    machine = Counting(arrangement.allocation)
    machine.begin(processors)
    placed = None if state.timetable is None else state.timetable.placed
    trust_log = _trust_log(arrangement, trust)
    return Outcome(raw, jobs, order, kept, schedule, machine, trust_log, site, nodes, placed)


def _trust_log(arrangement: Arrangement, trust: Trust | None) -> TrustLog | None:
    """Return when estimates were used, where that is decided."""
    if arrangement.trusted is None or trust is None:
        return None
    log = TrustLog()
    for now, of_estimates, of_walltimes in trust.log[: trust.counts[codes.CHANGED]].tolist():
        log.changed(now, concordance=of_estimates, of_walltimes=of_walltimes)
    return log


def _with_more(state: State, site: SiteArrays | None, processors: int) -> State:
    """Return a state with more hours of windows, or with more room for what jobs have."""
    if state.timetable is not None:
        state = state._replace(timetable=with_more_rows(state.timetable))
    elif site is not None and state.counts[codes.ASKS] == codes.HOURS:
        state = state._replace(gate=site.later())
    elif site is not None and site.nodes is not None:
        nodes = site.nodes
        nodes.grow(processors)
        state = state._replace(nodes=nodes.nodes, over=nodes.over, beside=nodes.beside)
    state.counts[codes.ASKS] = 0
    return state


def _refused(arrangement: Arrangement, jobs: JobArrays, processors: int) -> Integers:
    """Return why jobs are refused, whatever the rules of a site."""
    refused = np.where(jobs.processors > processors, codes.TOO_LARGE, codes.FITS)
    if arrangement.delay is not None:
        refused[(refused == codes.FITS) & (jobs.walltime == np.inf)] = codes.NO_WALLTIME
    return refused


def _site_of(arrangement: Arrangement, asked: AskedOfSite, jobs: JobArrays) -> SiteArrays:
    assert arrangement.gate is not None
    if arrangement.slurm is not None:
        # which lets the machine refuse what Slurm never has nodes for
        cluster_of(arrangement.machine, old=arrangement.slurm.parameters.old)
    site = SiteArrays(
        arrangement.gate,
        arrangement.machine,
        asked,
        submit=jobs.submit,
        processors=jobs.processors,
        walltime=jobs.walltime,
        remembers=bool(getattr(arrangement.parts.backfilling, "remembers", True)),
    )
    if site.nodes is not None:
        bounded, beside = arrangement.bounded, arrangement.places
        site.nodes.add_time(jobs.processors, bounded=bounded, beside=beside)
    return site


def _priority_of(
    arrangement: Arrangement,
    asked: AskedOfSite | None,
    jobs: JobArrays,
    site: SiteArrays | None,
    processors: int,
) -> Priority | None:
    if arrangement.multifactor is None or asked is None:
        return None
    return priority_of(
        arrangement.multifactor,
        asked,
        submit=jobs.submit,
        processors=jobs.processors,
        walltime=jobs.walltime,
        size=processors,
        settle=None if site is None else site.settle,
    )


def _tries_of(
    arrangement: Arrangement, nodes: NodeArrays | None, *, processors: int, jobs: int
) -> Tries | None:
    """Return where Slurm tries jobs; ``None`` where only Python can say that, or has the room."""
    machine, slurm = arrangement.machine, arrangement.slurm
    if slurm is None:
        return ON_PROCESSORS
    many = len(machine.layout.cores) if isinstance(machine, Nodes) else processors
    if not has_room_for(processors, jobs, nodes=many):
        return None
    if nodes is None or not isinstance(machine, Nodes):
        return ON_PROCESSORS
    return tries_of(slurm, machine, nodes.asked)


def _rules_of(arrangement: Arrangement, processors: int) -> Rules:
    parts, inside, bound = arrangement.parts, arrangement.backfilling, arrangement.bound
    order, trusted = parts.order, arrangement.trusted
    learns = arrangement.predicted
    source = next(iter(learns.values()), None)
    backlog = None if bound is None else bound.backlog
    return Rules(
        processors=processors,
        terms=np.array([code_of(one) for _, one in terms_of(order)], np.int64),
        weights=np.array([weight for weight, _ in terms_of(order)], np.float64),
        head_start=float(getattr(order, "head_start", 0.0)),
        changes=arrangement.changes,
        backfilling=code_of_backfilling(inside),
        candidates=CANDIDATES[getattr(inside, "candidates", "queue")],
        reservations=int(getattr(inside, "reservations", 1)),
        plans=bool(parts.backfilling.plans),
        bounded=bound is not None,
        wait=codes.NEVER if bound is None else float(bound.wait),
        overtaken=codes.NEVER if bound is None else float(bound.overtaken),
        share=np.nan if backlog is None else float(backlog.share),
        least=0.0 if backlog is None else float(backlog.least),
        ahead=0.0 if bound is None else float(bound.ahead),
        concordance=0.0 if trusted is None else float(trusted.least),
        correction=arrangement.correction,
        lead=float(parts.correction.lead),
        predicts=arrangement.predicts,
        queueing="queueing" in learns,
        backfill="backfilling" in learns,
        running="running" in learns,
        default=source.default if isinstance(source, FromPredictor) else 0.0,
    )


def _by_number(raw: RawWorkload, jobs: JobArrays, *, refused: Integers, by_id: bool) -> Integers:
    """Return the places of the jobs in the order in which the policy counts them."""
    submit = jobs.submit
    order = np.argsort(submit, kind="stable")
    if not by_id:
        return order
    # those that are refused first, as they were told
    ranks = np.where(refused != codes.FITS, -1, _rank(raw, order, submit))
    return np.lexsort((ranks, submit))


def _rank(raw: RawWorkload, order: Integers, submit: Floats) -> Integers:
    """Return the rank of each job's name as text among those of its date; 0 where it is alone."""
    ranks = np.zeros(len(order), np.int64)
    dates = submit[order]
    same = dates[1:] == dates[:-1]
    if not len(order):
        return ranks
    alike = order[np.append(same, False) | np.insert(same, 0, False)]
    names = {
        place: str(raw.jobs[place].id).removeprefix(WORKLOAD_PREFIX) for place in alike.tolist()
    }
    for rank, place in enumerate(sorted(names, key=names.__getitem__)):
        ranks[place] = rank
    return ranks


def compile_all(parts: frozenset[str] = frozenset()) -> None:
    """Compile what was not, and the parts that are compiled by themselves: simulate nothing."""
    integers, dates = np.zeros(0, np.int64), np.zeros(0)
    jobs = Jobs(dates, integers, dates, dates, integers, integers, dates, dates, dates, dates)
    options: dict[str, Any] = {"call_margin": None}
    if "bounded" in parts:
        options["max_wait"] = 0
    if "sited" in parts:
        options["site"] = {"cycle": 1}
    if "nodes" in parts:
        options["site"] = {"nodes": [{"name": "one", "count": 1, "cores": 1}]}
    if "places" in parts:
        options["reservations"] = 2
    if "multifactor" in parts:
        options["order"] = {"name": "multifactor", "slurm": {"priority_weight_age": 1}}
    if "pbs" in parts:
        options["order"] = {"name": "pbs", "openpbs": {"help_starving_jobs": True}}
    if "openpbs" in parts:
        options["backfilling"] = "openpbs"
    if "slurm" in parts:
        options["backfilling"] = "slurm"
    name = "conservative_bf" if "timetable" in parts else "policy"
    arrangement = arrangement_of(make_policy(name, {} if "timetable" in parts else options))
    assert arrangement is not None
    nobody = Job("", 0.0, 1, None)
    asked = AskedOfSite(integers, None, None, None, lambda _: nobody, arrangement.asks or ())
    none = JobArrays(dates, integers, dates, dates, dates > 0.0, JobNames([]), integers)
    site = None if arrangement.gate is None else _site_of(arrangement, asked, none)
    gate = None if site is None else site.gate
    nodes = None if site is None else site.nodes
    rules = _rules_of(arrangement, 0)
    places = places_of(arrangement.ranking, arrangement.gate, asked, none, None)
    begun = beginning(
        integers, rules, users=0, gate=gate, pbs=None if places is None else places[1],
        priority=_priority_of(arrangement, asked, none, None, 0),
        calendar=calendar_of(arrangement.calendar, asked, dates, site=site, processors=0),
        slurm=slurm_of(arrangement.slurm, asked, sizes=integers, processors=0, nodes=nodes),
        nodes=nodes,
        timetable=timetable_of(jobs, arrangement.delay, order=integers, processors=0),
    )  # fmt: skip
    for_these(simulate, jobs, rules, *begun, gate)
