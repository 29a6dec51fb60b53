"""Limit a library to one thread, so that results are equal on every machine."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread(library: str) -> AbstractContextManager[object]:
    """Return a context in which a loaded library computes in one thread.

    Several threads add numbers in an order that depends on the machine, and so do the results.

    Parameters
    ----------
    library
        The library's name in threadpoolctl: ``openmp`` or ``blas``.
    """
    context: AbstractContextManager[object] = _loaded(library).limit(limits=1)
    return context


@cache
def _loaded(library: str) -> Any:  # noqa: ANN401 - threadpoolctl publishes no types
    """Return threadpoolctl's controller, cached because the search takes as long as a small fit."""
    # scikit-learn installs threadpoolctl
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().select(user_api=library)
