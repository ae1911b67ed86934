"""What the processor does better than NumPy: copy records, find bits, fetch memory, tell time.

Each has a plain Python twin for ``NUMBA_DISABLE_JIT=1``.
"""

import time
from typing import Any, Final

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from prico_env.core.jit import kernel
from prico_env.vocabulary import NUM_SPOTS

_CACHE_LINE: Final = 64
_WORD: Final = 64
"""Bits of an integer."""
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


def _nonzero(count: int) -> Any:
    """Compile to one comparison of so many bytes of a row, which leaves a bit for each."""

    @intrinsic
    def nonzero(typing_context: Any, row: Any, start: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            found = context.make_array(signature.args[0])(context, builder, arguments[0])
            byte, numbers = ir.IntType(8), ir.VectorType(ir.IntType(8), count)
            first = builder.gep(
                builder.bitcast(found.data, byte.as_pointer()), [arguments[1]], source_etype=byte
            )
            row = builder.load(builder.bitcast(first, numbers.as_pointer()), align=1, typ=numbers)
            bits = builder.bitcast(
                builder.icmp_unsigned("!=", row, numbers(None)), ir.IntType(count)
            )
            return bits if count == _WORD else builder.zext(bits, ir.IntType(_WORD))

        if row.layout != "C" or row.dtype not in (types.int8, types.boolean):
            return None
        return types.int64(row, types.intp), generate

    return nonzero


_nonzero_spots = _nonzero(NUM_SPOTS)
_nonzero_word = _nonzero(_WORD)


@kernel
def spots_in(row: Any) -> int:
    """Return the spots for which a row of ``NUM_SPOTS`` small integers is not 0, as bits."""
    if _IS_PYTHON:
        bits = 0
        for spot in range(NUM_SPOTS):
            bits |= int(row[spot] != 0) << spot
        return bits
    return _nonzero_spots(row, 0)


@intrinsic
def _trailing_zeros(typing_context: Any, bits: Any) -> Any:
    """Compile to the processor's instruction that finds the lowest bit."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.int64), generate


@kernel
def lowest(bits: int) -> int:
    """Return the number of the lowest bit of a number that is not 0."""
    if _IS_PYTHON:
        return (bits & -bits).bit_length() - 1
    return _trailing_zeros(bits)


@intrinsic
def _count_ones(typing_context: Any, bits: Any) -> Any:
    """Compile to the processor's instruction that counts bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@kernel
def nth_true(row: Any, n: int) -> int:
    """Return where the ``n``-th true value of a row is, counted from 0; or 0, if it has fewer.

    Args:
        row: Truth values, shape ``(size,)``.
        n: Which one.
    """
    start = 0
    if not _IS_PYTHON:
        while start <= row.shape[0] - _WORD:
            bits = _nonzero_word(row, start)
            count = _count_ones(bits)
            if n < count:
                for _ in range(n):
                    bits &= bits - 1
                return start + lowest(bits)
            n -= count
            start += _WORD
    for place in range(start, row.shape[0]):
        n -= row[place]
        if n < 0:
            return place
    return 0


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
