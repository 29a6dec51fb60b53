import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.suites import each_case
from workload_tools.slurm.layout import Layout, layout_of_header
from workload_tools.slurm.record import (
    EARLIER_RUN,
    NUMBER_USED,
    REQUEUED,
    RESIZED,
    RESIZED_BEFORE,
    SAME_RUN,
    SlurmRecord,
    combine,
)
from workload_tools.slurm.record_text import record_lots, split_record

NAMES = ("jobidraw", "jobname", "state", "submit", "comment", "exitcode", "workdir")


def texts(tmp_path: Path, content: str, header: str) -> list[str]:
    path = tmp_path / "dump"
    path.write_bytes(content.encode())
    layout = layout_of_header(header)
    assert layout is not None
    return [text for lot in record_lots(path, layout) for text in lot.texts]


@given(st.tuples(*[st.text(alphabet="ab|x/ ", max_size=12)] * 3))
def test_texts_between_recognisable_fields_are_complete(free: tuple[str, str, str]) -> None:
    name, comment, folder = free
    fields = ["7", name, "COMPLETED", "1795228421", comment, "0:0", folder]
    assert split_record("|".join(fields), Layout(NAMES)) == fields


@given(st.text(alphabet="A|:0C2", max_size=14), st.text(alphabet="|:0C2", max_size=14))
def test_extra_separators_belong_to_fields_of_free_text(name: str, comment: str) -> None:
    text = f"7|{name}|COMPLETED|1795228421|{comment}|0:0|/home"
    fields = split_record(text, Layout(NAMES))
    assert fields is not None
    assert "|".join(fields) == text
    assert re.fullmatch("[0-9]+:[0-9]+", fields[5])
    assert (fields[0], fields[3]) == ("7", "1795228421")
    assert re.fullmatch("[A-Z]+", fields[2])


def test_lists_of_resources_are_split_at_their_commas() -> None:
    layout = Layout(("jobid", "reqtres", "alloctres", "nodelist", "suspended", "jobname"), ",")
    record = "5,cpu=4,mem=2G,cpu=4,gres/gpu=2,mem=2G,g[01-02,07],n1,00:00:00,a,b"
    assert split_record(record, layout) == [
        "5", "cpu=4,mem=2G", "cpu=4,gres/gpu=2,mem=2G", "g[01-02,07],n1", "00:00:00", "a,b",
    ]  # fmt: skip


@each_case("record", ["7|a", "7|a|b|c|d", "7|" + "|" * 400 + "|COMPLETED|0:0"])
def test_a_record_that_cannot_be_split_is_unreadable(record: str) -> None:
    assert split_record(record, Layout(("jobid", "jobname", "state", "exitcode"))) is None


def test_a_name_with_line_ends_is_one_record(tmp_path: Path) -> None:
    content = "JobID|JobName|State\n1|new\nline|COMPLETED\n2|b\n\n3|c|FAILED\n3|d|FAILED\n"
    found = texts(tmp_path, content, "JobID|JobName|State")
    assert found == ["1|new\nline|COMPLETED", "2|b", "3|c|FAILED", "3|d|FAILED"]


def test_a_name_in_the_last_field_can_have_line_ends(tmp_path: Path) -> None:
    content = "JobID|State|JobName\n1|COMPLETED|new\nline\n\nmore\n2|FAILED|b\n"
    found = texts(tmp_path, content, "JobID|State|JobName")
    assert found == ["1|COMPLETED|new\nline\n\nmore", "2|FAILED|b"]


def test_a_truncated_record_takes_nothing_from_the_next(tmp_path: Path) -> None:
    content = "JobID|State|JobName\n1|COMP\n2|FAILED|b\n"
    assert texts(tmp_path, content, "JobID|State|JobName") == ["1|COMP", "2|FAILED|b"]


def test_headers_between_records_set_the_layout_of_the_following(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_text(
        "JobID|State\n1|COMPLETED\nJobID|State\n2|FAILED\nState;JobID;User\nFAILED;3;a\n"
    )
    first = layout_of_header("JobID|State")
    assert first is not None
    found = [(text, lot.layout.names) for lot in record_lots(path, first) for text in lot.texts]
    assert found == [
        ("1|COMPLETED", ("jobid", "state")),
        ("2|FAILED", ("jobid", "state")),
        ("FAILED;3;a", ("state", "jobid", "user")),
    ]


def record(
    state: str, *, submit: float, start: float | None = None, elapsed: float = 0.0,
    cpus: int = 1, user: str = "ann",
) -> SlurmRecord:  # fmt: skip
    return SlurmRecord(
        id="7", key=7, state=state, submit=submit, start=start, elapsed=elapsed,
        allocated_cpus=cpus, user=user,
    )  # fmt: skip


def test_the_last_run_of_a_requeued_job_counts_in_any_order() -> None:
    runs = [
        record("REQUEUED", submit=10, start=11, elapsed=1),
        record("NODE_FAIL", submit=20, start=36, elapsed=4),
        record("COMPLETED", submit=40, start=56, elapsed=9),
    ]
    for order in (runs, runs[::-1]):
        combined = combine(order, each_run=False)
        assert [(run.state, note) for run, note in combined.kept] == [("COMPLETED", REQUEUED)]
        assert combined.dropped == [f"{EARLIER_RUN}: REQUEUED", f"{EARLIER_RUN}: NODE_FAIL"]


def test_each_run_can_be_a_job() -> None:
    runs = [record("PREEMPTED", submit=10, start=11), record("PENDING", submit=20)]
    combined = combine(runs, each_run=True)
    assert [run.id for run, _ in combined.kept] == ["7:run1", "7"]
    assert combined.dropped == []


def test_a_job_that_was_resized_twice_has_its_first_submission_and_its_last_size() -> None:
    combined = combine(
        [
            record("RESIZING", submit=10, start=12, elapsed=7, cpus=3),
            record("RESIZING", submit=19, start=12, elapsed=15, cpus=2),
            record("COMPLETED", submit=27, start=12, elapsed=25),
        ],
        each_run=False,
    )
    ((run, note),) = combined.kept
    assert (run.submit, run.start, run.elapsed, run.allocated_cpus) == (10, 12, 25, 1)
    assert note == RESIZED
    assert combined.dropped == [RESIZED_BEFORE, RESIZED_BEFORE]


def test_in_overlapping_dumps_the_record_with_an_end_counts() -> None:
    running = record("RUNNING", submit=10, start=12, elapsed=5)
    ended = record("TIMEOUT", submit=10, start=12, elapsed=60)
    pending = record("PENDING", submit=10)
    for order in ([pending, running, ended], [ended, running, pending], [ended, ended, ended]):
        combined = combine(order, each_run=True)
        assert combined.kept == [(ended, None)]
        assert combined.dropped == [SAME_RUN, SAME_RUN]


def test_a_reused_job_number_is_another_job() -> None:
    combined = combine(
        [
            record("COMPLETED", submit=900, start=901, user="bob"),
            record("COMPLETED", submit=10, start=12, user="ann"),
        ],
        each_run=False,
    )
    found = [(run.id, run.user, note) for run, note in combined.kept]
    assert found == [("7", "ann", None), ("7:2", "bob", NUMBER_USED)]
