"""The rule by which a difference is significant, with Holm's correction for many at once."""

from collections.abc import Sequence
from itertools import starmap

from pred_aware.statistics.intervals import Difference, Interval

SURE = 0.05
"""Significance level of p values, after Holm's correction if there are several."""


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's corrected p values of several comparisons.

    Among twenty comparisons of equal policies, one is significant at 95 % on average. If only
    corrected p values below 0.05 count, the probability of any wrong one is at most 5 %, for any
    dependence between the comparisons.

    Parameters
    ----------
    p_values
        P values of the comparisons; ``None`` for those without one, which are not counted.

    Returns
    -------
    list of float or None
        In the same order; none is smaller than before, and none above 1.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for before, (value, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - before) * value))
        adjusted[place] = highest
    return adjusted


def significant_sign(change: Interval, together: float | None) -> int:
    """Return -1 for a significant decrease, 1 for a significant increase, else 0.

    A difference is significant if its 95 % interval excludes 0, and its p value, corrected by Holm
    over its family, is below 0.05.

    Parameters
    ----------
    change
        The difference, with its own interval.
    together
        Its p value from `holm` over its family.

    Notes
    -----
    A family consists of the differences that are shown together, because readers pick the striking
    ones:

    - in a campaign, its tables and its page: all differences from the baseline over perturbed
    copies, of each policy on each log in each measure of a run;
    - in a study: those of its campaign, that is all policies in all measures of its tables, at all
    tried sizes of the machine, and not only those in the answer: ``campaign table`` on its
    ``campaign.toml`` has the same;
    - in a comparison, and so in a rehearsal (``service shadow``): all runs in all figures;
    - of groups of jobs: all groups of one kind (all users, all sizes) under all of these policies,
    on all logs and in all measures;
    - of a paper's claim: the differences that one trial of it needs, usually one. The claim was
    stated before the results were seen, so each trial has its own answer. The result with all
    claims of the paper as a family is shown next to it.

    A difference without a p value is never significant: with fewer than two repetitions, if a
    repetition has no figure, if the baseline's mean is 0, or if it is not over perturbed copies
    (weeks, resamples, shares of jobs by their waits), where each interval stands alone. It is not
    counted in the family either. Figures that are equal in all repetitions have a p value of 1, and
    count; figures that differ by the same share in all have a p value of 0, and are significant.

    Examples
    --------
    >>> from pred_aware.statistics import paired_difference
    >>> found = paired_difference([100.0, 110.0, 90.0], [80.0, 90.0, 71.0])
    >>> round(found.p_value, 3)
    0.002
    >>> [significant_sign(found, times * found.p_value) for times in (1, 12, 40)]
    [-1, -1, 0]
    """
    if not change.significant or together is None or together >= SURE:
        return 0
    return -1 if (change.value or 0.0) < 0.0 else 1


def significant_alone(change: Interval, together: float | None) -> bool:
    """Return True if a difference is significant alone, but not within its family.

    Parameters
    ----------
    change, together
        As in `significant_sign`; without a p value the result is False.
    """
    return (
        together is not None and bool(change.significant) and not significant_sign(change, together)
    )


def in_view(family: Sequence[Difference]) -> list[int]:
    """Return the `significant_sign` of each difference of a family.

    Examples
    --------
    >>> from pred_aware.statistics import paired_difference
    >>> baseline = [100.0, 110.0, 90.0, 105.0]
    >>> others = [80.0, 90.0, 71.0, 86.0], baseline
    >>> in_view([paired_difference(baseline, other) for other in others])
    [-1, 0]
    """
    together = holm([one.p_value for one in family])
    return list(starmap(significant_sign, zip(family, together, strict=True)))
