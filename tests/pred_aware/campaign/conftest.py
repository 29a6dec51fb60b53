"""A small campaign."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pred_aware.api.made_log import write_log

WriteCampaign = Callable[..., Path]

POLICIES = """
[policies.easy]
[policies.easy_sjbf]
"""


@pytest.fixture
def campaign(tmp_path: Path) -> WriteCampaign:
    """Write a campaign's file on a log of so many jobs, which stands beside it."""

    def write(more: str = POLICIES, *, top: str = "", shakes: int = 3, jobs: int = 60) -> Path:
        write_log(tmp_path / "log.swf", jobs=jobs)
        path = tmp_path / "small.toml"
        at_least = f"[shakes]\nat_least = {shakes}\nat_most = {shakes}\n"
        path.write_text(f"{top}\n[logs.made]\nfile = 'log.swf'\n{at_least}{more}")
        return path

    return write
