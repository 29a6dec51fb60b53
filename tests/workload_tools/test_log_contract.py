"""What all readers of logs keep to, as `workload_tools.log.Log` and `formats.Format` have it."""

import gzip
import math
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.suites import Checks
from workload_tools.errors import InputError
from workload_tools.formats import GROUP, open_log
from workload_tools.log import Log

FORMATS = sorted(point.name for point in entry_points(group=GROUP))
Part: TypeAlias = tuple[str, Path]
"""A format and a folder for its files."""

HEADER = "tres_req_str,user_id,qos,time_limit,run_time,partition,job_state,submit_time\n"
SAMPLES = {
    "batsim": '{"nb_res": 4, "jobs": [{"id": 1, "subtime": 5, "res": 2, "profile": "p"}],'
    ' "profiles": {"p": {"type": "delay", "delay": 60}}}',
    "m100": f"{HEADER}"
    '"cpu=4,mem=8G,node=1,billing=4,gres/gpu=1",7,normal,60,30,prod,COMPLETED,100000\n'
    '"cpu=4,mem=8G,node=1,billing=4,gres/gpu=1",7,normal,60,0,prod,COMPLETED,100000\n',
    "pbs": "03/01/2024 11:00:00;Q;2.srv;queue=q\n"
    "03/01/2024 11:05:00;E;1.srv;user=ann ctime=100 start=200 end=300 Resource_List.ncpus=4 "
    "Resource_List.walltime=01:00:00 resources_used.walltime=00:01:30\n",
    "slurm": "JobIDRaw|User|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS\n"
    "1|ann|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:10|60|240|8\n"
    "2|ann|CANCELLED|2024-03-01T08:00:00|None|0|240|8\n",
    "swf": "; MaxProcs: 8\n1 100 0 60 4 -1 -1 4 120 -1 1 1 1 -1 1 -1 -1 -1\n"
    "2 100 0 0 4 -1 -1 4 120 -1 1 1 1 -1 1 -1 -1 -1\n",
    "table": ",job,user,project,state,gpu_num,cpu_num,node_num,submit_time,wait_time,run_time,"
    "wall_time,node_hour,new_status\n0,1,7,9,0,0,16,1,100,5,60,120,60,Pass\n"
    "1,2,7,9,0,0,16,1,100,5,0,120,60,Pass\n",
}


def test_every_format_has_a_sample_in_the_contract() -> None:
    assert sorted(SAMPLES) == FORMATS


CHECKS = Checks()


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_reader_keeps_the_contract(name: str, tmp_path: Path) -> None:
    CHECKS.run(name, (name, tmp_path))


def sample(part: Part) -> tuple[str, Path]:
    name, folder = part
    path = folder / "log"
    path.write_text(SAMPLES[name])
    return name, path


@CHECKS
def a_log_is_recognised_by_its_format_alone(part: Part) -> None:
    name, path = sample(part)
    assert type(open_log(path)) is type(open_log(path, format=name))


@CHECKS
def every_record_is_kept_or_dropped_and_a_job_can_be_simulated(part: Part) -> None:
    log = open_log(sample(part)[1])
    (job,) = log.jobs()
    assert log.report.read == log.report.kept + sum(log.report.dropped.values())
    assert log.report.kept == 1
    assert job.id
    assert job.processors >= 1
    assert 0.0 < job.run_time < math.inf
    assert 0.0 <= job.submit_time < math.inf


@CHECKS
def a_packed_log_is_the_same(part: Part) -> None:
    name, path = sample(part)
    plain = list(open_log(path).jobs())
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert list(open_log(path).jobs()) == plain
    assert list(open_log(path, format=name).jobs()) == plain


def refused(log: Log) -> str:
    with pytest.raises(InputError) as error:
        list(log.jobs())
    return str(error.value)


@CHECKS
def what_can_not_be_read_is_an_error_that_names_the_file(part: Part) -> None:
    name, path = sample(part)
    assert "nowhere" in refused(open_log(path.with_name("nowhere"), format=name))
    path.write_text("")
    assert str(path) in refused(open_log(path, format=name))
    path.write_bytes(gzip.compress(SAMPLES[name].encode())[:-12])
    assert str(path) in refused(open_log(path, format=name))


@CHECKS
def another_format_is_an_error_or_gives_no_job(part: Part) -> None:
    name, folder = part
    for other in sorted(set(SAMPLES) - {name}):
        path = folder / other
        path.write_text(SAMPLES[other])
        with suppress(InputError):
            assert not list(open_log(path, format=name).jobs())
