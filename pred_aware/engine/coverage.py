"""What the engine covers: parts of a policy as its codes, or why it does not.

The table of a part has its classes alone, not those that inherit from them: what somebody else
made of one runs in Python. A new order is a line here and one in `kernel/queueing.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pred_aware.engine.formula_arrays import program_of_order
from pred_aware.engine.job_arrays import Floats, JobArrays
from pred_aware.engine.kernel import codes
from pred_aware.engine.slurm_arrays import fields_of
from predictors.rules.last_two import LastTwo
from schedulers import make_policy
from schedulers.backfilling.backfilling import Backfilling
from schedulers.backfilling.bounded import Bounded
from schedulers.backfilling.conservative import Conservative
from schedulers.backfilling.easy import Easy
from schedulers.backfilling.filler import Filler
from schedulers.backfilling.none import NoBackfilling
from schedulers.backfilling.openpbs import OpenPbsCalendar
from schedulers.backfilling.trusted import Trusted
from schedulers.batsched.conservative_bf import ConservativeBf
from schedulers.corrections.doubling import Doubling
from schedulers.corrections.openpbs import OpenPbs
from schedulers.corrections.power import Power
from schedulers.corrections.simple import Simple
from schedulers.corrections.tsafrir import Tsafrir
from schedulers.corrections.walltime import ToWalltime
from schedulers.decisions import Policy
from schedulers.machine.capacity import CountingInTime
from schedulers.machine.counting import Counting
from schedulers.machine.machine import Machine
from schedulers.machine.node_request import FIELDS as OF_NODES
from schedulers.orders import Order
from schedulers.orders.fcfs import Fcfs
from schedulers.orders.lxf import Lxf
from schedulers.orders.multifactor import FIELDS, Multifactor
from schedulers.orders.pbs import Pbs
from schedulers.orders.saf import Saf
from schedulers.orders.sjf import Sjf
from schedulers.orders.weighted import Weighted
from schedulers.orders.wfp import Wfp
from schedulers.policy.combined import ROLES, CombinedPolicy
from schedulers.policy.estimates import (
    SHORTEST,
    EstimateSource,
    FromAccuracy,
    FromConstant,
    FromDelay,
    FromPredictor,
    FromRecorded,
    FromWalltime,
)
from schedulers.policy.on_site import PolicyOnSite
from schedulers.policy.parts import PolicyParts
from schedulers.site.gate import Gate
from schedulers.site.gated_machine import GatedMachine
from schedulers.slurm.backfilling import SlurmBackfilling

POLICIES: Final = (CombinedPolicy, PolicyOnSite)
ORDERS: Final[Mapping[type, int]] = {
    Fcfs: codes.FCFS,
    Sjf: codes.SJF,
    Saf: codes.SAF,
    Lxf: codes.LXF,
    Wfp: codes.WFP,
}
BACKFILLINGS: Final[Mapping[type, int]] = {
    NoBackfilling: codes.NONE,
    Filler: codes.FILLER,
    Easy: codes.EASY,
    Conservative: codes.CONSERVATIVE,
    OpenPbsCalendar: codes.OPENPBS,
    SlurmBackfilling: codes.SLURM,
}
CANDIDATES: Final[Mapping[str, int]] = {
    "queue": codes.QUEUE,
    "shortest": codes.SHORTEST,
    "smallest": codes.SMALLEST,
    "best_fit": codes.BEST_FIT,
}
CORRECTIONS: Final[Mapping[type, int]] = {
    ToWalltime: codes.TO_WALLTIME,
    Doubling: codes.DOUBLING,
    Simple: codes.SIMPLE,
    Power: codes.POWER,
    Tsafrir: codes.TSAFRIR,
    OpenPbs: codes.MULTIPLES,
}
ALLOCATIONS: Final = ("lowest", "contiguous", "best_fit")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A policy that the engine covers."""

    parts: PolicyParts
    backfilling: Backfilling
    """The one inside of a bound on waiting and of trust."""
    bound: Bounded | None
    trusted: Trusted | None
    correction: int
    allocation: str
    """The rule by which jobs get processors."""
    predicts: int
    predicted: Mapping[str, EstimateSource]
    """The sources of the roles whose estimates are not known beforehand."""
    machine: Machine
    """Counted, or of a site's nodes."""
    gate: Gate | None
    """The rules of a site before it, where there are any."""
    delay: float | None = None
    """How many seconds beyond walltimes batsched's timetable has jobs, where it is the policy; the
    parts tell the order of the queue then."""

    @property
    def multifactor(self) -> Multifactor | None:
        """The order that is told what becomes of the jobs, if it is one."""
        order = self.parts.order
        return order if isinstance(order, Multifactor) and not order.by_submission else None

    @property
    def ranking(self) -> Pbs | None:
        """OpenPBS's order, if it is that and not by submission."""
        order = self.parts.order
        return order if isinstance(order, Pbs) and not order.by_submission else None

    @property
    def changes(self) -> bool:
        """Whether the order of two jobs may change while they wait, or Slurm takes it to."""
        order = self.parts.order
        keeps = isinstance(order, Pbs) and order.is_fixed and self.slurm is None
        return bool(order.changes) and not keeps

    @property
    def calendar(self) -> OpenPbsCalendar | None:
        """The backfilling, if it is OpenPBS's and has a calendar or passes of its own."""
        inside = self.backfilling
        if not isinstance(inside, OpenPbsCalendar) or isinstance(inside.plain, Filler):
            return None
        passes = inside.plain is None or inside.told.scheduler_iteration
        return inside if passes else None

    @property
    def slurm(self) -> SlurmBackfilling | None:
        """The backfilling, if it is Slurm's."""
        inside = self.backfilling
        return inside if isinstance(inside, SlurmBackfilling) else None

    @property
    def asks(self) -> tuple[str, ...] | None:
        """The fields of jobs that the site's rules, nodes and priority look at, if any do."""
        fields = {*fields_of(self.slurm)}
        parts = (self.gate, self.multifactor, self.ranking, self.calendar)
        if not fields and all(part is None for part in parts):
            return None
        if self.gate is not None:
            fields |= {*self.gate.kinds.fields}
        if self.ranking is not None:
            fields |= {*self.ranking.fields}
        if self.multifactor is not None:
            fields |= {*FIELDS}
        if self.on_nodes:
            fields |= {*OF_NODES}
        return tuple(sorted(fields))

    @property
    def compiled_apart(self) -> frozenset[str]:
        """What it has of what is compiled by itself."""
        parts = {
            "bounded": self.bounded,
            "sited": self.gate is not None,
            "nodes": self.on_nodes,
            "places": self.places,
            "multifactor": self.multifactor is not None,
            "pbs": self.ranking is not None and not self.ranking.is_fixed,
            "openpbs": self.calendar is not None,
            "slurm": self.slurm is not None,
            "timetable": self.delay is not None,
        }
        return frozenset(name for name, there in parts.items() if there)

    @property
    def takes(self) -> float:
        """How many times as long as under bare EASY a job takes in Python, at least."""
        if self.predicts == codes.ASKED:
            return 10.0
        if self.delay is not None:
            return 3.0
        return 5.0 if self.bounded else 2.0 if self.gate is not None else 1.0

    @property
    def bounded(self) -> bool:
        """Whether anything goes around the backfilling."""
        return self.bound is not None or self.trusted is not None

    @property
    def on_nodes(self) -> bool:
        """Whether the machine is of a site's nodes."""
        return not isinstance(self.machine, Counting)

    @property
    def places(self) -> bool:
        """Whether jobs have places on nodes beside the running ones, whatever a bound gives."""
        several = getattr(self.backfilling, "reservations", 1) > 1
        return self.on_nodes and (several or isinstance(self.backfilling, Conservative))

    def estimates(self, jobs: JobArrays, role: str) -> Floats:
        """Return the estimates of a role that are known beforehand, in seconds; shape (jobs,)."""
        source = self.parts.estimates[role]
        if type(source) is FromDelay:
            return _between(jobs.delay, jobs.walltime)
        if type(source) is FromConstant:
            return _between(np.full(len(jobs.delay), source.seconds), jobs.walltime)
        if type(source) is FromAccuracy:
            actual = _between(jobs.delay, jobs.walltime)
            given = jobs.walltime < np.inf
            estimates = actual.copy()
            estimates[given] = source.a * actual[given] + (1.0 - source.a) * jobs.walltime[given]
            return np.where(given, _between(estimates, jobs.walltime), actual)
        return jobs.walltime.copy()


def _between(seconds: Floats, walltime: Floats) -> Floats:
    return np.minimum(np.maximum(seconds, SHORTEST), walltime)


def arrangement_of(policy: Policy) -> Arrangement | None:
    """Return a policy's parts as the engine takes them; ``None`` where it does not cover one."""
    if type(policy) is ConservativeBf:
        plain = arrangement_of(make_policy("policy", {"backfilling": "none", "ties": "id"}))
        return None if plain is None else replace(plain, delay=policy.rjms_delay)
    if not isinstance(policy, CombinedPolicy) or type(policy) not in POLICIES:
        return None
    parts = policy.parts
    gate, machine = None, parts.machine
    if type(machine) is GatedMachine:
        gate, machine = machine.gate, machine.inside
    bound = parts.backfilling if type(parts.backfilling) is Bounded else None
    backfilling = parts.backfilling if bound is None else bound.inside
    trusted = backfilling if type(backfilling) is Trusted else None
    backfilling = backfilling if trusted is None else trusted.inside
    predicted = _predicted(parts)
    if (
        type(backfilling) not in BACKFILLINGS
        or not _plans_here(backfilling, bounded=backfilling is not parts.backfilling)
        or not _plans_as_slurm(backfilling, machine)
        or not _covers(parts.order)
        or not _is_covered(machine, parts, backfilling)
        or not _runs_off_here(gate, parts.order, backfilling)
        or predicted is None
    ):
        return None
    predicts, sources = predicted
    correction = codes.KEEPS
    if (
        parts.backfilling.plans
        and parts.correction.asks
        and type(parts.estimates["running"]) is not FromWalltime
    ):
        if type(parts.correction) not in CORRECTIONS or parts.call_margin is not None:
            return None
        correction = CORRECTIONS[type(parts.correction)]
    return Arrangement(
        parts, backfilling, bound, trusted, correction, getattr(machine, "allocation", "lowest"),
        predicts, sources, machine, gate,
    )  # fmt: skip


def _plans_here(backfilling: Backfilling, *, bounded: bool) -> bool:
    """Say whether nothing is around OpenPBS's calendar."""
    return not (bounded and isinstance(backfilling, OpenPbsCalendar))


def _runs_off_here(gate: Gate | None, order: Order, backfilling: Backfilling) -> bool:
    """Say whether OpenPBS counts no minutes as Slurm does."""
    of_pbs = isinstance(order, Pbs) or isinstance(backfilling, OpenPbsCalendar)
    return gate is None or not (gate.runs_off_in_steps and of_pbs)


def _plans_as_slurm(backfilling: Backfilling, machine: Machine) -> bool:
    """Say whether Slurm's scheduling has nodes, or counts processors, and no licences."""
    if not isinstance(backfilling, SlurmBackfilling):
        return True
    return getattr(machine, "allocation", "lowest") == "lowest" and not backfilling.licences.all


def _covers(order: Order) -> bool:
    """Say whether the engine has an order; of Slurm's fair share Fair Tree, of PBS's none."""
    if isinstance(order, Pbs):
        shares = type(order) is not Pbs or order.shares_count
        return not shares and program_of_order(order) is not None
    if not isinstance(order, Multifactor):
        return all(type(one) in ORDERS for _, one in terms_of(order))
    share = order.fair_share
    fair = not order.weight_share or (share.by_fair_tree and not share.resets)
    return type(order) is Multifactor and (order.by_submission or fair)


def code_of(order: Order) -> int:
    """Return the code of an order that is covered."""
    if isinstance(order, Multifactor | Pbs):
        if order.by_submission:
            return codes.FCFS
        return codes.RANKED if isinstance(order, Pbs) else codes.MULTIFACTOR
    return ORDERS[type(order)]


def code_of_backfilling(backfilling: Backfilling) -> int:
    """Return the code of a backfilling that is covered; OpenPBS's may be a plain one."""
    plain = getattr(backfilling, "plain", None)
    return BACKFILLINGS[type(plain or backfilling)]


def _is_covered(machine: Machine, parts: PolicyParts, backfilling: Backfilling) -> bool:
    """Say whether the loops do what a machine does, with the other parts."""
    if isinstance(machine, Counting):
        counted = type(machine) in (Counting, CountingInTime)
        return counted and machine.allocation in ALLOCATIONS
    # which a policy without a site does not need
    from schedulers.machine.nodes import Nodes

    if type(machine) is not Nodes:
        return False
    site = machine.site
    return not (site.reservations or parts.by_id) and type(backfilling) in (
        NoBackfilling,
        Filler,
        Easy,
        Conservative,
        SlurmBackfilling,
    )


def terms_of(order: Order) -> list[tuple[float, Order]]:
    """Return the weights and orders of which an order is the sum."""
    return order.parts if type(order) is Weighted else [(1.0, order)]


def _predicted(parts: PolicyParts) -> tuple[int, dict[str, EstimateSource]] | None:
    """Return where estimates come from, and the sources of those that are not known beforehand.

    ``None`` where one is somebody's own, or makes estimates anew while jobs wait.
    """
    known = (FromWalltime, FromDelay, FromConstant, FromAccuracy)
    estimates = parts.estimates
    sources = {role: estimates[role] for role in ROLES if type(estimates[role]) not in known}
    if not sources:
        return codes.GIVEN, sources
    first = next(iter(sources.values()))
    if (
        type(first) is FromPredictor
        and all(source is first for source in sources.values())
        and type(first.predictor) is LastTwo
        and first.predictor.fresh
    ):
        return codes.LAST_TWO, sources
    if not all(_is_ours(source) and source.valid_for == np.inf for source in sources.values()):
        return None
    return codes.ASKED, sources


def _is_ours(source: EstimateSource) -> bool:
    if type(source) is FromPredictor:
        return type(source.predictor).__module__.startswith("predictors.")
    return type(source) is FromRecorded
