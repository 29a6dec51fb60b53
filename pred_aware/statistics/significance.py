"""Decide whether differences are significant, with Holm's correction for many differences."""

from collections.abc import Sequence
from itertools import starmap

from pred_aware.statistics.intervals import Difference, Interval

SURE = 0.05
"""Significance level of p values, after Holm's correction if there are several."""


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's corrected p values of several comparisons.

    Among twenty comparisons of equal policies, one is significant at 95 % on average. If only
    corrected p values below 0.05 are significant, the probability of any wrong result is at most
    5 %, for any dependence between the comparisons.

    Parameters
    ----------
    p_values
        P values of the comparisons. ``None`` for comparisons without a p value, which are ignored.

    Returns
    -------
    list of float or None
        The corrected p values in the same order, each between the original p value and 1.

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

    A difference is significant if its 95 % interval excludes 0 and its p value, after Holm's
    correction over its family of differences, is below 0.05.

    Parameters
    ----------
    change
        The difference, with its own interval.
    together
        The difference's p value from `holm` over its family.

    Notes
    -----
    A family consists of the differences that are shown together, because readers notice the largest
    of them:

    - in a campaign, its tables and its page: all differences from the baseline over perturbed
    copies, of each policy on each log in each measure of a run;
    - in a study: the differences of its campaign, that is all policies in all measures of its
    tables, not only the differences in the answer. ``campaign table`` on the study's
    ``campaign.toml`` has the same family;
    - in a comparison, and so in a rehearsal (``service shadow``): all runs in all measures;
    - for groups of jobs: all groups of one kind (all users, all sizes) under all of these policies,
    on all logs and in all measures;
    - for a paper's claim: the differences that one trial of the claim needs, usually one. The claim
    was stated before the results were seen, so each trial has its own answer. A second
    answer takes all claims of the paper as one family.

    A difference without a p value is never significant, and is not part of the family. A p value is
    missing with fewer than two repetitions, if a repetition has no value, if the baseline's mean
    is 0, or if the difference is not over perturbed copies (weeks, resamples, shares of jobs by
    their waits). Each of these intervals is judged alone. Values that are equal in all repetitions
    have a p value of 1, and belong to the family. Values that differ by an equal share in all
    repetitions have a p value of 0, and are significant.

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
