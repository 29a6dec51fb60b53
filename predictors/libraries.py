"""Libraries that only some predictors need, each with an extra of its name that brings it."""

from importlib.util import find_spec

from predictors.errors import MissingLibraryError


def require_extra(extra: str) -> None:
    """Make sure that the library of an extra is there, without the time that importing it takes.

    Parameters
    ----------
    extra
        The extra of the package pred-aware, which has the name of its library, such as ``river``.

    Raises
    ------
    MissingLibraryError
        It is not installed.

    Examples
    --------
    >>> require_extra("msgspec")
    >>> require_extra("lacking")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
        ...
    predictors.errors.MissingLibraryError: needs lacking, which is not installed;
    add it with: pip install 'pred-aware[lacking]'
    """
    if find_spec(extra) is None:
        raise MissingLibraryError(
            f"needs {extra}, which is not installed; add it with: pip install 'pred-aware[{extra}]'"
        )
