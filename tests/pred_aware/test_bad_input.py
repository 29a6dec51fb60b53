"""Bad input to `run` and `batsim`: one line that says what, where and what to do; no output."""

import gzip
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pred_aware.command import Command, Ended
from tests.pred_aware.simulator.world import job, write_inputs

GOOD = {"id": "1", "subtime": 0, "res": 4, "profile": "p", "walltime": 60}
DELAY = {"type": "delay", "delay": 10}


@pytest.fixture
def command(here: Path, command: Command) -> Command:
    """Run a command in a folder with a good platform and a good workload of ten processors."""
    write_inputs(here, [job(1, 0, 4, 10, 60)])
    return command


def run_arguments(**changes: str) -> list[str]:
    options = {"p": "platform.xml", "w": "workload.json", "s": "easy", "e": "out"} | changes
    return ["run", *(part for key, value in options.items() for part in (f"-{key}", value))]


def assert_refused(ended: Ended, message: str) -> None:
    assert (ended.code, ended.out) == (2, "")
    assert re.fullmatch(r"pred-aware: error: .+\n", ended.err)
    assert re.search(message, ended.err), ended.err
    assert [*Path().glob("out*"), *Path().glob(".*.part")] == []


def workload(*jobs: Mapping[str, Any], profile: Mapping[str, Any] = DELAY) -> bytes:
    return json.dumps({"nb_res": 10, "jobs": jobs, "profiles": {"p": profile}}).encode()


ARGUMENTS = (
    (["-s", "eazy"], "unknown scheduler 'eazy': did you mean 'easy'"),
    (["-s", "easy_fb"], "did you mean 'easy_bf'"),
    (["--predictor", "last_tow"], "unknown predictor 'last_tow': did you mean 'last_two'"),
    (["-O", "correction=waltime"], "unknown correction 'waltime': did you mean 'walltime'"),
    (
        ["-O", "backfilling=none"],
        "scheduler 'easy' .* has no option 'backfilling'; schedulers with this option: policy",
    ),
    (["-s", "policy", "-O", "order=sfj"], "unknown order 'sfj': did you mean 'sjf'"),
    (["-s", "policy", "-O", "backfilling=esy"], "unknown backfilling 'esy': did you mean"),
    (
        ["-s", "fcfs", "--predictor", "last_two"],
        "has no option 'predictor'; .* easy, .* pred_aware",
    ),
    (["-s", "filler", "--predictor", "last_two"], "has no option 'predictor'"),
    (["-s", "filler", "-O", "max_wait=60"], "has no option 'max_wait'"),
    (["-s", "conservative", "-O", "max_wait=60"], "cannot have max_wait: it keeps reservations"),
    (["-s", "conservative", "-O", "reservations=2"], "no option 'reservations'"),
    (["-O", "reservations=0"], "reservations must be a whole number of at least 1, not 0"),
    (["-O", "candidates=shortst"], "candidates 'shortst' is not known: did you mean 'shortest'"),
    (["-O", "allocation=bestfit"], "unknown allocation 'bestfit': did you mean 'best_fit'"),
    (["-O", "max_wait=-1"], "max_wait must be a number of seconds, at least 0, not -1.0"),
    (["-O", "max_wait=nan"], "max_wait must be a number of seconds, at least 0, not nan"),
    (["-s", "easy_bf", "--predictor", "last_two"], "has no option 'predictor'"),
    (["-s", "pred_aware", "--history", "no.csv"], "no.csv"),
    (["--history", "no.csv"], "history needs a predictor"),
    (["-O", "{"], "are not JSON"),
    (["-O", "[1]"], "give NAME=VALUE, such as order=sjf, or a JSON object"),
    (["-O", "@nosuch.json"], "options @nosuch.json: No such file"),
    (["-O", '{"predictr": "x"}'], "no option 'predictr': did you mean 'predictor'"),
    (["--predictor", '{"name": "last_two", "k": 1}'], "no option 'k'"),
    (["--predictor", '{"nam'], "are not JSON"),
    (["--delays", "some"], "some"),
    (["--transport", "pigeon"], "pigeon"),
    (["--nosuch"], "nosuch"),
    (
        ["-e", "platform.xml/out"],
        "platform.xml: cannot be created: .*; give another prefix with -e",
    ),
    (["-p", "nosuch.xml"], r"nosuch\.xml"),
    (["-w", "second.json"], "-w is given 2 times, but `pred-aware run` simulates one workload"),
    (["-w", "nosuch.json"], r"nosuch\.json"),
    (["-w", "."], r"\.: "),
)


def test_a_bad_argument_gives_a_one_line_error(command: Command) -> None:
    for arguments, said in ARGUMENTS:
        given = [*run_arguments(), *arguments]
        if "-w" in arguments and "second.json" not in arguments:
            given = run_arguments(w=arguments[1])
        assert_refused(command(*given), said)
    ended = command(*run_arguments(s="eazy"), "--transport", "zmq")
    assert_refused(ended, "unknown scheduler 'eazy'")


WORKLOADS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "no JSON": (b"{", "not JSON"),
    "no object": (b"[]", "not a Batsim workload"),
    "no jobs": (b'{"profiles": {}}', "jobs"),
    "cut gzip": (gzip.compress(workload(GOOD))[:-12], "damaged gzip: .*fetch the file again"),
    "unknown profile": (workload(GOOD | {"profile": "q"}), "job '1' has the unknown profile 'q'"),
    "no delay": (
        workload(GOOD, profile={"type": "parallel_homogeneous", "cpu": 1, "com": 1}),
        "profile 'p' communicates",
    ),
    "negative delay": (workload(GOOD, profile={"type": "delay", "delay": -1}), "a delay of 0 s or"),
    "same id": (workload(GOOD, GOOD), "job '1' occurs twice"),
    "same id, once in full": (workload(GOOD, GOOD | {"id": "w0!1"}), "occurs twice"),
    "negative size": (workload(GOOD | {"res": -4}), "job '1' requests -4 processors"),
    "size 0": (workload(GOOD | {"res": 0}), "job '1' requests 0 processors"),
    "no size": (workload({k: v for k, v in GOOD.items() if k != "res"}), "job '1': .*`res`"),
    "a word for a number": (workload(GOOD | {"subtime": "x"}), "job '1': .*in .*subtime"),
    "submitted before 0": (workload(GOOD | {"subtime": -1}), "job '1' is submitted at -1"),
    "walltime 0": (workload(GOOD | {"walltime": 0}), "job '1' has a walltime of 0"),
}


def test_a_bad_workload_gives_a_one_line_error(command: Command) -> None:
    for content, message in WORKLOADS.values():
        Path("bad.json").write_bytes(content)
        ended = command(*run_arguments(w="bad.json"))
        assert_refused(ended, message)
        assert "bad.json" in ended.err


def without_master(xml: str) -> str:
    """Return a platform whose master has neither the role nor the usual name."""
    return xml.replace('"role"', '"rule"').replace("master_host", "head")


PLATFORMS: list[tuple[Callable[[str], str], str]] = [
    (without_master, "has no master host.* role=master"),
    (lambda _: "", "bad.xml"),
    (lambda xml: xml[:300], "bad.xml"),
    (lambda _: "<a/>", "bad.xml"),
    (lambda xml: xml.replace("cluster", "klaster"), "klaster"),
]


def test_a_bad_platform_gives_a_one_line_error(command: Command) -> None:
    for change, message in PLATFORMS:
        Path("bad.xml").write_text(change(Path("platform.xml").read_text()))
        ended = command(*run_arguments(p="bad.xml"))
        assert_refused(ended, message)
        assert "bad.xml" in ended.err


def test_an_endpoint_without_a_reply_gives_an_error(command: Command) -> None:
    ended = command(
        "batsim", "-p", "platform.xml", "-w", "workload.json", "-e", "out",
        "-s", "ipc://nobody", "--timeout", "0.1", "--transcript", "out.jsonl",
    )  # fmt: skip
    assert_refused(
        ended, "no decision process answers at ipc://nobody after 0.1 s; start .* `pybatsim"
    )


def test_an_invalid_address_is_refused_at_once(command: Command) -> None:
    ports = [f"tcp://localhost:{port}" for port in ("0", "65536", "99999", "9" * 5000)]
    for endpoint in ("nonsense", "tcp://localhost:x", *ports):
        ended = command("batsim", "-p", "platform.xml", "-w", "workload.json", "-s", endpoint)
        said = r" \(ports are from 1 to 65535\)" if endpoint in ports else ""
        assert_refused(ended, f"is not an address to connect to{said}")


def test_an_unknown_master_host_gives_an_error(command: Command) -> None:
    xml = Path("platform.xml").read_text()
    Path("platform.xml").write_text(xml.replace('"role"', '"rule"'))
    ended = command("batsim", "-p", "platform.xml", "-w", "workload.json", "-m", "nobody")
    assert_refused(ended, "has no master host.* or the name 'nobody'")


OF_PYBATSIM = (
    ("policy", '{"order": "sfj"}', "did you mean 'sjf'"),
    ("policy", '{"call_margin": -1}', "call_margin must be a number of seconds, from 0"),
    ("policy", '{"predictor": {"name": "decision_tree", "window": -1}}', "window"),
    ("easy", '{"predictor": "nosuch"}', "unknown predictor 'nosuch'"),
    ("easy_bf", '{"rjms_delay": "x"}', "rjms_delay must be a number of seconds, from 0"),
    ("pred_aware", '{"history": "nosuch.csv"}', r"nosuch\.csv"),
    ("policy", "[1]", "options must be an object"),
    ("policy", "[]", "options must be an object"),
    ("policy", '"sjf"', "options must be an object"),
    ("easy", '{"estimates_file": 5}', "estimates_file is 5; it must be the name of a file"),
    ("easy_bf", '{"estimates_file": "out.csv"}', "'easy_bf' writes no estimates_file"),
)


def test_a_bad_option_of_pybatsim_gives_an_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from pybatsim.cmdline import main

    for scheduler, options, message in OF_PYBATSIM:
        arguments = ["pybatsim", "-s", "tcp://127.0.0.1:*", scheduler, "-o", options]
        monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capfd.readouterr()
        assert (end.value.code, out) == (2, ""), (scheduler, options)
        assert re.fullmatch(r"pybatsim: error: .+\n", err), (scheduler, options)
        assert re.search(message, err), (scheduler, options)


DAMAGED = (
    ("_jobs.csv", ",10.000000", ",1\r0.0", "1 0.0.* is not a number"),
    ("_schedule.csv", ",10,0,", ",inf,0,", "nb_computing_machines is not a number"),
    ("_estimates.csv", "head,", "head,x", "cannot be read: 'x' is not a number"),
    ("_estimates.csv", "job_id", "no", "_estimates.csv cannot be read"),
    ("_estimates.csv", "head", "\udce9", "_estimates.csv cannot be read: not UTF-8 text"),
)


def test_a_damaged_file_of_a_run_gives_an_error(command: Command) -> None:
    assert command(*run_arguments(s="easy_plus_plus"), "-q").code == 0
    for suffix, old, new, said in DAMAGED:
        path = Path(f"out{suffix}")
        whole = path.read_text()
        assert old in whole, (suffix, whole)
        path.write_bytes(whole.replace(old, new, 1).encode("utf-8", "surrogateescape"))
        for line in (("explain", "out", "--job", "1"), ("compare", "out", "b=out")):
            ended = command(*line)
            if ended.code:
                ended.assert_refused()
                assert re.search(said, ended.err), ended.err
                break
        else:
            pytest.fail(f"{suffix} with {new!r} was read")
        path.write_text(whole)


NO_TEXT = {
    "key.json": ("convert", "workload.json", "-o", "new.json", "--anonymise", "key.json"),
    "past.csv": ("predict", "workload.json", "--predictor", "last_two", "--history", "past.csv"),
    "c.runs/store.json": ("campaign", "status", "c.toml"),
    "snap/snapshot.json": ("site", "slurm", "snap"),
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_a_file_that_is_not_text_gives_a_one_line_error(command: Command, name: str) -> None:
    Path("c.toml").write_text('[logs.log]\nfile = "workload.json"\n[policies.easy]\n')
    for folder in ("c.runs", "snap"):
        Path(folder).mkdir()
    Path("snap", "nodes.txt").write_text("NodeName=n1 CPUTot=4\n")
    Path(name).write_bytes(b'{"names": {"\xb9": {}}}\n')
    command(*NO_TEXT[name]).assert_refused(name, "not UTF-8 text")
