"""What a simulation leaves behind when nobody has its run any more."""

import gc
from typing import Any

import pytest

from tests.pred_aware.execution.test_on_site import RULES, busy
from tests.schedulers.site.on_site import ran


@pytest.mark.parametrize(
    ("site", "policy"), [({}, "easy"), ({}, "easy_plus_plus"), (RULES, "easy")]
)
def test_a_run_that_is_let_go_is_freed_at_once_and_not_when_garbage_is_looked_for(
    site: dict[str, Any], policy: str
) -> None:
    ran(site, busy(20), policy)
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        ran(site, busy(20), policy)
        gc.collect()
        left = [type(one).__name__ for one in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.enable()
        gc.garbage.clear()
    assert "RunInMemory" not in left
    assert "JobColumns" not in left
