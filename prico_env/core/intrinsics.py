"""What the processor does better than NumPy: copy a record, fetch memory early, read its clock.

Each has a plain Python twin for ``NUMBA_DISABLE_JIT=1``.
"""

import time
from typing import Any, Final

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from prico_env.core.jit import kernel

_CACHE_LINE: Final = 64
_IS_PYTHON: Final = bool(config.DISABLE_JIT)


@intrinsic
def _prefetch_line(typing_context: Any, array: Any, element: Any, offset: Any) -> Any:
    """Compile to the processor's hint to bring a line of memory near."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        source = context.make_array(array_type)(context, builder, arguments[0])
        strides = cgutils.unpack_tuple(builder, source.strides, array_type.ndim)
        distance = builder.add(builder.mul(strides[0], arguments[1]), arguments[2])
        byte = ir.IntType(8)
        address = builder.gep(
            builder.bitcast(source.data, byte.as_pointer()), [distance], source_etype=byte
        )
        flag = ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [address, flag(1), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


@kernel
def prefetch(array: Any, element: int, size: int) -> None:
    """Ask for one element of an array, of so many bytes, before it is needed.

    A batch of thousands of games is larger than the caches: without the hint every game begins
    with a wait for its record.
    """
    if _IS_PYTHON:
        return
    for offset in range(0, size, _CACHE_LINE):
        _prefetch_line(array, element, offset)


@intrinsic
def _copy_bytes(typing_context: Any, target: Any, source: Any) -> Any:
    """Compile to a copy of the memory that a record lies in."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@kernel
def copy_record(target: Any, source: Any) -> None:
    """Copy one record over another of the same type; a game is copied so in some 40 ns."""
    if _IS_PYTHON:
        target.setfield(source, target.dtype)
    else:
        _copy_bytes(target, source)


@intrinsic
def _copy_row(
    typing_context: Any, target: Any, at: Any, source: Any, first: Any, count: Any
) -> Any:
    """Compile to a copy of bytes from one array to another."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8)

        def address(array: int, place: int) -> Any:
            found = context.make_array(signature.args[array])(context, builder, arguments[array])
            data = builder.bitcast(found.data, byte.as_pointer())
            return builder.gep(data, [arguments[place]], source_etype=byte)

        cgutils.raw_memcpy(builder, address(0, 1), address(2, 3), arguments[4], 1)
        return context.get_dummy_value()

    for array in (target, source):
        if array.layout != "C" or array.dtype.bitwidth != types.int8.bitwidth:
            return None
    return types.void(target, types.intp, source, types.intp, types.intp), generate


@kernel
def copy_row(target: Any, at: int, source: Any, first: int, count: int) -> None:
    """Copy a row of small integers, 8 bits each, to a place in another.

    With a count that the compiler knows this is a few instructions, where a loop would be one for
    each integer: it cannot tell that the two rows do not overlap.
    """
    if _IS_PYTHON:
        target[at : at + count] = source[first : first + count]
    else:
        _copy_row(target, at, source, first, count)


@intrinsic
def _read_ticks(typing_context: Any) -> Any:
    """Compile to the processor's instruction that reads its clock."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        clock = ir.FunctionType(ir.IntType(64), [])
        function = cgutils.get_or_insert_function(builder.module, clock, "llvm.readcyclecounter")
        return builder.call(function, [])

    return types.int64(), generate


@kernel
def ticks() -> int:
    """Read the processor's clock, in ticks of an unknown but steady length; some 10 ns a call."""
    if _IS_PYTHON:
        return time.perf_counter_ns()
    return _read_ticks()
