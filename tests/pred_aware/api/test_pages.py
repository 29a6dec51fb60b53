"""The Python examples on pages about logs and results, run unchanged."""

import re
from pathlib import Path

import pytest

from tests.pred_aware.api.synthetic_log import write_log
from tests.suites import each_case

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [
    "how-to/inspect",
    "how-to/predict",
]

ENDED = (
    "03/01/2024 11:00:00;E;{n}.srv;user=bob queue=q ctime={n}00 start={n}10 end={n}70 "
    "Resource_List.nodes=1:ppn=4 Resource_List.walltime=00:10:00 resources_used.walltime=00:01:00\n"
)
SACCT = (
    "JobIDRaw|User|Partition|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS\n"
    "1|ann|batch|COMPLETED|2026-11-21T02:33:41|2026-11-21T02:33:42|300|10|4\n"
)


@pytest.fixture
def logs(here: Path) -> None:
    """The logs that the pages name, small ones."""
    write_log(here / "KTH-SP2-1996-2.1-cln.swf.gz")
    write_log(here / "LOG.swf")
    accounting = "".join(ENDED.format(n=n) for n in range(1, 21))
    (here / "accounting").write_text(accounting)
    (here / "sacct.txt").write_text(SACCT)


@pytest.mark.usefixtures("logs")
@each_case("page", PAGES)
def test_the_examples_on_pages_run(page: str) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(), re.DOTALL)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(lines, names)  # noqa: S102 - ours
    assert any(names.get(made) for made in ("log", "jobs", "inspection", "workload"))
