"""What a study keeps, goes on with, and says of whom."""

import json
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.study.reading import read
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import study
from tests.pred_aware.command import Command
from tests.pred_aware.study.conftest import MakeLog, Studied, recorded_log


def runs_in(folder: Path) -> dict[str, int]:
    """The runs in a study's store, with when they were written."""
    return {path.parent.name: path.stat().st_mtime_ns for path in folder.rglob("run.json")}


def test_a_killed_study_resumes_from_its_runs_like_a_campaign(
    command: Command, studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    log = make_log(jobs=20)

    def killed(line: str) -> None:
        if line.startswith("Simulating 2 perturbed copies: 6"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study(
            Reading(paths=(log,)), tmp_path / "out", on_progress=killed,
            effort=StudyEffort(shakes=2, workers=1),
        )  # fmt: skip
    first = runs_in(tmp_path / "out")
    assert len(first) == 6
    again, whole = studied(log, shakes=2), studied(log, shakes=2, folder="whole")
    second = runs_in(tmp_path / "out")
    assert len(second) == 12
    assert first.items() <= second.items()
    status = command("campaign", "status", tmp_path / "out" / "campaign.toml", "--json")
    found = {key: json.loads(status.out)[key] for key in ("there", "to_do")}
    assert found == {"there": 12, "to_do": 0}
    for what in ("policies", "gains", "answer", "recorded_queue"):
        assert again.to_dict()[what] == whole.to_dict()[what]


def test_when_the_time_is_up_the_study_answers_with_finished_runs(
    tmp_path: Path,
) -> None:
    log = recorded_log(tmp_path, jobs=100)
    effort, asked = StudyEffort(seconds=0.0, workers=1), Reading(paths=(log,))
    found = study(asked, tmp_path / "out", effort=effort, on_progress=lambda _: None)
    assert (found.rounds.shakes, found.rounds.why) == (0, "time is up")
    assert found.predicted.left_out
    assert (found.verdict.kind, found.verdict.reason) == ("need_input", "time")


def test_the_page_and_its_data_name_no_user(
    command: Command, make_log: MakeLog, tmp_path: Path
) -> None:
    log = make_log(jobs=20)
    log.write_text(log.read_text().replace(" -1 1 2 1 1", " -1 1 98765432 1 1"))
    out = tmp_path / "out"
    ended = command("study", log, "-o", out, "--shakes", 2, "-j", 1)
    assert ended.code == 0
    assert f"Page: {out / 'study.html'}" in ended.out
    page, data = ((out / name).read_text() for name in ("study.html", "study.json"))
    told = json.loads(data)
    assert told["answer"]["headline"] in " ".join(ended.out.split())
    assert told["answer"]["headline"] in page.replace("&#x27;", "'")
    assert "98765432" not in page + data
    assert str(tmp_path) not in page + data
    assert json.loads((out / "names.json").read_text())["names"]["user"]["98765432"] in range(1, 6)
    assert page.count('<details class="fold">') == 8
    assert told["command"] == "pred-aware study mine.swf --shakes 2"
    assert {group["group"] for group in told["gains"]["user"]} == {"1", "2", "3", "4", "5"}
    named = read(Reading(paths=(log,), names=True))
    assert "98765432" in named.inspection.columns.user_names
    assert named.key is None


def test_p_values_equal_those_of_the_campaigns_table(
    command: Command, studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    found = studied(make_log(jobs=100), shakes=3)
    ended = command("campaign", "table", tmp_path / "out" / "campaign.toml", "--json")
    rows = json.loads(ended.out)["compared"]
    held = {(row["policy"], row["measure"]): row["holm"] for row in rows}
    ours = {
        (name, one.measure): one.holm
        for name, effects in found.policies.items()
        for one in effects.values()
    }
    assert {key: value for key, value in ours.items() if key[0] != "easy"} == held


def test_nothing_is_written_into_a_folder_with_other_files(
    studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(PredAwareError, match="has files, but is not the folder of a study"):
        studied(make_log())
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_wrong_options_give_a_one_line_error_and_no_folder(
    command: Command, make_log: MakeLog, tmp_path: Path
) -> None:
    log = make_log()
    for options, message in (
        (("--shakes", 1), "interval needs at least 2"),
        (("--shakes", 2, "--minutes", 1), "either --shakes, or --minutes"),
        (("--missing-walltime", "keep"), "Give drop or a number of seconds"),
        (("--missing-walltime", "x"), "is 'x'. Give drop or a number of seconds above 0"),
        (("--slurm-conf", "slurm.conf"), "has no option 'slurm_conf'"),
        (("--precision", "0"), "Give a number above 0"),
        (("--baseline", "lsf"), "must be one of easy, slurm, openpbs"),
    ):
        command("study", log, "-q", "-o", tmp_path / "out", *options).assert_refused(message)
        assert not (tmp_path / "out").exists(), options


def test_a_sites_scheduler_that_takes_too_long_gives_one_error_with_advice(
    command: Command, make_log: MakeLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pred_aware.study.study.SIMULATING", 0.0)
    monkeypatch.setattr("schedulers.core.loop.PROGRESS_EVERY", 10)
    asked = ("--baseline", "slurm", "--minutes", "1", "-o", tmp_path / "out")
    code, _, said = command("study", make_log(jobs=100), "-q", *asked)
    assert (code, said.count("\n")) == (2, 1)
    assert "simulation of slurm, the site's own scheduler, did not finish within" in said
    assert "--baseline easy" in said
