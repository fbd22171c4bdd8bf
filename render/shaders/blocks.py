"""The members of a block, flattened from its SPIR-V struct."""

from __future__ import annotations

from renderwright.render.shaders.glsl_types import GLSL_TYPES, GlslType, glsl_type
from renderwright.render.shaders.module import BlockMember
from renderwright.render.shaders.spirv import Declarations, Decoration, Op, SpirvError, TypeDeclaration

MAX_EXPANDED = 64
"""An array of more structs (or arrays) than this stays one member."""

_MAX_MEMBERS = 4096
_MAX_DEPTH = 16
_SCALAR_CODES: dict[tuple[int, int, int], str] = {
    (Op.TYPE_FLOAT, 16, 0): "e",
    (Op.TYPE_FLOAT, 32, 0): "f",
    (Op.TYPE_FLOAT, 64, 0): "d",
    (Op.TYPE_INT, 8, 1): "b",
    (Op.TYPE_INT, 8, 0): "B",
    (Op.TYPE_INT, 16, 1): "h",
    (Op.TYPE_INT, 16, 0): "H",
    (Op.TYPE_INT, 32, 1): "i",
    (Op.TYPE_INT, 32, 0): "I",
    (Op.TYPE_INT, 64, 1): "q",
    (Op.TYPE_INT, 64, 0): "Q",
}


def block_members(found: Declarations, struct: int) -> tuple[BlockMember, ...]:
    """Every member of a block's struct, nested ones by path, in the order of declaration.

    Raises:
        SpirvError: the struct is malformed, or has more than 4096 members.
    """
    flattener = _Flattener(found)
    flattener.add_struct(struct, "", 0, 0)
    return tuple(flattener.members)


def block_size(members: tuple[BlockMember, ...], alignment: int) -> int:
    """Bytes from the block's start to the end of its last member, rounded up."""
    end = max((_end(member) for member in members), default=0)
    return (end + alignment - 1) // alignment * alignment


def numeric_type(found: Declarations, number: int) -> GlslType | None:
    """The scalar, vector or matrix type of that id; None for any other type."""
    kind = found.type_of(number)
    columns = rows = 1
    if kind.op == Op.TYPE_MATRIX:
        number, columns = kind.operands[0], kind.operands[1]
        kind = found.type_of(number)
        if kind.op != Op.TYPE_VECTOR:
            raise SpirvError("a matrix has columns that are not vectors")
    if kind.op == Op.TYPE_VECTOR:
        number, rows = kind.operands[0], kind.operands[1]
        kind = found.type_of(number)
    if kind.op not in (Op.TYPE_INT, Op.TYPE_FLOAT):
        return None
    signed = kind.operands[1] if kind.op == Op.TYPE_INT else 0
    code = _SCALAR_CODES.get((kind.op, kind.operands[0], signed))
    result = glsl_type(code, rows, columns) if code else None
    if result is None:
        raise SpirvError(f"type {number} is not a GLSL type")
    return result


def _end(member: BlockMember) -> int:
    kind = GLSL_TYPES.get(member.type)
    if kind is None:
        return member.offset + member.count * member.stride
    return kind.end(member.offset, member.count, member.stride, member.matrix_stride, member.row_major)


class _Flattener:
    """Collects the members of nested structs and arrays, within limits that only broken code exceeds."""

    def __init__(self, found: Declarations) -> None:
        self.found = found
        self.members: list[BlockMember] = []
        self.visits = 0

    def add_struct(self, number: int, path: str, base: int, depth: int) -> None:
        kind = self.found.type_of(number)
        if kind.op != Op.TYPE_STRUCT:
            raise SpirvError("a block is not a struct")
        for index, member in enumerate(kind.operands):
            name = self.found.member_names.get((number, index)) or f"member{index}"
            offset = self.found.member_decoration(number, index, Decoration.OFFSET)
            if offset is None:
                raise SpirvError(f'member "{path}{name}" of a block has no offset')
            matrix_stride = self.found.member_decoration(number, index, Decoration.MATRIX_STRIDE) or 0
            row_major = self.found.member_decoration(number, index, Decoration.ROW_MAJOR) is not None
            self._add(member, path + name, base + offset, (matrix_stride, row_major), depth + 1)

    def _add(self, number: int, path: str, offset: int, matrix: tuple[int, bool], depth: int) -> None:
        self.visits += 1
        if self.visits > _MAX_MEMBERS or depth > _MAX_DEPTH:
            raise SpirvError(f'the block has too many members at "{path}" (at most {_MAX_MEMBERS}, {_MAX_DEPTH} deep)')
        kind = self.found.type_of(number)
        if kind.op == Op.TYPE_STRUCT:
            self.add_struct(number, f"{path}.", offset, depth)
        elif kind.op == Op.TYPE_ARRAY:
            self._add_array(number, kind, path, offset, matrix, depth)
        elif kind.op == Op.TYPE_RUNTIME_ARRAY:
            raise SpirvError(f'the array "{path}" has no length')
        else:
            self._add_numeric(number, path, offset, matrix)

    def _add_array(
        self, number: int, kind: TypeDeclaration, path: str, offset: int, matrix: tuple[int, bool], depth: int
    ) -> None:
        element, count = kind.operands[0], self.found.constant(kind.operands[1])
        stride = self.found.decoration(number, Decoration.ARRAY_STRIDE)
        if stride is None:
            raise SpirvError(f'the array "{path}" has no stride')
        if count == 0:
            raise SpirvError(f'the array "{path}" has no elements')
        inner = self.found.type_of(element)
        if inner.op not in (Op.TYPE_STRUCT, Op.TYPE_ARRAY, Op.TYPE_RUNTIME_ARRAY):
            self._add_numeric(element, path, offset, matrix, count, stride)
        elif count > MAX_EXPANDED:
            name = self.found.names.get(element) or "array"
            self.members.append(BlockMember(path, offset, name, count, stride))
        else:
            for index in range(count):
                self._add(element, f"{path}[{index}]", offset + index * stride, matrix, depth + 1)

    def _add_numeric(
        self, number: int, path: str, offset: int, matrix: tuple[int, bool], count: int = 0, stride: int = 0
    ) -> None:
        kind = numeric_type(self.found, number)
        if kind is None:
            raise SpirvError(f'member "{path}" of a block has no numeric type')
        matrix_stride, row_major = matrix if kind.columns > 1 else (0, False)
        if kind.columns > 1 and not matrix_stride:
            raise SpirvError(f'the matrix "{path}" has no stride')
        self.members.append(BlockMember(path, offset, kind.name, count, stride, matrix_stride, row_major))
