"""The limit that a user requested, if a bridge replaced it by a prediction."""

import re

BRIDGED = "limit set by a bridge: user's own limit used (uw= in AdminComment)"

_MINUTES = re.compile(r"(?:^|[\s,;])uw=([0-9]{1,9}|UNLIMITED)(?=$|[\s,;])")


def own_limit(comment: str, limit: float | None) -> tuple[float | None, bool]:
    """Return a job's own limit in seconds, and whether it differs from the recorded one.

    A bridge between a predictor and Slurm may shorten the limits of waiting jobs. It stores the
    user's own limit in minutes as ``uw=MINUTES`` in the job's AdminComment, which may contain other
    text.

    Parameters
    ----------
    comment
        The AdminComment.
    limit
        The recorded limit in seconds; ``None`` for none.

    Examples
    --------
    >>> own_limit("seen; uw=120", 1800.0), own_limit("uw=none", 1800.0), own_limit("", None)
    ((7200.0, True), (1800.0, False), (None, False))
    """
    # most jobs have no comment
    found = _MINUTES.search(comment) if "uw=" in comment else None
    if found is None:
        return limit, False
    own = None if found[1] == "UNLIMITED" else 60.0 * int(found[1])
    return own, own != limit
