"""How a kernel becomes machine code: its callees are compiled as a part of it, once.

Numba makes machine code of every function, and then of each of its callers with that function in
it, so that what lies deep is optimised over and over. Here a function that another kernel calls
stays in the compiler's intermediate form, and only what Python calls becomes machine code, with
all that it reaches. What many callers reach, such as the phases, is machine code of its own that
they jump to (`separate_kernel`); it is compiled once, and one process can do so for another.
"""

import contextlib
import functools
import gc
import hashlib
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from llvmlite.binding import Linkage
from numba.core import compiler, types, typing
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.itanium_mangler import mangle
from numba.core.registry import CPUDispatcher
from numba.core.untyped_passes import ExtractByteCode

from prico_env.core.first_compile import first_compile
from prico_env.core.kernel_cache import KernelCache
from prico_env.core.kernel_key import code_of, kernel_key

_KERNEL_OF: Final[WeakKeyDictionary[CodeLibrary, tuple["Kernel", tuple[types.Type, ...]]]] = (
    WeakKeyDictionary()
)
"""Which kernel, for which types of arguments, the machine code of a library is."""


class Kernel(CPUDispatcher):
    """A function that is compiled for each combination of types of its arguments."""

    registry: ClassVar[dict[FunctionType, "Kernel"]] = {}
    """Every kernel, by the function that it is made from."""

    def __init__(self, function: Any, separate: bool, allocates: bool = False) -> None:
        options = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True, "_nrt": allocates}
        super().__init__(function, targetoptions=options, pipeline_class=_MachineCodeCompiler)
        self.is_separate = separate
        self._parts: dict[tuple[types.Type, ...], tuple[Any, object]] = {}
        self._cache = KernelCache(self)
        self.registry[function] = self

    def compile(self, sig: Any) -> Any:
        """Return the machine code for these types of arguments, compiling it where it must be."""
        with global_compiler_lock, _without_garbage_collection(), first_compile(self, sig):
            return super().compile(sig)

    @staticmethod
    @functools.cache
    def way_of_compiling() -> str:
        """Return what differs whenever this module compiles otherwise than before."""
        return code_of(sys.modules[__name__])

    @property
    def is_compiled(self) -> bool:
        """Whether it is, for whatever types of arguments."""
        return bool(self._parts or self.overloads)

    def add_overload(self, cres: Any) -> None:
        """Take machine code in, compiled or read."""
        _KERNEL_OF[cres.library] = self, tuple(cres.signature.args)
        super().add_overload(cres)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how other kernels call this one.

        They pass every whole number as int64: Numba compiles a function again for each kind of
        integer and even for each constant it is called with, and all it calls too.
        """
        args = tuple(_plain_type(one) for one in args)
        kws = {name: _plain_type(one) for name, one in kws.items()}
        if self.is_separate:
            return super().get_call_template(args, kws)
        signature, args = self._compiler.fold_argument_types(args, kws)
        if args not in self._parts:
            self._compile_as_part(args)
        name = self.py_func.__name__
        signatures = [part.signature for part, _ in self._parts.values()]
        template = typing.make_concrete_template(name, key=name, signatures=signatures)
        return template, signature, args, {}

    def get_overload(self, sig: Any) -> Any:
        """Return what stands for this kernel where another one calls it."""
        return super().get_overload(sig) if self.is_separate else self._parts[tuple(sig)][1]

    def _compile_as_part(self, args: tuple[types.Type, ...]) -> None:
        """Compile to the intermediate form that becomes a part of callers."""
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_cpython_wrapper = True
        flags.no_compile = True
        part = compiler.compile_extra(
            self.targetdescr.typing_context,
            self.targetdescr.target_context,
            self.py_func,
            args=args,
            return_type=None,
            flags=flags,
            locals={},
            pipeline_class=_PartCompiler,
        )
        stand_in = object()
        self.targetctx.insert_user_function(stand_in, part.fndesc, [part.library])
        self._parts[args] = part, stand_in


def _plain_type(given: Any) -> Any:
    given = types.unliteral(given)  # type: ignore[attr-defined]
    if isinstance(given, types.Integer | types.IntEnumMember):
        return types.int64
    return given


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Leave the compiler's many short-lived objects alone; it takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Part(JITCodeLibrary):
    """The intermediate form of a kernel that is a part of others."""

    def finalize(self) -> None:
        """Leave all that makes machine code to the library that this one becomes a part of."""
        self._finalized = True


class _MachineCode(JITCodeLibrary):
    """The machine code of a kernel and of all that is a part of it."""

    needed: frozenset[tuple[Kernel, tuple[types.Type, ...]]]
    """The separate kernels that it jumps to, with the types of their arguments."""
    _linking_libraries: list[CodeLibrary]

    def finalize(self) -> None:
        """Link each part once, however many ways lead to it, and make machine code."""
        waiting = list(self._linking_libraries)
        parts: dict[CodeLibrary, None] = {}
        needed = set()
        while waiting:
            library = waiting.pop()
            if library in _KERNEL_OF:
                needed.add(_KERNEL_OF[library])
            elif library not in parts:
                parts[library] = None
                if isinstance(library, _Part):
                    waiting += library._linking_libraries
        self._linking_libraries = list(parts)
        self.needed = frozenset(needed)
        self._own = {one.name for one in self._final_module.functions if not one.is_declaration}
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Keep the names of parts to this library, so that no other one can mean its own by them.

        Names of functions of Numba's hold numbers that differ from process to process.
        """
        for one in self._final_module.functions:
            if not one.is_declaration and one.name not in self._own:
                one.linkage = Linkage.internal
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for one in self._final_module.global_variables:
            environment = lookup_environment(one.name)
            if environment is not None:
                self._codegen.set_env(one.name, environment)


class _KernelCompiler(compiler.Compiler):
    """Numba's compiler, with names that are the same in every process."""

    library_class: type[JITCodeLibrary]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function under a name that tells its key and the types of its arguments."""
        state = self.state
        state.targetctx = state.targetctx.subtarget(mangler=_name_for_linking)
        state.library = self.library_class(state.targetctx.codegen(), func.__qualname__)
        state.library.enable_object_caching()
        state.func_id = FunctionIdentity.from_function(func)
        state.func_id.unique_id = kernel_key(func)
        ExtractByteCode().run_pass(state)
        state.lifted = ()
        state.lifted_from = None
        return self._compile_bytecode()


class _PartCompiler(_KernelCompiler):
    library_class = _Part


class _MachineCodeCompiler(_KernelCompiler):
    library_class = _MachineCode


def _name_for_linking(
    name: str, args: tuple[types.Type, ...], *, abi_tags: Any = (), uid: Any = None
) -> Any:
    """Tell types by what they are, where Numba tells them by numbers of this process."""
    types_digest = hashlib.sha256(repr(args).encode()).hexdigest()[:16]
    return mangle(f"{name}.{types_digest}", (), abi_tags=abi_tags, uid=uid)
