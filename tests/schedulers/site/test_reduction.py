"""A site that is nothing but processors gives the schedules of the recorded runs, byte for byte."""

from pathlib import Path
from typing import Any

import pytest

from pred_aware import read_workload, simulate

SITES: dict[str, dict[str, Any]] = {
    "processors": {"processors": 100},
    "nodes": {"nodes": [{"name": "n", "count": 25, "cores": 4}]},
    "a partition": {
        "nodes": [{"name": "n", "count": 100, "cores": 1}],
        "partitions": [{"name": "all", "nodes": "n", "default": True}],
    },
}
POLICIES = (
    "easy", "easy_plus_plus", "easy_sjbf", "conservative", "recommended", "filler",
    "soft_conservative",
)  # fmt: skip
QUICK = ("easy_plus_plus", "conservative", "filler")
KINDS = ("jobs", "machine_states", "estimates")


@pytest.mark.parametrize(
    "policy",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in POLICIES],
)
def test_a_site_with_only_processors_changes_no_byte(
    shared: Path, tmp_path: Path, policy: str
) -> None:
    folder = shared / "golden" / "transcripts"
    files = []
    for name, site in {"none": None, **SITES}.items():
        options = {} if site is None else {"site": site}
        simulate(
            read_workload(folder / "kth400.json.gz"), policy, platform=folder / "platform.xml",
            options=options, write_to=tmp_path / name,
        )  # fmt: skip
        files.append([(tmp_path / f"{name}_{kind}.csv").read_bytes() for kind in KINDS])
    assert files[1:] == files[:1] * len(SITES)
