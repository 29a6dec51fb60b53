"""Named tuples of arrays, as compiled functions take them from Python: by their address.

Such a record is laid out once, in words of eight bytes: of an array its address and its shape. A
function takes that of the whole, and loads what it uses. numba would hand over each array of it,
seven words of each, from each function to each that it calls: that took three fifths of the time to
compile, and half the memory.

Nothing of a record changes but what is in its arrays, so that a word that was loaded need not be
loaded again.
"""

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)

from pred_aware.engine.job_arrays import Integers

__all__ = ["for_these"]

Result = TypeVar("Result")
_WORD = 8
_SIZE = ir.IntType(64)


def for_these(function: Callable[..., Result], *arguments: object) -> Callable[[], Result]:
    """Return what calls a compiled function with these arguments, as often as one likes.

    The function itself would look at the types of all arrays at each call. Where nothing is
    compiled, it takes them as they are.
    """
    compiled: Any = function
    if not hasattr(compiled, "compile"):
        return partial(function, *arguments)
    given = [_laid_out(each) if isinstance(each, tuple) else each for each in arguments]
    return partial(compiled.compile(tuple(map(compiled.typeof_pyval, given))), *given)


class _Member(NamedTuple):
    at: int
    """In bytes."""
    type: types.Type


class _Record(types.Type):
    """The type of a named tuple: its members by name."""

    def __init__(self, name: str, members: dict[str, types.Type]) -> None:
        self.members: dict[str, _Member] = {}
        self.words = 0
        for each, kind in members.items():
            self.members[each] = _Member(_WORD * self.words, kind)
            self.words += _words_of(kind)
        told = ",".join(f"{each}:{kind}" for each, kind in members.items())
        # which is a part of the name of each function that takes it
        super().__init__(f"{name}.{sha256(told.encode()).hexdigest()[:12]}")


def _words_of(kind: types.Type) -> int:
    if isinstance(kind, _Record):
        return kind.words
    if isinstance(kind, types.misc.NoneType):
        return 0
    return 1 + kind.ndim if isinstance(kind, types.Array) else 1


class _LaidOut(int):
    """The address of a record, with what has to stay for it."""

    type: _Record
    keeps: tuple[object, ...]


def _laid_out(values: Any) -> _LaidOut:  # noqa: ANN401 - any named tuple
    record = _record_of(values)
    words = np.zeros(record.words, np.int64)
    _fill(words, record, values)
    made = _LaidOut(words.ctypes.data)
    made.type, made.keeps = record, (words, values)
    return made


def _record_of(values: Any) -> _Record:  # noqa: ANN401
    kinds = [_record_of(one) if isinstance(one, tuple) else _kind_of(one) for one in values]
    return _record(type(values).__name__, values._fields, tuple(kinds))


@cache
def _record(name: str, members: tuple[str, ...], kinds: tuple[types.Type, ...]) -> _Record:
    return _Record(name, dict(zip(members, kinds, strict=True)))


def _kind_of(value: object) -> types.Type:
    if not isinstance(value, np.ndarray):
        kind: types.Type = numba.typeof(value)
        return kind
    if not (value.flags.c_contiguous and value.flags.aligned):
        raise TypeError(f"an array of shape {value.shape} does not lie in one piece")
    return _array_of(value.dtype, value.ndim, value.flags.writeable)


@cache
def _array_of(of: np.dtype[Any], axes: int, writeable: bool) -> types.Array:  # noqa: FBT001
    """Return what numba says of such an array, which takes ten microseconds."""
    return types.Array(numba.from_dtype(of), axes, "C", readonly=not writeable)


def _fill(words: Integers, record: _Record, values: Any) -> None:  # noqa: ANN401
    for (at, kind), value in zip(record.members.values(), values, strict=True):
        place = words[at // _WORD :]
        if isinstance(kind, _Record):
            _fill(place, kind, value)
        elif isinstance(kind, types.Array):
            place[: 1 + kind.ndim] = value.ctypes.data, *value.shape
        elif isinstance(kind, types.Float):
            place.view(np.float64)[0] = value
        elif not isinstance(kind, types.misc.NoneType):
            place[0] = value


# what follows tells numba of it: its type, how it comes from Python, and what a member is

register_model(_Record)(models.OpaqueModel)


@typeof_impl.register(_LaidOut)  # type: ignore[untyped-decorator]
def _type_of(value: _LaidOut, _context: object) -> _Record:
    return value.type


@unbox(_Record)  # type: ignore[untyped-decorator]
def _from_python(_type: _Record, address: Any, context: Any) -> NativeValue:  # noqa: ANN401
    return NativeValue(context.pyapi.long_as_voidptr(address))


@infer_getattr
class _Members(AttributeTemplate):  # type: ignore[misc]
    key = _Record

    def generic_resolve(self, record: _Record, name: str) -> types.Type | None:
        member = record.members.get(name)
        return None if member is None else member.type


@lower_getattr_generic(_Record)  # type: ignore[untyped-decorator]
def _member(context: Any, builder: Any, record: _Record, address: Any, name: str) -> Any:  # noqa: ANN401
    at, kind = record.members[name]
    if isinstance(kind, types.misc.NoneType):
        return context.get_dummy_value()
    place = _moved(builder, address, at)
    if isinstance(kind, _Record):
        return place
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, place)
    if isinstance(kind, types.Boolean):
        return builder.trunc(_word(builder, place, _SIZE), ir.IntType(1))
    return _word(builder, place, context.get_value_type(kind))


def _moved(builder: Any, address: Any, by: int) -> Any:  # noqa: ANN401
    return builder.gep(address, [ir.Constant(_SIZE, by)], inbounds=True) if by else address


def _word(builder: Any, place: Any, kind: ir.Type) -> Any:  # noqa: ANN401
    """Load a word that stays as it is."""
    word = builder.load(builder.bitcast(place, kind.as_pointer()))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def _array(context: Any, builder: Any, kind: types.Array, place: Any) -> Any:  # noqa: ANN401
    """Return an array as numba has it: who owns it, its values, and its address."""
    model = context.data_model_manager[kind]
    array = ir.Constant(context.get_value_type(kind), None)

    def put(value: Any, field: str, *axis: int) -> None:  # noqa: ANN401
        nonlocal array
        at = model.get_field_position(field)
        array = builder.insert_value(array, value, [at, *axis])

    data = context.get_value_type(model.get_member_fe_type("data"))
    put(_word(builder, place, data), "data")
    count = ir.Constant(_SIZE, 1)
    itemsize = ir.Constant(_SIZE, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    put(itemsize, "itemsize")
    for axis in reversed(range(kind.ndim)):
        length = _word(builder, _moved(builder, place, _WORD * (1 + axis)), _SIZE)
        put(length, "shape", axis)
        put(builder.mul(count, itemsize), "strides", axis)
        count = builder.mul(count, length)
    put(count, "nitems")
    return array
