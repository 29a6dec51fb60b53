"""`--history` reads what `predict` reads: every log that `open_log` does."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from pred_aware.log.past_jobs import past_job
from predictors import HistoryError, OptionError
from predictors.history import history_of, load_history
from tests.workload_tools.test_log_contract import SAMPLES
from workload_tools.errors import InputError
from workload_tools.formats import open_log
from workload_tools.log import gather


def test_a_log_of_any_format_is_a_history(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        for pack in (bytes, gzip.compress):
            path = tmp_path / f"{name}_{pack.__name__}"
            path.write_bytes(pack(text.encode()))
            [job] = load_history(path)
            [of_log] = gather(open_log(path)).jobs
            assert (job.submission.id, job.submission.user) == (of_log.id, of_log.user), path.name
            assert job.end == 0.0, path.name
            assert job.submission.submit_time == -(past_job(of_log).end or 0.0), path.name
            assert load_history(path, format=name) == [job], path.name


def test_a_history_of_a_real_log_has_the_jobs_of_predict(shared: Path) -> None:
    for log in (
        "sacct/01_allocs_X_P.txt.gz", "sacct/02_steps_P.txt.gz", "pbs/20171001.anon.gz",
        "m100-24h/slurm_workload_24h_reconstructed.json.gz",
    ):  # fmt: skip
        workload = gather(open_log(shared / log)).jobs
        seen = sorted((past_job(job) for job in workload), key=lambda job: job.end or 0.0)
        latest = seen[-1].end or 0.0
        history = load_history(shared / log)
        assert len(history) == len(seen) > 0, log
        for learned, job in zip(history, seen, strict=True):
            submission, limit = job.submission, job.submission.walltime
            ran = job.run_time if limit is None else min(job.run_time, limit)
            assert (
                learned.submission.id, learned.submission.user, learned.submission.submit_time,
                learned.end, learned.run_time,
            ) == (
                submission.id, submission.user, submission.submit_time - latest,
                (job.end or 0.0) - latest, ran,
            ), (log, submission.id)  # fmt: skip


def test_folders_and_logs_without_waits_can_be_histories(tmp_path: Path) -> None:
    for day in ("20240301", "20240302"):
        (tmp_path / day).write_text(SAMPLES["pbs"].replace("1.srv", f"{day}.srv"))
    assert [job.submission.id for job in load_history(tmp_path)] == ["20240301.srv", "20240302.srv"]
    # a log without waits ends as if each job had started at once
    path = tmp_path / "past.swf"
    path.write_text("1 0 -1 60 4 -1 -1 4 99 -1 1 7 1 2 0 1 -1 -1\n2 9 -1 20 4" + " -1" * 13)
    assert [(job.submission.id, job.end) for job in load_history(path)] == [("2", -31.0), ("1", 0)]


def test_a_history_takes_the_options_of_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(SAMPLES["slurm"])
    [job] = load_history(path, options={"processors_from": "allocated"})
    assert job.submission.processors == 8
    with pytest.raises(InputError, match="has no option 'processors_form': did you mean"):
        load_history(path, options={"processors_form": "allocated"})
    # an option may be a name or an object with the readers options
    path = tmp_path / "log"
    path.write_text(SAMPLES["swf"])
    options: tuple[dict[str, Any], ...] = ({}, {"format": "swf"}, {"strict": False})
    for one in options:
        assert history_of({"file": str(path), **one}) == history_of(str(path)) != [], one
    for spec in (5, {"path": "log"}, ["log"], {"file": 5}):
        with pytest.raises(OptionError, match="it must be the name of a file, or an object with"):
            history_of(spec)


def test_an_invalid_history_gives_a_one_line_error(tmp_path: Path) -> None:
    path = tmp_path / "past.txt"
    for text, message in (
        (b"", "nor a log of a known format"), (b"hello\n", "nor a log of a known format"),
        (b"\x1f\x8b", "damaged gzip"),
    ):  # fmt: skip
        path.write_bytes(text)
        with pytest.raises((HistoryError, InputError), match=message) as caught:
            load_history(path)
        assert str(path) in str(caught.value), text
        assert "\n" not in str(caught.value), text
