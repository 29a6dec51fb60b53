"""The commands that the pages show, run by a shell as they are written.

Small logs stand under the names that the pages use. What is not run is listed by name, with why.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.api.test_pages import ENDED, SACCT

DOCS = Path(__file__).parents[2] / "docs"
OF_THEIR_OWN = {"tutorial", "course"}
"""Pages whose commands `tests/pred_aware/commands/` runs, and compares with what is printed."""
PAGES = [
    page for page in sorted([DOCS.parent / "README.md", *DOCS.rglob("*.md")])
    if page.stem not in OF_THEIR_OWN
]  # fmt: skip
COMMAND = re.compile(
    r"^(?:\$ )?(?:pred-aware|pybatsim|python3?|pip|export|qmgr|/opt/pred-aware|unzip|\*)(?=[ /]).*"
)
NETWORK, ROOT_ONLY, CLUSTER = "fetches from the network", "changes a system, as root", "a cluster"
ANOTHER_LOG = "another log, or a larger one, than stands here"
SERVICE = "a running service; tests/pred_aware/production/ runs it"
TABLES = (DOCS / "reference" / "public-tables").glob("*.md")

NOT_RUN = {
    **{(page.stem, "pred-aware"): NETWORK for page in TABLES},
    ("eagle-2024", "unzip"): NETWORK,
    ("kestrel", "unzip"): NETWORK,
    ("README", "python3 -m venv"): "CI runs both",
    ("README", "pred-aware run -p machine.xml"): "batsim",
    ("README", "pred-aware study LOG"): "ten minutes by the clock",
    ("blocks", "pred-aware site machine mira.json --run"): ANOTHER_LOG,
    ("blocks", "pred-aware site machine intrepid.json --run"): ANOTHER_LOG,
    ("fidelity", "python benchmarks"): "recordings that are not published",
    ("public-tables", "pred-aware"): NETWORK,
    ("service", "pred-aware service store add"): "a PBS server's folder",
    ("service", "pred-aware service serve"): SERVICE,
    ("service", "pred-aware service health"): SERVICE,
    ("service", "* * * * *"): SERVICE,
    ("site", "pred-aware study"): "ten minutes by the clock",
    ("site", "pred-aware site snapshot"): CLUSTER,
    ("site", "pred-aware site slurm"): CLUSTER,
    ("install", "python3 -m venv"): "CI runs README's, which is the same",
    ("install", "pip install"): NETWORK,
    ("batsim", "pred-aware run -p machine.xml -w workload.json -s easy --batsim"): "batsim",
    ("batsim", "pred-aware run -p machine.xml -w workload.json --decision-process"): "batsched",
    ("campaigns-on-a-cluster", "pred-aware campaign"): CLUSTER,
    ("cleaning", 'pred-aware convert swf "$(pred-aware log fetch'): NETWORK,
    ("cleaning", "pred-aware convert swf CEA"): ANOTHER_LOG,
    ("explain", "pred-aware explain mine --job 5291"): ANOTHER_LOG,
    ("infer-nodes", "$ pred-aware"): ANOTHER_LOG,
    ("infer-nodes", "pred-aware log infer LOG.swf --training sacct.txt"): ANOTHER_LOG,
    ("infer-site", "pred-aware study"): "ten minutes by the clock",
    ("logs-m100", "pred-aware"): ANOTHER_LOG,
    ("logs-pbs", "pred-aware convert pbs /var/spool"): "a PBS server's folder",
    ("logs-slurm", "pred-aware log sacct-command"): "a Slurm cluster",
    ("logs-table", "pred-aware convert table 'jobs-2024"): ANOTHER_LOG,
    ("logs-table", "pred-aware log map suggest jobs.csv times.csv"): ANOTHER_LOG,
    ("own-parts", "pybatsim policy"): "waits for Batsim; tests/schedulers/pybatsim/ runs it",
    ("own-reader", "pred-aware convert site"): "a package, as test_convert_foreign.py has",
    ("production", "python3 -m venv /opt"): ROOT_ONLY,
    ("production", "/opt/pred-aware"): ROOT_ONLY,
    ("production", "qmgr"): ROOT_ONLY,
    ("production", "pred-aware service pbs-"): "a PBS server",
    ("rehearsal", "pred-aware service shadow"): "a PBS server's folder",
    ("study", "pred-aware study"): "ten minutes by the clock",
}  # fmt: skip
"""By page and beginning of a command: why it is not run; a program's name: unless it is there."""


def commands(page: Path) -> list[str]:
    """Return the commands of a page, each with the lines that go on with it."""
    found: list[str] = []
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        fence = token.type == "fence" and token.info.strip() in {"", "sh"}
        if not (fence or token.type == "code_block") or not COMMAND.match(token.content):
            continue
        text = token.content.replace("\\\n", " ")
        if text.startswith("$ "):
            text = text.partition("\n")[0]
        found += [" ".join(line.split()) for line in text.splitlines() if COMMAND.match(line)]
    return found


def why_not(page: Path, command: str) -> str:
    reasons = [
        why for (name, start), why in NOT_RUN.items()
        if page.stem == name and command.startswith(start)
    ]  # fmt: skip
    return "" if not reasons or shutil.which(reasons[0]) else reasons[0]


def shell(lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["/bin/sh", "-e"], input="\n".join(lines), capture_output=True, text=True, cwd=folder,
        env={**os.environ, "PATH": path}, check=False,
    )  # fmt: skip


def shown_block(page: str, language: str) -> str:
    """Return the first block of a page in a language."""
    text = (DOCS / page).read_text("utf-8")
    return text.partition(f"```{language}\n")[2].partition("```")[0]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the pages name."""
    folder = tmp_path_factory.mktemp("shown")
    for name in ("KTH-SP2-1996-2.1-cln.swf.gz", "LOG.swf"):
        write_log(folder / name, jobs=500)
    accounting = "".join(ENDED.format(n=n) for n in range(10, 31))
    (folder / "accounting").mkdir()
    (folder / "accounting" / "20240301").write_text(accounting)
    (folder / "20171001.gz").write_text(accounting)
    (folder / "sacct.txt").write_text(SACCT)
    (folder / "slurm.conf").write_text("NodeName=n[1-4] CPUs=8\nPartitionName=batch Nodes=ALL\n")
    (folder / "jobs.csv").write_text(
        "job,user,submit,start,end,cores,timelimit\n1,ann,0,10,300,4,600\n2,bob,20,30,400,4,600\n"
    )
    (folder / "verdict.toml").write_text(
        '[logs.made]\nfile = "LOG.swf"\n[policies.easy]\n[policies.easy_plus_plus]\n'
        "[shakes]\nat_least = 2\nat_most = 2\n"
    )
    (folder / "demo").mkdir()
    (folder / "site.toml").write_text(shown_block("reference/site.md", "toml"))
    (folder / "machine.json").write_text(shown_block("explanation/blocks.md", "json"))
    parts = "".join(page.read_text("utf-8") for page in (DOCS / "how-to").glob("own-*.md"))
    for name, text in re.findall(
        r"`(site_\w+\.py)`[^\n]*\n(?:[^\n]+\n)*\n```python\n(.*?)```", parts, re.DOTALL
    ):
        (folder / name).write_text(text)
    made = shell(
        [
            "pred-aware convert swf LOG.swf -o workload.json --platform machine.xml",
            "cp workload.json kth.json; cp machine.xml kth.xml; cp workload.json jobs.json",
            "cp workload.json demo/workload.json; cp machine.xml demo/platform.xml",
            "cp workload.json twin.json; pred-aware log map suggest jobs.csv -o mine.toml -q",
            "sed -i 's/^# nodes = 64.*/processors = 8/' mine.toml; cp mine.toml jobs.csv.map.toml",
            "cp machine.xml PLATFORM.xml; cp workload.json WORKLOAD.json",
            "pred-aware run -p machine.xml -w workload.json -s easy -e out/easy",
            "pred-aware run -p machine.xml -w workload.json -s easy -e easy",
            "pred-aware run -p machine.xml -w workload.json -s easy_plus_plus -e easy_plus_plus",
            "cp easy_plus_plus_jobs.csv out/pred_aware_jobs.csv",
            "pred-aware service store add jobs.db accounting",
            "pred-aware platform -n 8 -o platform.xml",
            "gzip -c workload.json > site.json.gz; cp workload.json frontier.json",
        ],
        folder,
    )
    assert made.returncode == 0, made.stderr
    return folder


SHOWN = {page: commands(page) for page in PAGES}
RUN = {
    page: chosen for page, shown in SHOWN.items()
    if (chosen := [command for command in shown if not why_not(page, command)])
}  # fmt: skip


def test_every_exempt_command_is_on_a_page() -> None:
    shown = [(page.stem, command) for page in PAGES for command in SHOWN[page]]
    for name, start in NOT_RUN:
        assert any(name == page and command.startswith(start) for page, command in shown), start


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path, prepared: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(prepared, tmp_path / "shown")
    ended = shell([command.removeprefix("$ ") for command in RUN[page]], folder)
    assert ended.returncode == 0, ended.stderr
