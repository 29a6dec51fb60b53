import numpy as np
import pytest

from pred_aware.recorded_queue.trust import verdict_of
from pred_aware.recorded_queue.waits import similarity
from tests.pred_aware.site_inference.planted import like


def test_a_queue_is_similar_to_itself() -> None:
    waits = np.array([0.0, 10.0, 4000.0, 9000.0])
    found = similarity(waits, waits)
    assert (found.ratio, found.distance) == (1.0, 0.0)
    assert found.dissimilarity == pytest.approx(0.0)


def test_waits_of_different_jobs_differ_although_the_means_are_equal() -> None:
    waits = np.array([0.0, 10.0, 4000.0, 9000.0])
    found = similarity(waits, waits[::-1])
    assert found.ratio == 1.0
    assert found.correlation == pytest.approx(-1.0)


def test_twice_the_mean_differs_as_much_as_half() -> None:
    assert like(2.0, 0.5).dissimilarity == pytest.approx(like(0.5, 0.5).dissimilarity)


def test_without_recorded_waits_there_is_no_ratio() -> None:
    found = similarity(np.zeros(3), np.array([0.0, 60.0, 90.0]))
    assert (found.ratio, found.simulated, verdict_of(found)) == (None, None, "none")
    assert np.isfinite(found.dissimilarity)
