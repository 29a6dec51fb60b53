"""A run that trusts estimates for a while: the same files in one process and under pybatsim."""

from pred_aware.execution.simulate import simulate
from tests.golden.semantics import made_log

KINDS = ("jobs", "machine_states", "estimates", "trust")


def test_one_process_and_pybatsim_give_the_same_bytes_with_trust() -> None:
    log, options = made_log(), {"estimates": {"queueing": "actual", "backfilling": "actual"}}
    here, there = (
        simulate(log, "recommended", options=options, delays="batsim", transport=transport)
        for transport in ("process", "zmq")
    )
    assert [here.content(kind) for kind in KINDS] == [there.content(kind) for kind in KINDS]
    assert len((here.content("trust") or b"").splitlines()) > 1
