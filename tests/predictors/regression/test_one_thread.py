"""Fits of one thread."""

import pytest
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

from predictors.regression.trees import one_thread


def threads(library: str) -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == library}


@pytest.mark.parametrize("library", ["blas", "openmp"])
def test_a_library_computes_in_one_thread_until_the_context_ends(library: str) -> None:
    pytest.importorskip("sklearn.ensemble")
    before = threads(library)
    for _ in range(2):
        with one_thread(library):
            assert threads(library) == {1}
        assert threads(library) == before
