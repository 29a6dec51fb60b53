"""The policies of a study: the site's scheduler as it is and with predictions, and others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.site_configuration.reading import has_soft_limits, slurm_version

if TYPE_CHECKING:
    from pred_aware.site_configuration import ConfiguredSite
    from pred_aware.site_configuration.configured import SiteFinding
    from schedulers.site.site import Site

EASY, SLURM, OPENPBS = "easy", "slurm", "openpbs"
BASES = (EASY, SLURM, OPENPBS)
"""The schedulers that a study can take as the site's own."""
REORDERED = "recommended"
"""The policy that also reorders the queue, which no batch system does by its configuration."""
PREDICTOR = "log_boosting"
"""Others were tried; docs/how-to/study.md has what they change."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy of a study."""

    name: str
    """The name in the study, its files and its campaign."""
    what: str
    """The policy in a few words, for readers who do not know its name."""
    definition: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The policy in a campaign's file; empty for the scheduler of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contenders:
    """The policies of a study: the baseline, the same with predictions, then the others."""

    policies: tuple[Contender, ...]
    scheduler: str
    """The baseline in sentences, such as ``Slurm's scheduler as Mine configures it``."""
    why: str
    """Why this is the baseline, in a sentence."""
    condition: str
    """How the site would deploy predictions, as the end of a headline."""

    @property
    def baseline(self) -> Contender:
        """The policy that the others are compared with."""
        return self.policies[0]

    @property
    def judged(self) -> str:
        """The name of the policy that the answer is about."""
        return self.policies[1].name

    @property
    def definitions(self) -> dict[str, Mapping[str, Any]]:
        """The policies as a campaign's file has them."""
        return {one.name: one.definition for one in self.policies}

    @property
    def compared(self) -> str:
        """The compared pair in a sentence."""
        return (
            f"Compared: {self.scheduler}, planning with the users' time limits, and the same "
            "scheduler, in the same order, planning with predicted run times."
        )


def not_understood(configured: "ConfiguredSite") -> list["SiteFinding"]:
    """Return the settings of a configuration that no schedule follows."""
    kinds = ("unknown", "not read", "not modelled")
    return [one for one in configured.findings if one.kind in kinds]


_REORDERED = Contender(
    REORDERED,
    "also reorders the queue: first the job that has waited longest relative to its predicted run "
    "time",
)
_SYSTEMS = MappingProxyType({SLURM: "Slurm", OPENPBS: "OpenPBS"})
_PREDICTED = MappingProxyType(
    {
        EASY: MappingProxyType({"predictor": PREDICTOR, "correction": "doubling"}),
        SLURM: MappingProxyType({"predictor": PREDICTOR, "correction": "doubling"}),
        # which has a correction of its own
        OPENPBS: MappingProxyType({"predictor": PREDICTOR}),
    }
)
"""Soft time limits: the scheduler plans with the prediction, and a job that outlives its prediction
gets a longer one. Only the user's limit ends a job."""


def contenders(
    site: "Site | None", *, base: str | None = None, inferred: bool = False
) -> Contenders:
    """Choose the scheduler that stands for the site's own, and the policies beside it.

    Parameters
    ----------
    site
        The site, if there is one. Where it states the configuration of its batch system, the
        baseline is that system's scheduler.
    base
        One of `BASES`, if the user chose.
    inferred
        Whether the log is searched for rules, which is done with EASY's queue.

    Raises
    ------
    PredAwareError
        There is no such baseline, or the log cannot be searched for rules with it.

    Examples
    --------
    >>> from schedulers.site.site import Site
    >>> from schedulers.site.batch_system import Slurm
    >>> [one.name for one in contenders(Site(name="here", slurm=Slurm())).policies]
    ['slurm', 'slurm_predicted', 'recommended']
    >>> contenders(None).judged
    'easy_predicted'
    """
    if base is not None and base not in BASES:
        raise PredAwareError(f"--baseline {base}: must be one of {', '.join(BASES)}")
    if inferred and base not in (None, EASY):
        raise PredAwareError(
            f"--baseline {base} with --infer-site: rules are looked for by EASY's queue; leave "
            "one out"
        )
    stated = _stated(site)
    taken = base or (EASY if inferred else stated) or EASY
    system = _SYSTEMS.get(taken, "EASY")
    why = "since the configuration of the batch system is unknown"
    if base is not None:
        why = "as --baseline says"
    elif stated is not None:
        states = "since the site states its configuration"
        why = states if taken == stated else "since --infer-site looks for rules by its queue"
    called = site.name if site is not None and site.name else "the site"
    configured = f"as {called} configures it" if taken == stated else f"as {system} is installed"
    easy = "a scheduler that lets short jobs pass where they delay nobody at the head (EASY)"
    predicted = Contender(
        f"{taken}_predicted",
        "the same, planning with predicted run times (soft time limits)",
        MappingProxyType({"scheduler": taken, **_PREDICTED[taken]}),
    )
    others = [_REORDERED]
    if taken == EASY:
        others = [
            Contender("soft_walltime", "the same, with cautious predictions, mostly too long"),
            _REORDERED,
        ]
    return Contenders(
        policies=(
            Contender(taken, "the scheduler as it is, planning with the users' time limits"),
            predicted,
            *others,
        ),
        scheduler=easy if taken == EASY else f"{system}'s scheduler {configured}",
        why=f"The baseline is {system}, {why}.{_no_plan(taken, site)}",
        condition=_condition(taken, site),
    )


def _stated(site: "Site | None") -> str | None:
    """Return the batch system whose configuration a site states."""
    if site is None:
        return None
    return SLURM if site.slurm is not None else OPENPBS if site.openpbs is not None else None


def _condition(base: str, site: "Site | None") -> str:
    """Return how predictions would be deployed, as the end of a headline."""
    if base == OPENPBS:
        return "with PBS's soft walltimes"
    if base == SLURM:
        version = slurm_version(site)
        old = version and not has_soft_limits(version)
        return "after an upgrade to Slurm 25.05.4" if old else "with Slurm's soft time limits"
    return "if the scheduler planned with predictions"


def _no_plan(base: str, site: "Site | None") -> str:
    """Say where the scheduler makes no plan, so that predictions change nothing."""
    why = ""
    if base == SLURM and site is not None and site.slurm is not None and not site.slurm.backfill:
        why = "SchedulerType is sched/builtin"
    if base == OPENPBS:
        configured = None if site is None else site.openpbs
        plans = configured and (configured.strict_ordering or configured.help_starving_jobs)
        why = "" if plans else "strict_ordering is off, so whatever fits starts"
    return f" It makes no plan ({why}), so predictions change nothing." if why else ""
