"""Predictors, corrections and orders from outside of the package, through the command line."""

import csv
import json
import re
import sys
from pathlib import Path

import pytest

from tests.pred_aware.command import Command, python
from tests.pred_aware.simulator.world import job, write_inputs
from tests.suites import each_case

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "own-parts.md"
EXAMPLES = {
    "predictor": "site_predictor:LongestOfUser",
    "correction": "site_correction:PartOfWalltime",
    "order": '{"name": "site_order:Aged", "weight": 0.5}',
}
RUN = ("run", "-p", "platform.xml", "-w", "workload.json", "-e", "out", "-q")
# ten processors; ann's second job is estimated at the 20 s of her first, and outlives them
JOBS = [
    job(1, 0, 10, 20, 100) | {"user_id": "ann"},
    job(2, 30, 8, 90, 100) | {"user_id": "ann"},
    job(3, 31, 10, 60, 300) | {"user_id": "bob"},
    job(4, 32, 10, 50, 60) | {"user_id": "cid"},
]

BROKEN = """from schedulers.core.backfilling import NoBackfilling


class Raising:
    changes, lead, asks = True, 0.0, True
    def predict(self, submission, now): return 20.0
    def learn(self, submission, run_time, now): self.known[submission.user] = run_time
    def correct(self, job, elapsed): return 1 / 0
    def key(self, job, now): raise LookupError("two\\nlines")


class Hasty(Raising):
    def predict(self, submission, now): return 1 // 0


class Nonsense(Raising):
    def predict(self, submission, now): return float("nan")
    def correct(self, job, elapsed): return elapsed - 5
    def key(self, job, now): return float("nan")


class Silent(Raising):
    def predict(self, submission, now): return "soon"
    def correct(self, job, elapsed): return None
    def key(self, job, now): return None


class Late:
    needs_fields, journal = False, None
    def begin(self, processors): pass
    def decide(self, request): return [].pop()


class Unready:
    def __init__(self): raise KeyError("settings")


class Empty: pass


class Gap(NoBackfilling):
    def choose(self, queue, plan, now): return self.never_there


class Unwilling:
    def __init__(self, size): raise RuntimeError("no machine")


class Broom:
    def __init__(self, size): self.size = size
    def allocate(self, size): raise OSError("swept away")
    def release(self, intervals): pass
"""

READER = """from workload_tools.log import Machine
from workload_tools.report import Report


class SiteLog:
    def __init__(self, path):
        self.path = path
        self.report = Report()
        self.machine = Machine()

    @staticmethod
    def recognises(path, head):
        return False

    def jobs(self):
        path = self.path
        raise KeyError(path)
        yield
"""


@pytest.fixture
def run(own_modules: Path, command: Command) -> Command:
    """Run the command on the four jobs, in a folder where Python finds the page's modules."""
    write_inputs(own_modules, JOBS)
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", text, re.DOTALL):
        (own_modules / name).write_text(code, encoding="utf-8")
    (own_modules / "broken.py").write_text(BROKEN)
    (own_modules / "unimportable.py").write_text("1 / 0\n")
    return lambda *arguments, first="": command(*first.split(), *RUN, *arguments)


def rows(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as file:
        return {row["job_id"]: row for row in csv.DictReader(file)}


def at(folder: Path, code: str) -> str:
    """Return the file and line of some code, as an error states them."""
    file = folder / "broken.py"
    line = next(n for n, text in enumerate(file.read_text().split("\n"), 1) if code in text)
    return f"({file}:{line})"


def installed(folder: Path) -> None:
    """Make the page's entry points known, as an installed package does."""
    text = PAGE.read_text(encoding="utf-8")
    groups = re.findall(r'    \[project\.entry-points\."(\S+)"\]\n    (\S+) = "(\S+)"', text)
    package = folder / "site_hooks-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: site-hooks\nVersion: 1.0\n")
    lines = [f"[{group}]\n{name} = {target}\n" for group, name, target in groups]
    (package / "entry_points.txt").write_text("".join(lines))


def examples() -> list[str]:
    return [part for name, value in EXAMPLES.items() for part in ("-O", f"{name}={value}")]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("transport", ["process", "zmq"])
def test_the_pages_examples_schedule_jobs(tmp_path: Path, transport: str) -> None:
    options = (*examples(), "--transport", transport)
    assert python("-m", "pred_aware", *RUN, "-s", "easy", *options) == (0, "", "")
    second = rows(tmp_path / "out_estimates.csv")["2"]
    # 20 s as ann's first job, then a quarter of the walltime more at a time
    assert (second["first_estimate"], second["last_estimate"]) == ("20.000000", "95.000000")
    assert second["corrections"] == "3"
    # the third has waited for longer, but not by enough
    jobs = rows(tmp_path / "out_jobs.csv")
    assert float(jobs["4"]["starting_time"]) < float(jobs["3"]["starting_time"])


def test_classes_are_found_by_entry_points_of_another_package(run: Command, tmp_path: Path) -> None:
    installed(tmp_path)
    options = ("--predictor", "longest_of_user", "-O", "correction=part_of_walltime")
    done = run("-s", "easy", *options, "-O", "order=aged")
    assert (done.code, done.err) == (0, "")
    assert rows(tmp_path / "out_estimates.csv")["2"]["corrections"] == "3"


@pytest.mark.usefixtures("own_modules")
@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("site_pybatsim", ("-s", "fcfs", "--delays", "batsim")),
        ("site_easy", ("-s", "easy", "--predictor", "last_two", "--transport", "zmq")),
    ],
)
def test_the_pages_pybatsim_classes_schedule_like_ours(
    tmp_path: Path, name: str, same: tuple[str, ...]
) -> None:
    page = PAGE.with_name("own-pybatsim.md").read_text(encoding="utf-8")
    (code,) = re.findall(rf"`{name}\.py`:\n\n```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / f"{name}.py").write_text(code)
    write_inputs(tmp_path, JOBS)
    starts = []
    for decided in (("--decision-process", f"{sys.executable} {name}.py"), same):
        assert python("-m", "pred_aware", *RUN, *decided, cwd=tmp_path) == (0, "", "")
        jobs = rows(tmp_path / "out_jobs.csv")
        starts.append({job: round(float(row["starting_time"])) for job, row in jobs.items()})
    assert starts[0] == starts[1]
    assert starts[0]["2"] == 30


@pytest.mark.parametrize(
    ("name", "transport"), [("site_policy:LargestFirst", "process"), ("largest_first", "zmq")]
)
def test_the_pages_policy_runs_by_module_or_entry_point(
    run: Command, tmp_path: Path, transport: str, name: str
) -> None:
    installed(tmp_path)
    done = run("-s", name, "-O", '{"allocation": "best_fit"}', "--transport", transport)
    assert (done.code, done.err) == (0, "")
    jobs = rows(tmp_path / "out_jobs.csv")
    assert {job: float(row["starting_time"]) for job, row in jobs.items()} == pytest.approx(
        {"1": 0, "2": 30, "3": 120, "4": 180}
    )
    made = json.loads((tmp_path / "out_run.json").read_text())
    assert made["scheduler"] == {"name": name, "options": {"allocation": "best_fit"}}
    assert [part["class"] for part in made["own_parts"]] == ["LargestFirst"]


@each_case(
    ("arguments", "message"),
    [
        (("-s", "site_policy:Missing"), "policy 'site_policy:Missing' cannot be loaded"),
        (("-s", "site_policy:LargestFirst", "-O", "order=sjf"), "has no option 'order'"),
        (("-s", "broken:Empty"), "policy 'broken:Empty' has no `begin`; it needs begin"),
        (("-s", "broken:Late"), "policy 'broken:Late' failed: IndexError: pop from empty list"),
        (("-s", "largest_fast"), "unknown scheduler 'largest_fast': did you mean 'largest_first'"),
    ],
)
def test_a_policy_that_cannot_run_gives_a_one_line_error(
    run: Command, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    if not (tmp_path / "site_hooks-1.0.dist-info").exists():
        installed(tmp_path)
    run(*arguments).assert_refused(message)
    assert list(tmp_path.glob("out*")) == []


@each_case(
    ("option", "name", "message"),
    [
        ("predictor", "Raising", "predictor 'broken:Raising' failed on job 'w0!1': AttributeError"),
        ("predictor", "Hasty", "predictor 'broken:Hasty' failed on job 'w0!1': ZeroDivisionErr"),
        ("predictor", "Nonsense", "predictor 'broken:Nonsense': job 'w0!1': .* returned nan"),
        ("predictor", "Silent", "predictor 'broken:Silent': job 'w0!1': .* returned 'soon'"),
        ("predictor", "Unready", "predictor 'broken:Unready' cannot be made: KeyError: 'settings'"),
        ("predictor", "Empty", "predictor 'broken:Empty' has no `predict`"),
        ("correction", "Raising", "correction 'broken:Raising' failed on job 'w0!2': ZeroDivision"),
        ("correction", "Nonsense", "'broken:Nonsense' returned 15.0 s for job 'w0!2'; it must ret"),
        ("correction", "Silent", "correction 'broken:Silent' failed on job 'w0!2': TypeError"),
        ("correction", "Empty", "correction 'broken:Empty' has no `correct`"),
        ("order", "Raising", "order 'broken:Raising' failed on job 'w0!1': LookupError: two lines"),
        ("order", "Nonsense", "order 'broken:Nonsense' returned nan for job 'w0!1'"),
        ("order", "Silent", "order 'broken:Silent' failed on job 'w0!1': TypeError"),
        ("order", "Empty", "order 'broken:Empty' has no `key`"),
        ("order", "Missing", "order 'broken:Missing' cannot be loaded: .* no attribute 'Missing'"),
    ],
)
def test_a_failing_hook_gives_a_one_line_error_that_names_it(
    run: Command, tmp_path: Path, option: str, name: str, message: str
) -> None:
    # the second job is the first whose estimate runs out
    chosen = {"predictor": '{"name": "constant", "seconds": 20}', option: f"broken:{name}"}
    done = run("-s", "easy", *(part for k, v in chosen.items() for part in ("-O", f"{k}={v}")))
    done.assert_refused()
    assert re.search(message, done.err), done.err
    assert list(tmp_path.glob("out*")) == []


@pytest.mark.parametrize(
    ("option", "message", "code"),
    [
        ("predictor", "predictor 'broken:Hasty' failed on job 'w0!1': ZeroDiv", "return 1 // 0"),
        (
            "order",
            "order 'broken:Hasty' failed on job 'w0!1': LookupError: two lines",
            "raise Look",
        ),
    ],
)
def test_a_failing_hook_in_pybatsim_is_named_with_file_and_line(
    run: Command, tmp_path: Path, option: str, message: str, code: str
) -> None:
    done = run("-s", "easy", "-O", f"{option}=broken:Hasty", "--transport", "zmq")
    done.assert_refused(message)
    assert at(tmp_path, code) in done.err
    assert list(tmp_path.glob("out*")) == []


@each_case("option", ["predictor", "correction", "order"])
def test_a_module_that_cannot_be_imported_is_named(
    run: Command, tmp_path: Path, option: str
) -> None:
    done = run("-s", "easy", "-O", f"{option}=unimportable:Thing")
    assert done.code == 2
    reason = "cannot be loaded: ZeroDivisionError: division by zero"
    where = f" ({tmp_path / 'unimportable.py'}:1)"
    assert done.err == f"pred-aware: error: {option} 'unimportable:Thing' {reason}{where}\n"


def test_an_order_that_fails_in_a_weighted_sum_is_named(run: Command, tmp_path: Path) -> None:
    weighted = '{"name": "weighted", "weights": {"sjf": 1, "broken:Raising": 2}}'
    done = run("-s", "easy", "-O", f"order={weighted}")
    said = "order 'broken:Raising' failed on job 'w0!1': LookupError: two lines"
    assert (done.code, done.err) == (2, f"pred-aware: error: {said} {at(tmp_path, 'raise Look')}\n")


@each_case(
    ("option", "part", "code"),
    [
        ("predictor", "broken:Hasty", "return 1 // 0"),
        ("predictor", "broken:Unready", "raise KeyError"),
        ("predictor", '{"name": "safe", "predictor": "broken:Hasty"}', "return 1 // 0"),
        ("backfilling", "broken:Gap", "never_there"),
        ("allocation", "broken:Broom", "swept away"),
        ("allocation", "broken:Unwilling", "no machine"),
    ],
)
def test_a_failing_part_is_reported_with_file_and_line(
    run: Command, tmp_path: Path, option: str, part: str, code: str
) -> None:
    done = run("-s", "policy", "-O", f"{option}={part}")
    assert done.code == 2
    assert re.fullmatch(rf"pred-aware: error: .*{option} '.+\n", done.err)
    assert at(tmp_path, code) in done.err


@pytest.mark.parametrize(("first", "last"), [("--debug", []), ("", ["--debug"])])
def test_the_traceback_is_printed_in_debug_mode(run: Command, first: str, last: list[str]) -> None:
    done = run("-s", "easy", "--predictor", "broken:Hasty", *last, first=first)
    assert done.code == 2
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert "return 1 // 0\n" in done.err
    line = done.err.splitlines()[-1]
    assert line.startswith("pred-aware: error: predictor 'broken:Hasty' failed on job 'w0!1'")


def test_a_failing_reader_is_named_with_its_line(own_modules: Path, command: Command) -> None:
    package = own_modules / "site_logs-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: site-logs\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[pred_aware.logs]\nsite = site_log:SiteLog\n")
    lines = READER.split("\n")
    (own_modules / "site_log.py").write_text(READER)
    (own_modules / "log.site").write_text("job 7\n")
    done = command("inspect", "log.site", "--reader", "site")
    place = f"{own_modules / 'site_log.py'}:{lines.index('        raise KeyError(path)') + 1}"
    said = "log.site: the reader of the format 'site' failed: KeyError: PosixPath('log.site')"
    assert (done.code, done.err) == (2, f"pred-aware: error: {said} ({place})\n")


def test_a_history_on_which_a_predictor_fails_is_named(run: Command, tmp_path: Path) -> None:
    (tmp_path / "past.csv").write_text("processors,run_time,user\n1,10,ann\n")
    done = run("-s", "easy", "--predictor", "broken:Raising", "--history", "past.csv")
    done.assert_refused("predictor 'broken:Raising' failed on the past job '")
    assert done.err.endswith(f"{at(tmp_path, 'self.known')}\n")
