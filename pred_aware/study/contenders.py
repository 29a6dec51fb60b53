"""The policies of a study: the site's scheduler without and with predictions, and more policies."""

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
"""The schedulers that can be a study's baseline."""
REORDERED = "recommended"
"""The policy that also reorders the queue. No batch system can be configured to do this."""
PREDICTOR = "log_boosting"
"""The predictor of a study. docs/how-to/study.md compares it with other predictors."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy that a study simulates."""

    name: str
    """The name in the study, its files and its campaign."""
    what: str
    """The policy in a few words, for readers who do not know its name."""
    definition: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The policy in the format of a campaign's file; empty for the scheduler called `name`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contenders:
    """The policies of a study, and the reasons for their choice."""

    policies: tuple[Contender, ...]
    """The baseline, the baseline with predictions, then further policies."""
    scheduler: str
    """A description of the baseline, such as ``Slurm's scheduler as Mine configures it``."""
    why: str
    """Why this is the baseline, in a sentence."""
    condition: str
    """The end of a headline: how the site would deploy predictions."""

    @property
    def baseline(self) -> Contender:
        """The policy with which the other policies are compared."""
        return self.policies[0]

    @property
    def judged(self) -> str:
        """The name of the policy that the answer is about."""
        return self.policies[1].name

    @property
    def definitions(self) -> dict[str, Mapping[str, Any]]:
        """The policies by name, in the format of a campaign's file."""
        return {one.name: one.definition for one in self.policies}

    @property
    def compared(self) -> str:
        """A sentence about the compared pair of policies."""
        return (
            f"The study simulates {self.scheduler}, once planning with the users' time limits and "
            "once planning with predicted run times. The priority order is the same."
        )


def not_understood(configured: "ConfiguredSite") -> list["SiteFinding"]:
    """Return the settings of a configuration that the simulations ignore."""
    kinds = ("unknown", "not read", "not modelled")
    return [one for one in configured.findings if one.kind in kinds]


_REORDERED = Contender(
    REORDERED,
    "plans with predicted run times and also reorders the queue: the job that has waited longest "
    "relative to its predicted run time is first",
)
_SYSTEMS = MappingProxyType({SLURM: "Slurm", OPENPBS: "OpenPBS"})


def contenders(
    site: "Site | None", *, base: str | None = None, inferred: bool = False
) -> Contenders:
    """Choose the baseline, which represents the site's scheduler, and the other policies.

    Parameters
    ----------
    site
        The site, if there is one. If it states the configuration of its batch system, the baseline
        is that system's scheduler.
    base
        The name in `BASES` that the user chose, or ``None``.
    inferred
        Whether the study infers rules from the log, which requires EASY as the baseline.

    Raises
    ------
    PredAwareError
        `base` is not in `BASES`, or rules cannot be inferred with it.

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
            f"--baseline {base} with --infer-site: rules can be inferred only with the baseline "
            "EASY. Leave out one of the two options"
        )
    stated = _stated(site)
    taken = base or (EASY if inferred else stated) or EASY
    system = _SYSTEMS.get(taken, "EASY")
    why = "because the configuration of the batch system is unknown"
    if base is not None:
        why = "because --baseline selects it"
    elif stated is not None:
        states = "because the site states its configuration"
        why = states if taken == stated else "because --infer-site works only with EASY"
    called = site.name if site is not None and site.name else "the site"
    configured = f"as {called} configures it" if taken == stated else "in its default configuration"
    easy = "a scheduler that starts jobs early if they do not delay the first job (EASY)"
    # a job that runs longer than predicted gets a longer prediction; OpenPBS has its own correction
    correction = {} if taken == OPENPBS else {"correction": "doubling"}
    predicted = Contender(
        f"{taken}_predicted",
        "the baseline, but planning with predicted run times (soft time limits)",
        MappingProxyType({"scheduler": taken, "predictor": PREDICTOR, **correction}),
    )
    cautious = "the baseline, but planning with cautious predictions, most of them too long"
    others = [Contender("soft_walltime", cautious)] if taken == EASY else []
    return Contenders(
        policies=(
            Contender(taken, "the scheduler without changes, planning with the users' time limits"),
            predicted,
            *others,
            _REORDERED,
        ),
        scheduler=easy if taken == EASY else f"{system}'s scheduler {configured}",
        why=f"The baseline is {system}, {why}.{_no_plan(taken, site)}",
        condition=_condition(taken, site),
    )


def _stated(site: "Site | None") -> str | None:
    """Return the batch system whose configuration the site states, ``None`` if there is none."""
    if site is None:
        return None
    return SLURM if site.slurm is not None else OPENPBS if site.openpbs is not None else None


def _condition(base: str, site: "Site | None") -> str:
    """Return the end of a headline that says how the site would deploy predictions."""
    if base == OPENPBS:
        return "with PBS's soft walltimes"
    if base == SLURM:
        version = slurm_version(site)
        old = version and not has_soft_limits(version)
        return "after an upgrade to Slurm 25.05.4" if old else "with Slurm's soft time limits"
    return "if the scheduler planned with predictions"


def _no_plan(base: str, site: "Site | None") -> str:
    """Return a sentence if the scheduler does not plan ahead, else an empty text."""
    why = ""
    if base == SLURM and site is not None and site.slurm is not None and not site.slurm.backfill:
        why = "SchedulerType is sched/builtin"
    if base == OPENPBS:
        configured = None if site is None else site.openpbs
        plans = configured and (configured.strict_ordering or configured.help_starving_jobs)
        why = "" if plans else "strict_ordering is off, so every job that fits starts"
    return f" It does not plan ahead ({why}), so predictions change nothing." if why else ""
