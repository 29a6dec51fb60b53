"""Malicious files and addresses: nothing is fetched or run, and each gives a one-line error."""

import json
import socket
from pathlib import Path

import pytest

from tests.pred_aware.command import Command, Ended, python
from tests.pred_aware.simulator.world import job, write_inputs

LAUGHS = (
    '<!DOCTYPE platform [<!ENTITY a0 "lol">'
    + "".join(
        f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};&a{n - 1};&a{n - 1};&a{n - 1};">' for n in range(1, 40)
    )
    + ']><platform version="4.1">&a39;</platform>'
)
DEEP = "[" * 2_000_000 + "]" * 2_000_000
TOO_DEEP = "nested too deeply"


@pytest.fixture
def run(here: Path, command: Command) -> Command:
    write_inputs(here, [job(1, 0, 4, 10, 60)])
    inputs = ("-p", "platform.xml", "-w", "workload.json")
    return lambda name="run", *arguments: command(name, *inputs, *(arguments or ("-s", "fcfs")))


def assert_refused(ended: Ended, message: str) -> None:
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1
    assert not list(Path().glob("*out*"))


def test_entities_that_expand_to_gigabytes_are_refused(run: Command) -> None:
    Path("platform.xml").write_text(LAUGHS)
    assert_refused(run(), "platform.xml:1: declares an entity; write its text instead")


def test_a_document_type_is_not_fetched(run: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/a.dtd"
        text = (
            Path("platform.xml")
            .read_text()
            .replace("http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd", address)
        )
        assert address in text
        Path("platform.xml").write_text(text)
        assert run().code == 0
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{{"jobs": {DEEP}, "profiles": {{}}}}', "job number 0: expected a table"),
        (f'{{"jobs": [], "profiles": {{}}, "x": {DEEP}}}', TOO_DEEP),
        ('{"jobs": [], "profiles": {"\udcff": {}}}', "not JSON: not UTF-8 text"),
    ],
)
def test_workloads_too_deeply_nested_or_not_text_are_refused(
    run: Command, text: str, message: str
) -> None:
    Path("workload.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert_refused(run(), message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "1,2"}, "workload.json: job '1,2' has a comma, a double quote or a line break"),
        ({"id": 'a"'}, "has a comma, a double quote or a line break"),
        ({"id": "a\nb\x1b[2J"}, "job 'a\\nb\\x1b[2J' has a comma, a double quote or a line break"),
        ({"subtime": 1e300}, "submitted at 1e+300 s; it must be 0 or later, and at most"),
        ({"profile": "\x1b]0;x\x07"}, "unknown profile '\\x1b]0;x\\x07'"),
    ],
)
def test_jobs_with_control_characters_are_refused(
    run: Command, changes: dict[str, object], message: str
) -> None:
    workload = json.loads(Path("workload.json").read_text())
    workload["jobs"][0].update(changes)
    Path("workload.json").write_text(json.dumps(workload))
    assert_refused(run(), message)


def test_a_module_in_the_working_folder_is_not_imported(tmp_path: Path) -> None:
    for name in ("msgspec", "typer", "numpy", "predictors"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')\n")
    for start in (["-m", "pred_aware"], ["-P", "-m", "pred_aware"]):
        done = python(*start, "schedulers", "--json", cwd=tmp_path)
        assert (done.code, done.err) == (0, "")


NASTY = "\x1b]0;owned\x07\x1b[2J\u202egro\n\x9b1mann"


@pytest.fixture
def nasty_log(tmp_path: Path) -> Path:
    """A workload in which all names would do things to a terminal."""
    names = dict.fromkeys(("user_id", "group", "queue", "name", "partition", "executable"), NASTY)
    jobs = [job(number, 60 * number, 1, 50, 100) | names for number in range(40)]
    path = tmp_path / "nasty.json"
    write_inputs(tmp_path, jobs)
    (tmp_path / "workload.json").replace(path)
    return path


@pytest.mark.parametrize(
    ("arguments", "shows"),
    [
        (["inspect"], True),
        (["inspect", "--html", "page.html"], True),
        (["predict", "--predictor", "last_two", "--html", "page.html"], True),
        (["predict", "--predictor", "\x1b$x^$\U0001f600=knn", "--picture", "p.svg"], True),
        (["log", "model", "twin", "-o", "twin.json"], False),
    ],
)
def test_names_in_a_log_cannot_inject_terminal_codes_or_markup(
    nasty_log: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: Command,
    arguments: list[str],
    shows: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    monkeypatch.chdir(nasty_log.parent)
    ended = command(*arguments, nasty_log)
    assert (ended.code, ended.err) == (0, "")
    page = Path("page.html")
    for text in (ended.out, page.read_text() if page.exists() else ""):
        assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert (r"\x1b]0;owned\x07\x1b[2J\u202egro\n" in ended.out) == shows


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "192.0.2.1"])  # noqa: S104 - to be warned of
def test_an_address_open_to_other_machines_gives_a_warning(run: Command, host: str) -> None:
    ended = run("batsim", "-s", f"tcp://{host}:1", "--timeout", "0.1")
    assert (ended.code, "no decision process answers at" in ended.err) == (2, True)
    warned = f"pred-aware: warning: other machines can reach tcp://{host}:1" in ended.err
    assert warned == (host in ("0.0.0.0", "192.0.2.1"))  # noqa: S104


def test_pybatsims_default_address_gives_a_warning() -> None:
    code = (
        "from types import SimpleNamespace as N; from schedulers.pybatsim.entry_points import easy;"
        "network = N(socket_endpoint='tcp://*:28000', recv_string=None);"
        "easy({}).bs = N(network=network)"
    )
    done = python("-c", code)
    assert done.err.startswith("pybatsim: warning: other machines can reach tcp://*:28000")
    assert (done.code, "use -s tcp://127.0.0.1:28000 to allow only this" in done.err) == (0, True)
