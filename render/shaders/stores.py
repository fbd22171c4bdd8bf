"""The storage images and buffers that a shader's code may write."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.spirv import Decoration, Op, instructions, parse

_RESULT = 1
_DERIVES: Mapping[int, int] = {  # the operand that the result is derived from
    Op.LOAD: 2,
    Op.IMAGE_TEXEL_POINTER: 2,
    Op.ACCESS_CHAIN: 2,
    Op.IN_BOUNDS_ACCESS_CHAIN: 2,
    Op.PTR_ACCESS_CHAIN: 2,
    Op.COPY_OBJECT: 2,
}
_WRITES: Mapping[int, int] = {  # the operand that is written
    Op.STORE: 0,
    Op.COPY_MEMORY: 0,
    Op.COPY_MEMORY_SIZED: 0,
    Op.IMAGE_WRITE: 0,
    Op.ATOMIC_STORE: 0,
    **dict.fromkeys(range(Op.ATOMIC_EXCHANGE, Op.ATOMIC_XOR + 1), 2),
    **dict.fromkeys((Op.ATOMIC_FLAG_TEST_AND_SET, Op.ATOMIC_FMIN, Op.ATOMIC_FMAX, Op.ATOMIC_FADD), 2),
}
_FIRST_ARGUMENT = 3


@lru_cache(maxsize=256)
def stored_bindings(module: ShaderModule) -> frozenset[tuple[int, int]]:
    """(set, binding) of each variable that an instruction stores to. What a function gets as argument, it may store to.

    Source: the SPIR-V specification, version 1.6, 3.49 (instructions).
    """
    found = parse(module.spirv)
    roots = {variable.id: variable.id for variable in found.variables}
    written: set[int] = set()
    for op, operands in instructions(module.spirv):
        if op in _DERIVES and operands[_DERIVES[op]] in roots:
            roots[operands[_RESULT]] = roots[operands[_DERIVES[op]]]
        elif op in _WRITES:
            written.add(roots.get(operands[_WRITES[op]], 0))
        elif op == Op.FUNCTION_CALL:
            written.update(roots.get(argument, 0) for argument in operands[_FIRST_ARGUMENT:])
    places = {
        (found.decoration(variable, Decoration.DESCRIPTOR_SET), found.decoration(variable, Decoration.BINDING))
        for variable in written
    }
    return frozenset((number, binding) for number, binding in places if number is not None and binding is not None)
