"""How many jobs started while estimates were not trusted."""

import pytest

from pred_aware.execution.simulate import simulate
from tests.golden.semantics import made_log


def test_jobs_without_trust_are_those_that_started_before_it_was_gained_or_after_it_was_lost() -> (
    None
):
    run = simulate(
        made_log(), "recommended", estimates={"queueing": "actual"}, min_concordance=0.55
    )
    content = run.content("trust")
    assert content is not None
    rows = [line.split(b",") for line in content.splitlines()[1:]]
    assert rows
    trusted = [
        any(float(at[0]) <= start and at[1] == b"1" for at in rows if float(at[0]) <= start)
        for start in run.ran["starting_time"]
    ]
    assert len(rows) == 1  # once gained it is kept, which makes the above true
    share = run.measures(["started_without_trust"])["started_without_trust"]
    assert share == pytest.approx(1.0 - sum(trusted) / len(trusted))
    assert 0.0 < share < 1.0
