import numpy as np
import pytest

from pred_aware.recorded_queue.trust import verdict_of
from pred_aware.recorded_queue.waits import similarity
from tests.pred_aware.site_inference.planted import like


def test_a_queue_is_like_itself() -> None:
    waits = np.array([0.0, 10.0, 4000.0, 9000.0])
    found = similarity(waits, waits)
    assert (found.ratio, found.distance) == (1.0, 0.0)
    assert found.dissimilarity == pytest.approx(0.0)


def test_waits_of_others_are_unlike_though_the_mean_is_the_same() -> None:
    waits = np.array([0.0, 10.0, 4000.0, 9000.0])
    found = similarity(waits, waits[::-1])
    assert found.ratio == 1.0
    assert found.correlation == pytest.approx(-1.0)


def test_twice_the_mean_is_as_unlike_as_half() -> None:
    assert like(2.0, 0.5).dissimilarity == pytest.approx(like(0.5, 0.5).dissimilarity)


def test_where_nobody_waited_in_the_record_there_is_no_ratio() -> None:
    found = similarity(np.zeros(3), np.array([0.0, 60.0, 90.0]))
    assert (found.ratio, found.simulated, verdict_of(found)) == (None, None, "none")
    assert np.isfinite(found.dissimilarity)
