"""SPIR-V for Vulkan rewritten so that its translation to OpenGL's GLSL names every binding by one number.

OpenGL has no descriptor sets and no push constants. Every binding gets the number of its place (set and binding), which
the pipeline replaces by a unit, and push constants become a block at the place ``PUSH_PLACE``.

Source: the SPIR-V specification, version 1.6: 2.3 (physical layout), 3.20 (decorations), 3.49 (instructions).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from renderwright.render.shaders.module import BlockMember
from renderwright.render.shaders.spirv import Decoration, Op, StorageClass, instructions

BINDINGS_A_SET = 256
PUSH_PLACE = 4096
"""The place of push constants, behind those of all sets."""

_HEADER_BYTES = 20
_STD140_ARRAY_ALIGNMENT = 16


def place_of(set_number: int, binding: int) -> int:
    """The number of a binding through all sets."""
    return set_number * BINDINGS_A_SET + binding


def push_is_uniform(members: Iterable[BlockMember]) -> bool:
    """Whether a uniform block (std140) can hold push constants; other ones need a storage block (std430)."""
    return not any(
        member.offset % 4
        or (member.count and member.stride % _STD140_ARRAY_ALIGNMENT)
        or (member.matrix_stride and member.matrix_stride % _STD140_ARRAY_ALIGNMENT)
        for member in members
    )


def opengl_words(spirv: bytes, push_members: Iterable[BlockMember] = ()) -> bytes:
    """The module with places as binding numbers, and push constants as a block. Raises ``SpirvError`` for invalid
    code."""
    found = list(instructions(spirv, before=Op.FUNCTION))  # functions name no binding and no push constant by number
    sets = {operands[0]: operands[2] for op, operands in found if _decorates(op, operands, Decoration.DESCRIPTOR_SET)}
    block = StorageClass.UNIFORM if push_is_uniform(push_members) else StorageClass.STORAGE_BUFFER
    pushed = [operands[1] for op, operands in found if op == Op.VARIABLE and operands[2] == StorageClass.PUSH_CONSTANT]
    rewritten = bytearray(spirv[:_HEADER_BYTES])
    decorated = False
    for op, operands in found:
        if not decorated and op in (Op.DECORATE, Op.MEMBER_DECORATE):
            decorated = True
            for variable in pushed:
                for words in _push_decorations(variable, block):
                    rewritten += _instruction(Op.DECORATE, words)
        if _decorates(op, operands, Decoration.BINDING):
            operands = (*operands[:2], place_of(sets.get(operands[0], 0), operands[2]))
        elif op == Op.TYPE_POINTER and operands[1] == StorageClass.PUSH_CONSTANT:
            operands = (operands[0], block, *operands[2:])
        elif op == Op.VARIABLE and operands[2] == StorageClass.PUSH_CONSTANT:
            operands = (*operands[:2], block, *operands[3:])
        rewritten += _instruction(op, operands)
    functions = _HEADER_BYTES + 4 * sum(1 + len(operands) for _, operands in found)
    return bytes(rewritten + spirv[functions:])


def _decorates(op: int, operands: tuple[int, ...], decoration: Decoration) -> bool:
    return op == Op.DECORATE and operands[1] == decoration


def _push_decorations(variable: int, block: StorageClass) -> Iterator[tuple[int, ...]]:
    yield variable, Decoration.DESCRIPTOR_SET, 0
    yield variable, Decoration.BINDING, PUSH_PLACE
    if block is StorageClass.STORAGE_BUFFER:
        yield variable, Decoration.NON_WRITABLE


def _instruction(op: int, operands: tuple[int, ...]) -> bytes:
    return struct.pack(f"<{len(operands) + 1}I", (len(operands) + 1) << 16 | op, *operands)
