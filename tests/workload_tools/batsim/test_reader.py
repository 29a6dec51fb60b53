"""What is read of a Batsim workload's jobs."""

import json
from copy import deepcopy
from itertools import chain
from typing import Any

import msgspec
import pytest

from tests.suites import each_case
from workload_tools.batsim.reader import parse_raw
from workload_tools.batsim.versions import to_version_4, to_version_5
from workload_tools.errors import WorkloadError

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


def test_jobs_checked_together_equal_those_checked_one_by_one() -> None:
    at_once = arrays(["1", "2", "3"], [60, -1, 7.5])
    assert at_once == arrays([1, "2", "3"], [60, -1, 7.5])
    assert at_once == arrays(["1", "2", "3"], [60, None, 7.5])
    assert at_once == arrays(["w0!1", "2", "3"], [60, -1, 7.5])


OF_VERSION_5 = {
    "nb_res": 4,
    "jobs": [
        {"id": 0, "subtime": 1, "res": 1, "profile": "d", "extra_data": {"user_id": 7, "own": [1]}},
        {"id": 1, "subtime": 2, "res": 2, "profile": "s", "walltime": 99, "extra_data": '{"q": 2}'},
        {"id": 2, "subtime": 3, "res": 2, "profile": "f", "extra_data": "0-1"},
    ],
    "profiles": {
        "d": {"type": "DelayProfile", "delay": 10, "extra_data": {"np": 4}},
        "s": {"type": "SequentialCompositionProfile", "repeat": 2, "seq": ["d", "d"]},
        "f": {"type": "SequentialCompositionProfile", "repeat": 2, "seq": ["d", "e", "d"]},
        "e": {"type": "DelayProfile", "delay": 1.5, "ret": 3},
        "t": {"type": "TraceReplayProfile", "trace_type": "SMPI", "filename": "a.txt"},
        "h": {
            "type": "ParallelTaskHomogeneousProfile", "cpu": 1e9, "com": 0,
            "generation_strategy": "DefinedAmountsSpreadUniformly",
        },
    },
}  # fmt: skip


def test_versions_4_and_5_of_a_workload_are_read_the_same() -> None:
    content = json.dumps(OF_VERSION_5).encode()
    raw = parse_raw(content, "w.json")
    assert raw.content == content
    assert raw.arrays.delay.tolist() == [10.0, 40.0, 11.5]
    assert raw.arrays.failing.tolist() == [False, False, True]
    assert raw.details.values("user_id") == {7}
    assert [raw.details.job_fields(place).get("extra_data") for place in range(3)] == [
        None, None, "0-1",
    ]  # fmt: skip
    four = to_version_4(content)
    profiles = json.loads(four)["profiles"]
    assert profiles["d"] == {"type": "delay", "delay": 10, "np": 4}
    assert profiles["t"] == {"type": "smpi", "trace": "a.txt"}
    assert profiles["h"]["type"] == "parallel_homogeneous_total"
    assert to_version_4(four) == four
    # `extra_data` comes back as an object
    back = json.loads(to_version_5(four))
    expected = deepcopy(OF_VERSION_5)
    expected["jobs"][1]["extra_data"] = {"q": 2}  # type: ignore[index]
    assert back == expected
    assert json.loads(to_version_4(to_version_5(four))) == json.loads(four)


@each_case(
    ("profile", "message"),
    [
        ({"type": "composed", "seq": ["d", "gone"]}, "must be composed of one or more delay"),
        ({"type": "composed", "seq": ["s"]}, "must be composed of one or more delay"),
        ({"type": "composed", "seq": []}, "must be composed of one or more delay"),
        ({"type": "composed", "seq": ["d"], "repeat": 0}, "must be composed of one or more"),
        ({"type": "composed", "seq": 5}, "must be composed of one or more"),
        ({"type": "DelayProfile", "delay": -1}, "needs a delay of 0 s or more"),
        ({"type": "TraceReplayProfile", "trace_type": "SMPI"}, "has the type 'smpi'"),
    ],
)
def test_invalid_composed_and_version_5_profiles_are_refused(
    profile: dict[str, Any], message: str
) -> None:
    workload = {
        "jobs": [{"id": 0, "subtime": 0, "res": 1, "profile": "s"}],
        "profiles": {"d": {"type": "delay", "delay": 1}, "s": profile},
    }
    with pytest.raises(WorkloadError, match=message):
        parse_raw(json.dumps(workload).encode(), "w.json")
