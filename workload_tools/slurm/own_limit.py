"""The limit that a user asked for, where a bridge has put a prediction in its place."""

import re

BRIDGED = "limit set by a bridge: the user's own taken, uw= in AdminComment"

_MINUTES = re.compile(r"(?:^|[\s,;])uw=([0-9]{1,9}|UNLIMITED)(?=$|[\s,;])")


def own_limit(comment: str, limit: float | None) -> tuple[float | None, bool]:
    """Return a job's own limit in seconds, and whether that is another than the one it had.

    A bridge between a predictor and Slurm that shortens limits while jobs wait notes the user's own
    in minutes as ``uw=MINUTES`` in the job's AdminComment, beside whatever stands there.

    Parameters
    ----------
    comment
        The AdminComment.
    limit
        The limit that the accounting has, in seconds; ``None`` for none.

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
