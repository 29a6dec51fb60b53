from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.platform.reader import read_platform


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.chdir(tmp_path)
    return partial(command, "platform")


def test_it_writes_a_platform_with_the_given_network(platform: Command) -> None:
    asked = ("-n", "3", "-o", "p.xml", "-O", "latency=1ms", "-O", "prefix=node")
    assert platform(*asked) == (0, "wrote p.xml: 3 hosts\n", "")
    assert platform(*asked, "-q") == (0, "", "")
    written = read_platform("p.xml")
    assert written.hosts == ("node0", "node1", "node2")
    assert written.master_way.latency == 1e-3 + 500 * 1e-6 + 1e-3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-n", "0", "-o", "p.xml"), "needs between 1 and"),
        (("-n", "3", "-o", "p.xml", "-O", "speed=fast"), "speed: 'fast' is not a number"),
        (("-n", "3", "-o", "p.xml", "-O", "sped=1Gf"), "did you mean 'speed'?"),
        (("-n", "3", "-o", "nowhere/p.xml"), "nowhere/p.xml: cannot be written: No such file"),
        (("-n", "3", "-o", "."), "is a folder"),
    ],
)
def test_impossible_requests_give_one_error_and_leave_no_file(
    platform: Command, arguments: tuple[str, ...], message: str
) -> None:
    platform(*arguments).assert_refused(message)
    assert list(Path().iterdir()) == []
