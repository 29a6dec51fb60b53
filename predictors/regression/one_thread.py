"""Computing in one thread, so that sums are those of any machine."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread(library: str) -> AbstractContextManager[object]:
    """Let a library that is loaded compute in one thread while this context lasts.

    Threads add up in an order that differs from machine to machine, and so would the results.

    Parameters
    ----------
    library
        A name that threadpoolctl has for it: ``openmp`` or ``blas``.
    """
    context: AbstractContextManager[object] = _loaded(library).limit(limits=1)
    return context


@cache
def _loaded(library: str) -> Any:  # noqa: ANN401 - threadpoolctl publishes no types
    """Look for it among all that is loaded, which takes as long as a small fit; so once."""
    # scikit-learn itself depends on threadpoolctl
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().select(user_api=library)
