"""Holm's correction: many comparisons at once, of which some seem sure by chance."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return each p value as it is when all of them are looked at together.

    With twenty comparisons of policies that do not differ, one is told apart at 95 % on average.
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
