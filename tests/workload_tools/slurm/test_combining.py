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


def test_of_dumps_that_overlap_the_record_that_knows_the_end_counts() -> None:
    running = record("RUNNING", submit=10, start=12, elapsed=5)
    ended = record("TIMEOUT", submit=10, start=12, elapsed=60)
    pending = record("PENDING", submit=10)
    for order in ([pending, running, ended], [ended, running, pending], [ended, ended, ended]):
        combined = combine(order, each_run=True)
        assert combined.kept == [(ended, None)]
        assert combined.dropped == [SAME_RUN, SAME_RUN]


def test_a_number_that_was_used_again_is_another_job() -> None:
    combined = combine(
        [
            record("COMPLETED", submit=900, start=901, user="bob"),
            record("COMPLETED", submit=10, start=12, user="ann"),
        ],
        each_run=False,
    )
    found = [(run.id, run.user, note) for run, note in combined.kept]
    assert found == [("7", "ann", None), ("7:2", "bob", NUMBER_USED)]
