"""Paper 004's figures: relative to the baseline, as in the paper, but with intervals."""

from collections.abc import Callable

from reproductions.checks.of_simulations import JobClass, PolicyDifference, PolicyMean
from reproductions.claims.paper_004_trying import (
    BELOW,
    EXACT,
    FCFS,
    LENGTHS,
    LOGS,
    MEASURES,
    ON_BLOCKS,
    ROLES,
    SCHEMES,
    SIZES,
    STARTS,
    WFP,
)
from reproductions.figures.figures import LOG, Bars, Figure, PaperFigure, less_than_under

Labelled = tuple[tuple[str, str], ...]
"""Labels with names."""

_SHORT = ("wait", "unitless wait", "slowdown")
_ALL = tuple(zip(_SHORT, MEASURES, strict=True))
_BELOW = tuple(zip(_SHORT, BELOW, strict=True))
_KINDS = tuple(zip(("from the head", "past the head", "backfilled"), STARTS, strict=True))
_VARIANTS = (("", ", counted"), (ON_BLOCKS, ", on blocks"))
_EXACTLY = "run times in some roles"


def _named(*names: str) -> Labelled:
    """Label policies as the paper does."""
    return tuple(("S111" if name == EXACT else name, name) for name in names)


def _accuracies(names: tuple[str, ...]) -> Labelled:
    return tuple((name.rpartition(" ")[2] if "=" in name else "a=0", name) for name in names)


def _panels(bars: Callable[[str], Bars]) -> tuple[tuple[str, Bars], ...]:
    """Return a panel for each log and machine, whose policies' names have a suffix."""
    return tuple((f"{LOG}{called}", bars(suffix)) for suffix, called in _VARIANTS)


def _gains_in(
    place: str, title: str, policies: Labelled, baseline: str, measures: Labelled
) -> Figure:
    def bars(on: str) -> Bars:
        return tuple(
            (label, shown, PolicyDifference(name + on, baseline + on, measure))
            for label, name in policies
            for shown, measure in measures
        )

    return Figure(place, title, less_than_under(baseline), LOGS, _panels(bars))


def _gains(place: str, title: str, policies: Labelled, baseline: str) -> list[Figure]:
    return [
        _gains_in(f"{place}{part}", f"{title}{of}", policies, baseline, measures)
        for part, of, measures in (
            ("a", ", all jobs", _ALL),
            ("b", ", jobs below the 99th percentile", _BELOW),
        )
    ]


def _starts(place: str, title: str, policies: Labelled) -> Figure:
    def bars(on: str) -> Bars:
        return tuple(
            (label, shown, PolicyMean(name + on, measure))
            for label, name in policies
            for shown, measure in _KINDS
        )

    title = f"how jobs are started, {title}"
    return Figure(place, title, "of the jobs", LOGS, _panels(bars), "stacks")


def _waits(place: str, title: str, policies: Labelled, classes: tuple[JobClass, ...]) -> Figure:
    def bars(on: str) -> Bars:
        return tuple(
            (jobs.label, label, PolicyMean(name + on, jobs=jobs))
            for jobs in classes
            for label, name in policies
        )

    return Figure(place, title, "mean wait", LOGS, _panels(bars), unit="h")


def _gains_of_classes(
    place: str, title: str, policies: Labelled, classes: tuple[JobClass, ...]
) -> Figure:
    def bars(on: str) -> Bars:
        return tuple(
            (jobs.label, label, PolicyDifference(name + on, f"WFP{on}", jobs=jobs, others=jobs))
            for jobs in classes
            for label, name in policies
        )

    return Figure(place, title, less_than_under("WFP"), LOGS, _panels(bars))


_IN_CLASSES = (
    *_named("user-based", "combined", "selective"),
    ("exact run times", EXACT),
)

FIGURES: tuple[PaperFigure, ...] = (
    _gains_in("IV.C, table III", "WFP against FCFS", _named("WFP"), "FCFS", _ALL),
    *_gains("IV.C, figure 4", "FCFS with accuracy a", _accuracies(FCFS[1:]), "FCFS"),
    _starts("IV.C, figure 4c", "FCFS with accuracy a", _accuracies(FCFS)),
    *_gains("IV.C, figure 5", "WFP with accuracy a", _accuracies(WFP[1:]), "WFP"),
    _starts("IV.C, figure 5c", "WFP with accuracy a", _accuracies(WFP)),
    *_gains("IV.C, figure 6", _EXACTLY, _named(*ROLES, EXACT), "WFP"),
    _starts("IV.C, figure 7", _EXACTLY, _named("WFP", *ROLES, EXACT)),
    *_gains("V.B, figure 8", "estimates adjusted by past jobs", _named(*SCHEMES), "WFP"),
    _starts("V.B, figure 8c", "estimates adjusted by past jobs", _named("WFP", *SCHEMES)),
    *(
        figure
        for number, what, classes in ((9, "size", SIZES), (10, "length", LENGTHS))
        for place, title in ((f"V.B, figure {number}", f"mean wait by {what}"),)
        for figure in (
            _waits(place, title, (*_named("WFP"), *_IN_CLASSES), classes),
            _gains_of_classes(place, f"{title}, less than with walltimes", _IN_CLASSES, classes),
        )
    ),
)
