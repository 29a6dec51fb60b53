"""On a real log: killed ten times, by 1, 2, 4 workers, by two at once: one and the same store."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pred_aware as pa
from tests.pred_aware.campaign.stores import determined

KILLS = 10
LOG = "KTH-SP2-1996-2.1-cln.swf.gz"
FILE = """
keep_jobs = true
measures = ["mean_waiting_time", "later_than_baseline"]
[logs.KTH]
file = "{log}"
until = 1996-12-01
[policies.easy]
[policies.easy_plus_plus]
[policies.bounded]
scheduler = "easy"
max_wait = [7200, 86400]
[precision]
mean_waiting_time = 0.04
[shakes]
at_least = 5
at_most = 15
"""
RUN = [sys.executable, "-m", "pred_aware", "campaign", "run", "-q"]


def written(folder: Path, name: str, shared: Path) -> Path:
    """Write the campaign's file, with a store of its own."""
    file = folder / f"{name}.toml"
    file.write_text(FILE.format(log=shared / "traces" / LOG))
    return file


@pytest.mark.large
def test_kills_and_the_number_of_workers_do_not_change_the_store(
    shared: Path, tmp_path: Path
) -> None:
    chance = random.Random(13)  # noqa: S311 - when to kill
    killed = written(tmp_path, "killed", shared)
    left = []
    for _ in range(KILLS):
        process = subprocess.Popen([*RUN, "-j", "2", killed])  # noqa: S603 - our own command
        time.sleep(chance.uniform(3.0, 20.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        left.append(len(pa.read_campaign(killed).runs()))
    subprocess.run([*RUN, "-j", "2", killed], check=True)  # noqa: S603 - our own command
    for workers in ("1", "2", "4"):
        file = written(tmp_path, f"by{workers}", shared)
        subprocess.run([*RUN, "-j", workers, file], check=True)  # noqa: S603 - our own command
    both = written(tmp_path, "both", shared)
    at_once = [subprocess.Popen([*RUN, "-j", "1", both]) for _ in range(2)]  # noqa: S603
    assert [process.wait() for process in at_once] == [0, 0]
    names = ("killed", "by1", "by2", "by4", "both")
    stores = [determined(tmp_path / f"{name}.runs") for name in names]
    assert all(store == stores[1] for store in stores)
    assert left == sorted(left)
    assert left[-1] <= len(pa.read_campaign(killed).runs())
