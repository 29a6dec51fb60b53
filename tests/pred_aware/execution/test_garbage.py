"""Memory after a simulation whose run is no longer referenced."""

import gc

import pytest

from tests.pred_aware.execution.test_on_site import RULES, busy
from tests.schedulers.site.on_site import ran


@pytest.mark.slow
def test_a_released_run_is_freed_at_once_without_garbage_collection() -> None:
    ran(RULES, busy(20), "easy_plus_plus")
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        ran(RULES, busy(20), "easy_plus_plus")
        gc.collect()
        left = [type(one).__name__ for one in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.enable()
        gc.garbage.clear()
    assert "RunInMemory" not in left
    assert "JobColumns" not in left
