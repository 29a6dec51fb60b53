"""Who is compared in a study: the base, the same with prediction, and others beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.site_configuration.soft_limits import has_soft_limits, slurm_version

if TYPE_CHECKING:
    from pred_aware.site_configuration import ConfiguredSite
    from pred_aware.site_configuration.configured import SiteFinding
    from schedulers.site.site import Site

EASY, SLURM, OPENPBS = "easy", "slurm", "openpbs"
BASES = (EASY, SLURM, OPENPBS)
"""What a study can take as its base."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy of a study, and what it is to somebody who has never heard of it."""

    name: str
    """By which the study, its files and its campaign call it."""
    what: str
    """In a few words."""
    spoken: str = ""
    """What sentences call it, where one is about it."""
    definition: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """What a campaign's file says of it; nothing for the scheduler of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contenders:
    """The policies of a study."""

    policies: tuple[Contender, ...]
    """The baseline first."""
    judged: str
    """The one that the answer is about, by name."""
    compared: str
    """What is compared, in a sentence."""
    why: str
    """What the base is, and why this one."""

    @property
    def baseline(self) -> Contender:
        """What the others are compared with."""
        return self.policies[0]

    @property
    def candidate(self) -> Contender:
        """The one that the answer is about."""
        return next(one for one in self.policies if one.name == self.judged)

    under: str = ""
    """What sentences say of a base that is a batch system's own scheduler; empty of EASY."""

    @property
    def definitions(self) -> dict[str, Mapping[str, Any]]:
        """What a campaign's file says of each policy."""
        return {one.name: one.definition for one in self.policies}

    def to_dict(self, configured: "ConfiguredSite | None") -> dict[str, Any]:
        """Return it as JSON has it, with what of the site's configuration is not followed."""
        return {
            "baseline": self.baseline.name,
            "judged": self.judged,
            "why": self.why,
            "compared": self.compared,
            "not_understood": None if configured is None else len(not_understood(configured)),
        }


NOT_UNDERSTOOD = ("unknown", "not read", "not modelled")


def not_understood(configured: "ConfiguredSite") -> list["SiteFinding"]:
    """Return what of a configuration no schedule follows."""
    return [one for one in configured.findings if one.kind in NOT_UNDERSTOOD]


_BASELINE = Contender(
    EASY,
    "EASY backfilling on the users' walltimes, as batch systems do it today; the baseline",
    "EASY",
)
_RECOMMENDED = Contender(
    "recommended",
    "what pred-aware would try first: the job that has waited longest relative to its predicted "
    "length goes first, as long as predictions tell short jobs from long ones; none is overtaken "
    "that has waited about as long as EASY lets jobs wait",
)
_ON_EASY = (
    _BASELINE,
    Contender(
        "easy_plus_plus",
        "EASY++: EASY planned with the mean of the user's last two run times; the shortest job is "
        "backfilled first",
    ),
    Contender("pred_aware", "paper 001: shortest predicted job first, whatever fits starts"),
    _RECOMMENDED,
)
_COMPARED = (
    "This compares EASY backfilling, which plans with the walltimes that users ask for, as batch "
    "systems do today, with `recommended`, which plans with run times predicted from past jobs. "
    "Both are simulated on this log."
)

PREDICTOR = "log_boosting"
_SYSTEMS = MappingProxyType({SLURM: "Slurm", OPENPBS: "OpenPBS"})
_SOFT = MappingProxyType(
    {
        SLURM: MappingProxyType({"predictor": PREDICTOR, "correction": "doubling"}),
        # which has the correction of its own
        OPENPBS: MappingProxyType({"predictor": PREDICTOR}),
    }
)
"""Soft walltimes: everything is planned by the prediction, and what outlives its own gets a longer
one."""


_LATER = (
    "the same with predictions for jobs that run, too, as Slurm from 25.05.4 on has soft limits; a "
    "prediction that a job outlives is made longer"
)


def contenders(
    site: "Site | None", *, base: str | None = None, inferred: bool = False
) -> Contenders:
    """Choose the base of a study, and who is compared with it.

    A site that says what its batch system is configured with has that system's scheduler as its
    base, and the same scheduler planning with predicted run times as its candidate.

    Parameters
    ----------
    site
        The site, if there is one.
    base
        One of `BASES`, where somebody has chosen.
    inferred
        Whether rules are looked for in the log, which is done by EASY's queue.

    Raises
    ------
    PredAwareError
        The base is none, or rules can't be looked for on it.

    Examples
    --------
    >>> from schedulers.site.site import Site
    >>> from schedulers.site.batch_system import Slurm
    >>> [one.name for one in contenders(Site(name="here", slurm=Slurm())).policies]
    ['slurm', 'slurm_predicted', 'recommended']
    >>> contenders(None).judged
    'recommended'
    """
    if base is not None and base not in BASES:
        raise PredAwareError(f"--baseline {base}: must be one of {', '.join(BASES)}")
    if inferred and base not in (None, EASY):
        raise PredAwareError(
            f"--baseline {base} with --infer-site: rules are looked for by EASY's queue; leave "
            "one out"
        )
    stated = _stated(site)
    if base is None and inferred and stated:
        return _on_easy(
            "The base is EASY, by whose queue rules of the site are looked for in the log, though "
            f"the site states {_SYSTEMS[stated]}'s configuration."
        )
    taken = base or stated or EASY
    if taken == EASY:
        chosen = base is not None and stated is not None
        return _on_easy(
            f"The base is EASY, as --baseline says, though the site states {_SYSTEMS[stated]}'s "
            "configuration."
            if chosen and stated is not None
            else "The base is EASY: no site states what its batch system is configured with."
        )
    return _on(taken, site, stated=taken == stated, chosen=base is not None)


def _stated(site: "Site | None") -> str | None:
    """Return the batch system whose configuration a site states."""
    if site is None:
        return None
    return SLURM if site.slurm is not None else OPENPBS if site.openpbs is not None else None


def _on_easy(why: str) -> Contenders:
    return Contenders(policies=_ON_EASY, judged="recommended", compared=_COMPARED, why=why)


def _on(base: str, site: "Site | None", *, stated: bool, chosen: bool) -> Contenders:
    """Return a batch system's scheduler, and those that are compared with it."""
    system, judged = _SYSTEMS[base], f"{base}_predicted"
    of = f"{system}'s scheduler"
    configured = f"as {_called(site)} configures it" if stated else f"as {system} is installed"
    whole = Contender(
        judged,
        f"the same, planning with run times predicted by {PREDICTOR}: walltimes stay the limits, "
        "and a prediction that a job outlives is made longer",
        definition=MappingProxyType({"scheduler": base, **_SOFT[base]}),
    )
    predicted: tuple[Contender, ...] = (whole,)
    version = slurm_version(site)
    if base == SLURM and version and not has_soft_limits(version):
        predicted = (_of_waiting(judged), replace(whole, name=f"{base}_soft", what=_LATER))
    policies = (
        Contender(base, f"{of} {configured}, planning with the users' walltimes; the baseline", of),
        *predicted,
        _RECOMMENDED,
    )
    plan = _plan(base, site)
    return Contenders(
        policies=policies,
        judged=judged,
        compared=(
            f"This compares {of} {configured}, which plans with the walltimes that users ask for, "
            "with the same scheduler planning with run times predicted from past jobs; both are "
            f"simulated on this log.{plan}"
        ),
        why=(
            f"The base is {of} {configured}"
            + (", as --baseline says." if chosen else ", since the site states its configuration.")
        ),
        under=f"{of} {configured}",
    )


def _of_waiting(name: str) -> Contender:
    """Return what Slurm can do with predictions below 25.05.4."""
    return Contender(
        name,
        f"the same, planning the jobs that wait with run times predicted by {PREDICTOR}, and those "
        "that run to their walltimes, which Slurm does below 25.05.4",
        definition=MappingProxyType(
            {"scheduler": SLURM, "estimates": {"backfilling": PREDICTOR, "running": "walltime"}}
        ),
    )


def _called(site: "Site | None") -> str:
    return site.name if site is not None and site.name else "the site"


def _plan(base: str, site: "Site | None") -> str:
    """Say where the scheduler has no plan that predictions could be for."""
    if base == SLURM:
        backfills = site is None or site.slurm is None or site.slurm.backfill
        why = "" if backfills else "SchedulerType is sched/builtin"
    else:
        told = None if site is None else site.openpbs
        plans = told is not None and (told.strict_ordering or told.help_starving_jobs)
        why = "" if plans else "without strict_ordering whatever fits starts"
    return (
        f" As it is configured it has no plan ({why}), so predictions change nothing."
        if why
        else ""
    )
