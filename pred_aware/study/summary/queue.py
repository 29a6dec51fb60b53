"""Whether the simulated queue is the site's."""

from collections.abc import Iterator

from pred_aware.report.sentence import Remark
from pred_aware.study.on_base import JUDGED
from pred_aware.study.studied import Studied
from schedulers.site.in_words import rules_in_words

MOST = 3
"""So many rules of a site are told in a summary."""
_MOST_BEHIND = 20
"""So many are told with the evidence: what a log shows of downtime can be hundreds."""
ODD = ("unknown", "not read")
"""Of a configuration, what may change results in a way that nobody can tell."""


def our_queue(study: Studied) -> Iterator[Remark]:
    """Say how far the simulated queue is the recorded one, and on which machine it is."""
    check, base, size = study.check, study.base, study.log.size
    if base is not None and study.check.answer in JUDGED:
        yield Remark(base.sentence, odd=base.verdict != "fitted")
    else:
        yield Remark(check.sentence, odd=check.warns)
    if size.guessed or size.others:
        yield Remark(size.sentence(followed=bool(study.on_other_sizes)), odd=True)
    yield from site_rules(study)
    walltimes = study.log.walltimes
    if walltimes.missing:
        became = (
            "were left out"
            if walltimes.given is None
            else f"were given one of {walltimes.given:,.0f} s, the same for all"
        )
        yield Remark(
            f"{walltimes.missing:,} of {walltimes.jobs:,} jobs have no walltime; they {became}.",
            odd=walltimes.most_missing,
        )
    if not study.log.users:
        yield Remark(
            "The log names no users, so predictors can't tell one user's jobs from another's.",
            odd=True,
        )


def size_remark(study: Studied) -> Iterator[Remark]:
    """Say who tells the machine's size, where nothing contradicts it."""
    size = study.log.size
    if not (size.guessed or size.others):
        yield Remark(size.sentence(followed=False))


def site_rules(study: Studied) -> Iterator[Remark]:
    """Say which of the site's rules are kept, and which of its configuration are not."""
    site, made = study.log.site, study.log.configured
    if site is not None:
        rules = rules_in_words(site, names=True)
        more = f"; and {len(rules) - MOST} more" if len(rules) > MOST else ""
        told = "; ".join(rules[:MOST]) or "none"
        inferred = study.base is not None and study.base.inferred is not None
        whose = "found in the log" if inferred else f"of {site.name}"
        yield Remark(f"Every schedule keeps the rules {whose}: {told}{more}.")
    if site is not None or study.log.contenders.under:
        yield Remark(study.log.contenders.why)
    if made is None:
        return
    yield Remark(
        f"The nodes, the rules and the scheduler's parameters are read from a snapshot of "
        f"{made.sentence}.",
        odd=any(one.kind in ODD for one in made.findings),
    )


def left_out(study: Studied) -> Iterator[Remark]:
    """Yield the rules for which a summary has no room, and what of a snapshot is no rule."""
    site, made = study.log.site, study.log.configured
    rules = () if site is None else rules_in_words(site, names=True)
    if len(rules) > MOST:
        which = "All rules"
        if len(rules) > _MOST_BEHIND:
            first = f"The first {_MOST_BEHIND} of {len(rules):,} rules"
            which = f"{first}, which the folder's site.toml has all"
        yield Remark(f"{which}: {'; '.join(rules[:_MOST_BEHIND])}.")
    for one in () if made is None else made.findings:
        told = one if study.log.key is None else one.without_people()
        yield Remark(f"Not in the site: {told} ({one.kind}).", odd=one.kind in ODD)
