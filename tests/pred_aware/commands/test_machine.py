"""The command `site machine`, and that the machines it writes are used by `run`."""

import json
from pathlib import Path

import pytest

from pred_aware import blue_gene, read_blocks, simulate
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import job, workload_of
from workload_tools.platform.reader import read_platform

pytestmark = pytest.mark.usefixtures("here")


def simulate_on_mira() -> None:
    """Write the files of a run of a job on 300 processors for 10 s."""
    workload = workload_of([job(1, 0, 300, 10, 10)], 49152)
    simulate(workload, "easy", machine=blue_gene("mira"), write_to="out")


def test_it_writes_a_blue_gene_with_its_platform_and_reads_it_again(command: Command) -> None:
    written = command("site", "machine", "mira", "-o", "mira.json", "--platform", "mira.xml")
    assert written.code == 0
    assert "wrote mira.json\nwrote mira.xml\n" in written.out
    assert "Assumed: a block of 1,024 nodes is two" in written.out
    assert read_blocks("mira.json") == blue_gene("mira")
    assert len(read_platform("mira.xml").hosts) == 49152
    shown, again = (command("site", "machine", which).out for which in ("mira", "mira.json"))
    assert shown == again


def test_it_counts_blocks_and_how_many_of_them_can_be_used_at_once(command: Command) -> None:
    told = json.loads(
        command("site", "machine", "intrepid", "--node-processors", "1", "--json").out
    )
    rows = {row["processors"]: (row["blocks"], row["at_once"]) for row in told["sizes"]}
    assert rows == {
        64: (128, 128), 128: (64, 64), 256: (32, 32), 512: (80, 80), 1024: (40, 20),
        2048: (20, 20), 4096: (10, 5), 8192: (5, 5), 16384: (4, 2), 24576: (3, 1),
        32768: (2, 1), 40960: (1, 1),
    }  # fmt: skip


def test_it_says_what_a_run_on_the_blocks_used(command: Command) -> None:
    simulate_on_mira()
    told = json.loads(command("site", "machine", "mira", "--run", "out", "--json").out)["run"]
    assert told == {
        "capacity": 491520.0, "used": 3000.0, "wasted": 2120.0, "lost": 0.0, "drained": 0.0,
    }  # fmt: skip
    shown = command("site", "machine", "mira", "--run", "out").out
    assert [line.split("│")[2].strip() for line in shown.splitlines() if "wasted" in line] == [
        "0.4 %"
    ]


def test_it_draws_a_day_of_a_run(command: Command) -> None:
    simulate_on_mira()
    ended = command("site", "machine", "mira", "--run", "out", "--picture", "day.svg")
    assert (ended.code, "wrote day.svg" in ended.out) == (0, True)
    assert b"MIR-00000-33371-1024" in Path("day.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.json",), "machine file nowhere.json: No such file or directory"),
        (("mira", "--node-processors", "0"), "node_processors"),
        (("m.json", "--node-processors", "2"), "--node-processors is only for intrepid and mira"),
        (("mira", "--picture", "day.png"), "give both --run and --picture"),
        (("mira", "--run", "out", "--day", "3"), "give both --run and --picture"),
        (("mira", "--run", "out", "--picture", "day.gif"), "must end in .png, .svg or .pdf"),
        (
            ("mira", "-o", "nowhere/m.json"),
            "cannot write nowhere/m.json: the folder nowhere does not exist",
        ),
    ],
)
def test_impossible_requests_give_one_error(
    command: Command, arguments: tuple[str, ...], message: str
) -> None:
    command("site", "machine", *arguments).assert_refused(message)
