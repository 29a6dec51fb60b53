"""What is read of a Batsim workload's jobs."""

from itertools import chain
from typing import Any

import msgspec

from workload_tools.batsim.reader import parse_raw

PROFILES = {
    "short": {"type": "delay", "delay": 5},
    "fails": {"type": "delay", "delay": 9.5, "ret": -1},
    "computes": {"type": "parallel_homogeneous", "cpu": 1e9, "com": 0},
    "nobody's": {"type": "msg_par"},
}


def arrays(ids: list[Any], walltimes: list[float | None]) -> list[Any]:
    """Read jobs of each profile, and return their ids and what is simulated of them."""
    jobs = [
        {"id": name, "subtime": place / 2, "res": place + 1, "profile": profile, "walltime": given}
        for place, (name, profile, given) in enumerate(
            zip(ids, [*PROFILES][:3], walltimes, strict=True)
        )
    ]
    raw = parse_raw(msgspec.json.encode({"jobs": jobs, "profiles": PROFILES}), "a workload")
    return [raw.ids, *map(repr, chain.from_iterable(one.tolist() for one in raw.arrays))]


def test_jobs_that_are_looked_at_at_once_are_as_those_looked_at_one_by_one() -> None:
    at_once = arrays(["1", "2", "3"], [60, -1, 7.5])
    assert at_once == arrays([1, "2", "3"], [60, -1, 7.5])
    assert at_once == arrays(["1", "2", "3"], [60, None, 7.5])
    assert at_once == arrays(["w0!1", "2", "3"], [60, -1, 7.5])
