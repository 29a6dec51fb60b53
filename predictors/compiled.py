"""Compiling Python functions of arrays with numba."""

import logging
import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)
from numba.core.runtime import rtsys

from predictors.compile_cache import CompiledCode, cached_in
from predictors.sources import CODE

Function = TypeVar("Function", bound=Callable[..., object])
_DIGEST = 16
"""How many bytes stand before a file's content."""
_logger = logging.getLogger(__name__)


class _ByContent(UserProvidedCacheLocator):  # type: ignore[misc]
    """A place in a folder that is named by the content of the sources, wherever they are."""

    @classmethod
    def get_suitable_cache_subpath(cls, source: str) -> str:
        """Name the package, in place of its path: two installations share what is compiled."""
        return Path(source).parent.name


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_ByContent,)


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """numba's files of a function, each with its digest: a damaged one counts as missing."""

    def _load_index(self) -> dict[object, str]:
        stamp, overloads = self._read(self._index_name) or (None, {})
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[object, str]) -> None:
        self._save_data(self._index_name, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:  # noqa: ANN401 - numba's own
        return self._read(name)

    def _save_data(self, name: str, data: object) -> None:
        content = self._version.encode() + b"\n" + self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(_digest(content) + content)

    def _read(self, name: str) -> Any:  # noqa: ANN401 - numba's own
        path = Path(self._data_path(name))
        try:
            told = path.read_bytes()
        except OSError:
            return None
        content = told[_DIGEST:]
        if told[:_DIGEST] != _digest(content):
            _logger.warning("%s is damaged. It is discarded, and its code compiled again.", path)
            with suppress(OSError):
                path.unlink()
            return None
        version, _, pickled = content.partition(b"\n")
        # the folder is the user's alone
        return pickle.loads(pickled) if version == self._version.encode() else None  # noqa: S301


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()


class _KeptCode(FunctionCache):  # type: ignore[misc]
    """The code of a function that is kept for the next process."""

    _impl_class = _Kept

    def __init__(self, function: object) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFiles(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, signature: object, target: object) -> Any:  # noqa: ANN401 - numba's own
        """Load it without what allocates: nothing here does, and 20 MiB are compiled for that."""
        before, rtsys._init = rtsys._init, True  # noqa: SLF001 - looked at where it is made
        try:
            return super().load_overload(signature, target)
        finally:
            rtsys._init = before  # noqa: SLF001


def kept(function: Function, code: CompiledCode, **options: object) -> Function:
    """Compile a function when it is first called, and keep it for the next process."""
    made: Any = numba.njit(error_model="numpy", forceinline=True, _nrt=False, **options)(function)
    if made is not function and code.folder is not None:
        with cached_in(code.folder):
            # what `cache=True` sets
            made._cache = _KeptCode(function)  # noqa: SLF001
    return cast("Function", made)


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep it for the next process.

    Floating point as Python has it: nothing is reordered or joined, but a division by 0 is infinite
    in place of an error.
    """
    return kept(function, CODE)
