"""Numbers and dates beyond what can be held or drawn: one line, or an answer; never a traceback."""

import json
import re
from pathlib import Path

import pytest

from tests.pred_aware.command import Command, python
from tests.pred_aware.simulator.world import job, write_inputs

MANY_DIGITS = "9" * 5000
JOB = '{"id":1,"subtime":0,"res":1,"profile":"p","walltime":10,"x":1}'
DELAY = '{"type":"delay","delay":5}'


@pytest.fixture(autouse=True)
def folder(here: Path) -> Path:
    """A folder with a platform, in which commands run."""
    write_inputs(here, [job(1, 0, 4, 10, 60)])
    return here


def write_workload(text: str = JOB, *, profile: str = DELAY) -> None:
    content = f'{{"jobs":[{text}],"profiles":{{"p":{profile}}}}}'
    Path("odd.json").write_bytes(content.encode("utf-8", "surrogateescape"))


COMMANDS = {
    "run": ["run", "-p", "platform.xml", "-w", "odd.json", "-s", "easy_plus_plus", "-q"],
    "inspect": ["inspect", "odd.json"],
    "predict": ["predict", "odd.json", "--predictor", "last_two"],
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"res":1', f'"res":"x","z":{MANY_DIGITS}', "job '1': expected a whole number in res"),
        ('"id":1', f'"id":{MANY_DIGITS}', f"job '{'9' * 100}...': Integer value out of range"),
        ('"res":1', f'"res":{MANY_DIGITS}', "job '1': Integer value out of range in res"),
        (
            '"res":1',
            f'"res":{2**31}',
            "job '1' requests 2147483648 processors; the limit is 2147483647",
        ),
    ],
)
def test_a_job_with_a_number_out_of_range_is_named(
    command: Command, name: str, old: str, new: str, message: str
) -> None:
    write_workload(JOB.replace(old, new))
    ended = command(*COMMANDS[name])
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"pred-aware: error: odd.json: {message}")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("field", ["walltime", "mem", "wait_time", "node"])
def test_a_job_with_an_impossible_amount_is_not_read(command: Command, field: str) -> None:
    write_workload(JOB.replace('"x":1', f'"{field}":{"9" * 40}'))
    ended = command(*COMMANDS["inspect"])
    assert ended.code == 2
    assert re.match(rf"pred-aware: error: odd.json: job '1': .* in '{field}'\n", ended.err)


@pytest.mark.parametrize("value", [MANY_DIGITS, "1e999", '"\udcff\udcfe"'])
def test_a_field_that_cannot_be_sent_gives_a_one_line_error(
    folder: Path, command: Command, value: str
) -> None:
    write_workload(JOB.replace('"x":1', f'"x":{value}'))
    ended = command(*COMMANDS["run"], "--transport", "zmq")
    assert (ended.code, ended.out) == (2, "")
    told = (
        "pred-aware: error: odd.json: job '1' has a field that cannot be passed on to a scheduler"
    )
    assert ended.err.startswith(told)
    assert list(folder.glob("*out*")) == []


def test_a_profile_with_infinite_operations_is_refused(command: Command) -> None:
    write_workload(profile=f'{{"type":"parallel_homogeneous","com":0,"cpu":{"9" * 400}}}')
    ended = command(*COMMANDS["run"])
    assert ended.code == 2
    assert ended.err.endswith("9; it must be a number of operations of at least 0\n")


@pytest.mark.parametrize(
    ("old", "new", "profile"),
    [
        ('"subtime":0', '"subtime":9007199254740.99', '{"type":"delay","delay":9007199254740.99}'),
        ('"walltime":10', '"walltime":1e-300', '{"type":"delay","delay":-0.0}'),
        ('"walltime":10', '"walltime":9e15', DELAY),
    ],
)
@pytest.mark.parametrize("name", COMMANDS)
def test_extreme_times_are_counted_and_drawn(
    command: Command, name: str, old: str, new: str, profile: str
) -> None:
    write_workload(JOB.replace(old, new), profile=profile)
    picture = {"inspect": ["--html", "page.html"], "predict": ["--picture", "p.svg"]}
    ended = command(*COMMANDS[name], *picture.get(name, []))
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize("line", ["MaxProcs", "MaxNodes", "UnixStartTime"])
def test_an_impossible_machine_size_in_a_header_is_refused(command: Command, line: str) -> None:
    job_line = "0 0 0 10 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1\n"
    Path("odd.swf").write_text(f"; Version: 2\n; {line}: {MANY_DIGITS}\n{job_line}")
    for ended in (
        command("inspect", "odd.swf"),
        command("convert", "swf", "odd.swf", "-o", "w.json"),
    ):
        assert ended.code == 2
        assert ended.err.startswith(f"pred-aware: error: odd.swf:2: {line} is larger than")


def test_an_integer_too_long_for_python_in_slurms_json_is_reported(command: Command) -> None:
    Path("odd.json").write_text(f'{{"jobs": [\n{{"job_id": {MANY_DIGITS}}}]}}')
    ended = command("convert", "slurm", "odd.json", "-o", "w.json")
    assert ended.code == 2
    assert ended.err == "pred-aware: error: odd.json:2: has an integer of too many digits\n"


@pytest.mark.parametrize("date", ["inf", "-inf", "1e300"])
def test_unreachable_dates_are_not_compared(command: Command, date: str) -> None:
    assert command(*COMMANDS["run"][:4], "workload.json", *COMMANDS["run"][5:]).code == 0
    text = Path("out_jobs.csv").read_text()
    Path("odd_jobs.csv").write_text(text.replace(",10.000000,", f",{date},", 1))
    ended = command("compare", "out_jobs.csv", "odd_jobs.csv", "--picture", "p.svg")
    assert ended.code == 2
    assert ended.err.startswith("pred-aware: error: odd_jobs.csv:2: ")
    assert "it may be at most 9.0072e+12" in ended.err


@pytest.mark.parametrize("name", ["run", "predict"])
def test_options_nested_too_deeply_give_a_one_line_error(command: Command, name: str) -> None:
    deep = '{"name":"safe","predictor":' * 3000 + "1" + "}" * 3000
    write_workload()
    arguments = [part for part in COMMANDS[name] if part not in ("--predictor", "last_two")]
    command(*arguments, "--predictor", deep).assert_refused("nested too deeply")


def test_ids_with_unusual_line_separators_pass_zeromq(command: Command) -> None:
    ids = [f"a{sign}b" for sign in "\u2028\u0085\x0b\x1c"]
    jobs = [json.loads(JOB) | {"id": identifier} for identifier in ids]
    write_workload(json.dumps(jobs)[1:-1])
    ended = command(*COMMANDS["run"], "--transport", "zmq")
    assert (ended.code, ended.err) == (0, "")
    rows = Path("out_estimates.csv").read_bytes().decode().split("\n")
    assert [row.split(",")[0] for row in rows[1:-1]] == ids


def test_a_librarys_warning_is_printed_like_ours() -> None:
    code = (
        "import sys, warnings; from pred_aware import cli;"
        "cli._run = lambda *_, **__: warnings.warn('odd\\n\\x1b[2J', RuntimeWarning) or 0;"
        "cli.main()"
    )
    assert python("-c", code) == (0, "", "pred-aware: warning: odd \\x1b[2J\n")


def test_jobs_of_no_processors_have_no_utilisation(command: Command) -> None:
    assert command(*COMMANDS["run"][:4], "workload.json", *COMMANDS["run"][5:]).code == 0
    header, row = Path("out_jobs.csv").read_text().splitlines()
    Path("odd_jobs.csv").write_text(f"{header}\n{row.replace(',4,60.', ',0,60.')}\n")
    ended = command("compare", "a=odd_jobs.csv", "b=odd_jobs.csv", "--json")
    assert (ended.code, ended.err) == (0, "")
    runs = json.loads(ended.out)["runs"]
    assert [runs[name]["utilisation"] for name in "ab"] == [None, None]
