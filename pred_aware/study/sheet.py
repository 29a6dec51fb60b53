"""The sheet of a study, for print: the answer, its charts, and a manager's next questions."""

from collections.abc import Iterator

from pred_aware.report.page import Answer, Large, Section
from pred_aware.report.page.content import BETTER, WORSE, PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Table
from pred_aware.study.batch_system import SETUP
from pred_aware.study.charts import HeatMaps, WaitBars, unit_of
from pred_aware.study.contenders import not_understood
from pred_aware.study.study import Study
from pred_aware.study.verdict import WAIT, Bar, by_size, payers, signed
from schedulers.site.in_words import rules_in_words

RECORDED = "Recorded"
UNPREDICTED, PREDICTED = "Simulated without predictions", "Simulated with predictions"
TITLES = {
    "who": "Changes by job size",
    "sure": "How certain is this?",
    "next": "What to do",
    "unknown": "What is not simulated",
}
"""The titles of the parts of the sheet below the charts, by anchor."""
SOME = 0.005
"""The sheet reports waiting with free processors from this share of the waiting time on."""
WITH_RULES = " and the site's rules (--site)"
UNKNOWN = "How waits would change, and which jobs would gain or lose, is unknown."
NEVER_SIMULATED = "User reactions, job dependencies and other years."


def sheet(study: Study) -> Answer:
    """Return the sheet of a study's page."""
    found = study.verdict
    figures = bool(found.price)
    return Answer(
        sentence=found.headline,
        kind=found.kind,
        more=(found.seen.replace("`", ""),) if found.seen else (),
        charts=tuple(_charts(study, figures=figures)),
        figures=tuple(_cards(study)) if figures else (),
        parts=tuple(_parts(study, figures=figures)),
    )


def _cards(study: Study) -> Iterator[Large]:
    """Yield the change of the mean wait, and the changes of the waits that may grow."""
    assert study.base is not None
    effects = [("mean wait", study.judged[WAIT], study.base.points or 0.0)]
    effects += [(what, one, 0.0) for what, one, _ in payers(study, study.log.contenders.judged)]
    for label, one, points in effects:
        bar = Bar.of(one, points)
        if bar is not None:
            kind = BETTER if bar.high < 0.0 else WORSE if bar.low > 0.0 else ""
            yield Large(label, bar.signed, verdict=kind)


def _charts(study: Study, *, figures: bool) -> Iterator[PageBlock]:
    """Yield the charts, with predictions only if `figures`."""
    check = study.check
    series = []
    # if recorded dates are impossible, the recorded waits are meaningless
    if check.recorded is not None and check.simulated is not None and check.answer != "impossible":
        series = [
            ("recorded", RECORDED, check.recorded.mean),
            ("simulated", UNPREDICTED, check.simulated.mean),
        ]
    if figures:
        wait = study.runs[1].measures([WAIT])[WAIT]
        series.append(("predicted", PREDICTED, wait))
    if any(wait for _, _, wait in series):
        yield WaitBars(series)
    if figures:
        titled = tuple(zip((UNPREDICTED, PREDICTED), study.runs, strict=True))
        unit = unit_of(max(wait for _, _, wait in series))
        yield HeatMaps(titled, study.log.size_classes, unit)


def _parts(study: Study, *, figures: bool) -> Iterator[Section]:
    parts: dict[str, tuple[PageBlock, ...]] = {
        "who": tuple(_changes_by_size(study)) if figures else (),
        "sure": (tuple(_certainty(study)),),
        "next": (tuple(_next(study)),),
        "unknown": (remarks([NEVER_SIMULATED]),),
    }
    for anchor, title in TITLES.items():
        if parts[anchor]:
            yield Section(title, parts[anchor], anchor=anchor)


def _changes_by_size(study: Study) -> Iterator[PageBlock]:
    groups = by_size(study, study.log.contenders.judged)
    rows = tuple((sizes, signed(one)) for sizes, one in groups)
    yield Table("Change of the mean wait by size", ("processors", "change"), rows)
    if study.verdict.reordering:
        yield remarks([study.verdict.reordering])


def _certainty(study: Study) -> Iterator[Remark]:
    """Yield how sure the answer is, and whether the simulated queue is like the site's."""
    base, rounds, log = study.base, study.rounds, study.log
    figures = study.verdict.has_figures
    if not figures:
        yield Remark(UNKNOWN)
    if study.verdict.reason == "hardly any waits":
        yield Remark("Mean waits are below a minute, so jobs cannot gain or lose much.")
    elif base is not None and base.points is not None:
        yield Remark(
            "The simulated queue is like the recorded one (rank correlation "
            f"{base.test.correlation:.2f})."
        )
        points, least = f"{base.points:.0f}", ""
        if figures:
            yield Remark(f"± is the 95 % interval over {rounds.shakes} perturbed copies.")
            least = f"For the mean wait, ± is at least {points}. "
        yield Remark(
            f"{least}In tests, nine of ten changes were at most {points} percentage points wrong."
        )
    held = 0.0 if base is None else base.held or 0.0
    if held >= SOME:
        yield Remark(
            f"Unexplained: processors were free during {100 * held:.0f} % of the waiting time. "
            "Prediction does not change this."
        )
    doubts = {
        "All jobs belong to one user.": log.users == 1,
        "Most jobs have no time limit.": log.walltimes.most_missing,
        "The machine's size is a guess.": log.size.guessed,
    }
    yield from (Remark(doubt, odd=True) for doubt, holds in doubts.items() if holds)
    site, configured = log.site, log.configured
    if site is not None:
        rules = len(rules_in_words(site, names=True))
        kept = [f"[{counted(rules, 'rule')}](#rules)"] * (rules > 0)
        kept += ["the priority order"] * (site.order is not None)
        whose = "found in the log" if base is not None and base.inferred else "stated by the site"
        if kept:
            yield Remark(f"Simulated with {' and '.join(kept)} {whose}.")
    left = 0 if configured is None else len(not_understood(configured))
    if left:
        yield Remark(f"Not simulated: [{counted(left, 'setting')}](#rules) of the site.", odd=True)


def _next(study: Study) -> Iterator[Remark]:
    """Yield the next step, its cost, how to undo it, and how to get a more certain answer."""
    found = study.verdict
    yield Remark(found.next)
    if found.kind == "yes":
        yield Remark(
            f"[Set up, go back, what can go wrong](#{SETUP}). It costs an engineer some days."
        )
    else:
        nothing = found.next.startswith("Change nothing")
        until = "" if nothing else "Until then change nothing on the cluster. "
        yield Remark(f"{until}This costs nothing, and there is nothing to undo.")
    if found.has_figures:
        stated = study.log.site is not None and (study.base is None or not study.base.inferred)
        yield Remark(f"A longer log{'' if stated else WITH_RULES} would reduce the uncertainty.")
