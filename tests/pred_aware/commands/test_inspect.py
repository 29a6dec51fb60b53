import json
import re
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command

LINE = "{number} {submit} 5 600 {size} -1 -1 {size} 3600 -1 1 {user} 1 1 1 -1 -1 -1\n"


@pytest.fixture
def inspect(command: Command) -> Command:
    """Run the command; its exit code, standard output and standard error."""
    return partial(command, "inspect")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "made <1>.swf"
    lines = (
        LINE.format(number=n, submit=900 * n, size=1 + n % 8, user=n % 5) for n in range(1, 200)
    )
    header = "; MaxProcs: 8\n; UnixStartTime: 1704067200\n; TimeZoneString: Europe/Berlin\n"
    path.write_text(header + "".join(lines))
    return path


def test_inspect_prints_figures_and_odd_findings(inspect: Command, log: Path) -> None:
    code, out, err = inspect(log)
    assert (code, err) == (0, "")
    assert "199 of 199 records" in out
    assert "2024-01-01 01:15 to 2024-01-03 02:45" in out
    assert "The log has only 199 jobs." in out


def test_json_has_every_figure_and_nothing_else_is_printed(inspect: Command, log: Path) -> None:
    code, out, _ = inspect(log, "--json", "--processors", 16)
    figures = json.loads(out)
    assert (code, figures["jobs"], figures["machine"]["processors"]) == (0, 199, 16)
    assert figures["period"]["first_submission"] == "2024-01-01T01:15:00+01:00"
    assert figures["distributions"]["run_time"]["median"] == 600
    assert figures["accuracy"]["share_with_ratio_at_most"]["0.20"] == 1.0
    assert next(finding["kind"] for finding in figures["findings"]) == "odd"


@pytest.mark.slow
def test_page_and_picture_are_self_contained_and_reproducible(
    inspect: Command, log: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.html", tmp_path / "second.html"
    alone, again = tmp_path / "first.svg", tmp_path / "second.svg"
    assert "Page: " in inspect(log, "--html", first, "--picture", alone).out
    assert inspect(log, "-q", "--html", second, "--picture", again) == (0, "", "")
    page, drawn = first.read_text(), alone.read_bytes()
    assert page == second.read_text()
    assert drawn == again.read_bytes()
    assert b"<svg" in drawn[:2000]
    assert set(re.findall(r'src="(\w+:[^,]*),', page)) == {"data:image/svg+xml"}
    assert not re.search(r'href="(?!#)', page)
    assert "<h1>made &lt;1&gt;.swf</h1>" in page
    assert page.count("<img") == 7


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_log_of_one_or_two_jobs_can_be_inspected(
    inspect: Command, log: Path, tmp_path: Path, jobs: int
) -> None:
    log.write_text("".join(log.read_text().splitlines(keepends=True)[3 : 3 + jobs]))
    code, out, err = inspect(log, "--html", tmp_path / "page.html")
    assert (code, err) == (0, "")
    assert "The log has no dates" in out


def test_reader_options_reach_the_reader(inspect: Command, log: Path) -> None:
    inspect(log, "--reader", '{"colour": 1}').assert_refused("format 'swf'")
    assert inspect(log, "--reader", '{"name": "swf", "strict": true}')[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--time-zone", "Mars/Olympus"), "unknown time zone 'Mars/Olympus'"),
        (("--reader", "swv"), "did you mean 'swf'?"),
        (("--html", "no/such/folder.html"), "the folder no/such does not exist"),
    ],
)
def test_bad_input_gives_a_one_line_error(
    inspect: Command, log: Path, arguments: tuple[str, ...], said: str
) -> None:
    inspect(log, *arguments).assert_refused(said)


def test_a_log_whose_jobs_are_all_removed_is_an_error(inspect: Command, log: Path) -> None:
    log.write_text("; MaxProcs: 8\n1 0 5 0 1 -1 -1 1 3600 -1 1 1 1 1 1 -1 -1 -1\n")
    inspect(log).assert_refused("none of its 1 jobs can be used (run time of 0 s: 1)")


def test_a_date_a_century_off_is_reported_with_advice(inspect: Command, log: Path) -> None:
    log.write_text(log.read_text() + LINE.format(number=200, submit=10**12, size=1, user=1))
    inspect(log).assert_refused(
        "its submissions span more than a century, from 900 to 1000000000000 s"
    )
    assert inspect(log, "--clean", "submit>3162240900")[0] == 0


def test_an_impossible_start_date_is_ignored(inspect: Command, log: Path) -> None:
    log.write_text(log.read_text().replace("1704067200", "32503680000"))
    code, out, _ = inspect(log)
    assert code == 0
    assert "The log has no dates" in out


def test_tables_are_written_with_all_digits(inspect: Command, log: Path, tmp_path: Path) -> None:
    assert inspect(log, "--tables", tmp_path / "t.json")[0] == 0
    tables = {one["title"]: one["rows"] for one in json.loads((tmp_path / "t.json").read_text())}
    assert ["walltime", *[3600.0] * 9] in tables["Distributions over jobs"]


def test_a_page_is_not_written_over_the_log(inspect: Command, log: Path) -> None:
    before = log.read_bytes()
    code, _, error = inspect(log, "--html", log)
    assert (code, log.read_bytes()) == (2, before)
    assert "is also the log; each file needs its own name" in error


@pytest.mark.slow
def test_dollars_in_a_user_name_are_shown_as_text(inspect: Command, tmp_path: Path) -> None:
    log = tmp_path / "w.json"
    job = {"subtime": 5, "res": 2, "profile": "p", "user_id": r"$\frac$", "walltime": 90}
    jobs = [{**job, "id": number} for number in range(9)]
    profiles = {"p": {"type": "delay", "delay": 60}}
    log.write_text(json.dumps({"nb_res": 4, "jobs": jobs, "profiles": profiles}))
    assert inspect(log, "--html", tmp_path / "page.html")[0] == 0


def test_several_dumps_are_inspected_as_one_log(inspect: Command, log: Path) -> None:
    header, *lines = re.split(r"(?<=Berlin)\n", log.read_text())
    later = log.with_name("later.swf")
    jobs = (f"{900 + n}{line[line.index(' ') :]}" for n, line in enumerate(lines[0].splitlines()))
    later.write_text("\n".join([header.replace("1704067200", "1706067200"), *jobs]) + "\n")
    figures = json.loads(inspect(log, later, "--json").out)
    assert (figures["log"], figures["jobs"]) == ("made <1>.swf and 1 more file", 398)
    assert "look like two machines" not in inspect(log, later).out
    later.write_text(later.read_text().replace("MaxProcs: 8", "MaxProcs: 16"))
    said = " ".join(inspect(log, later).out.split())
    assert said.startswith(
        "! The files look like two machines: they state machine sizes of 8 and 16"
    )
    inspect(log, later, "--html", later).assert_refused(f"is also the log {later}")


def test_a_log_of_minutes_has_no_busiest_hour_and_no_week(inspect: Command, log: Path) -> None:
    assert "busiest, quietest hour" in inspect(log).out
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:6]))
    out = inspect(log).out
    assert "30 min; time zone Europe/Berlin" in out
    assert re.search("busiest, quiet|on Saturdays|load of single weeks", out) is None
