from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.errors import LogError
from workload_tools.swf.header import read_machines
from workload_tools.swf.log import read_swf

LINE = "1 100 0 60 4 -1 -1 4 120 -1 1 1 1 -1 1 -1 -1 -1\n"
CLUSTERS = "0\tzewura\t20\t80\t1\t529426432\n1\tzegox\t48\t12\t1\t94035968\n"


@each_case("name", ["log.swf", "log.swf.gz"])
def test_the_machine_file_beside_a_log_gives_the_machine(tmp_path: Path, name: str) -> None:
    (tmp_path / "log.swf.machines").write_text(CLUSTERS)
    assert read_machines(tmp_path / name) == (2176, 68)


def test_the_logs_header_and_the_user_override_the_machine_file(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    (tmp_path / "log.swf.machines").write_text(CLUSTERS)
    log.write_text(LINE)
    workload, _ = read_swf(log)
    assert (workload.processors, workload.nodes) == (2176, 68)
    assert read_swf(log, machine_processors=100)[0].processors == 100
    log.write_text("; MaxProcs: 16\n" + LINE)
    assert read_swf(log)[0].processors == 16


@each_case(
    ("content", "message"),
    [
        (
            "0 zewura twenty 80\n",
            r"log\.swf\.machines:1: does not have the form 'number name nodes",
        ),
        ("; clusters\n0 zewura 20\n", r"log\.swf\.machines:2: does not have"),
        ("\n", "has no nodes"),
    ],
)
def test_a_file_of_another_form_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "log.swf.machines").write_text(content)
    with pytest.raises(LogError, match=message):
        read_machines(tmp_path / "log.swf")
