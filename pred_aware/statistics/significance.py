"""The one rule by which a difference is called sure, with Holm's correction for many at once."""

from collections.abc import Sequence
from itertools import starmap

from pred_aware.statistics.intervals import Difference, Interval

SURE = 0.05
"""Below this a p value tells a difference apart, after Holm's correction where there are others."""


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return each p value as it is when all of them are looked at together.

    With twenty comparisons of policies that do not differ, one is significant at 95 % on average.
    Where only those below 0.05 after this are believed, any wrong one among them all has a
    probability of 5 % at most, whatever they have to do with each other.

    Parameters
    ----------
    p_values
        Of the comparisons, each alone; ``None`` for those that have none, and which don't count.

    Returns
    -------
    list of float or None
        In the same order, none smaller than before, none above 1.

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
    """Return -1 where a difference is surely less than none, 1 where surely more, else 0.

    It is sure if its 95 % interval leaves out 0, and still is significant with all differences of
    its family in view: its p value, corrected by Holm over the family, is below 0.05.

    Parameters
    ----------
    change
        The difference, with the interval that it has alone.
    together
        Its p value with all of its family in view, as `holm` gives it.

    Notes
    -----
    A family is what is shown together, for whoever reads it picks what stands out:

    - in a campaign, its tables and its page: all differences from the baseline over shakes, of
      each policy on each log in each measure of a run;
    - in a study: those of its campaign, so all policies in all measures of its tables, at all sizes
      of the machine that are tried, and not those alone of which the answer speaks: ``campaign
      table`` on its ``campaign.toml`` has the same;
    - in a comparison, and so in a rehearsal (``service shadow``): all runs in all figures;
    - of groups of jobs: all groups of one kind (all users, all sizes) under all of these policies,
      on all logs and in all measures;
    - of a paper's claim: the differences that one trial of it needs, mostly one. What is claimed
      was asked before anybody looked, so that each trial has an answer of its own. Beside it stands
      what remains with all claims of the paper in view.

    A difference without a p value is never sure: with fewer than two repetitions, where a
    repetition has no figure, where the baseline's mean is 0, and of another kind than that over
    shakes (weeks, resamples, shares of jobs by their waits), whose intervals are told each alone.
    It is not counted in the family either. Figures that are equal in all repetitions have a p value
    of 1, and count; those that differ by the same share in all have one of 0, and are sure.

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
    """Say whether a difference is significant alone, and not with all of its family in view.

    Parameters
    ----------
    change, together
        As for `significant_sign`; without a p value nothing is said of a family.
    """
    return (
        together is not None and bool(change.significant) and not significant_sign(change, together)
    )


def in_view(family: Sequence[Difference]) -> list[int]:
    """Return what is sure of each difference of a family, as `significant_sign` says it.

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
