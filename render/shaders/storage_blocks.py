"""The size of a storage block, from its SPIR-V struct."""

from __future__ import annotations

from renderwright.render.shaders.blocks import numeric_type
from renderwright.render.shaders.spirv import Declarations, Decoration, Op, SpirvError

_MAX_DEPTH = 16


def storage_block_size(found: Declarations, struct: int) -> int:
    """The fewest bytes of a buffer under a storage block: from its start to the end of its last member.

    An array without length counts nothing: a table may be empty.

    Raises:
        SpirvError: the struct is malformed.
    """
    return _Measure(found).struct_end(struct, 0)


class _Measure:
    """Measures types. Each struct is measured once, however many members have its type."""

    def __init__(self, found: Declarations) -> None:
        self.found = found
        self.structs: dict[int, int] = {}

    def struct_end(self, number: int, depth: int) -> int:
        """The first byte after the last member of a struct."""
        if number not in self.structs:
            members = enumerate(self.found.type_of(number).operands)
            self.structs[number] = max(
                (
                    self._member_end(number, index, depth)
                    for index, kind in members
                    if self.found.type_of(kind).op != Op.TYPE_RUNTIME_ARRAY
                ),
                default=0,
            )
        return self.structs[number]

    def _member_end(self, struct: int, index: int, depth: int) -> int:
        offset = self.found.member_decoration(struct, index, Decoration.OFFSET)
        if offset is None:
            raise SpirvError(f"member {index} of a block has no offset")
        matrix_stride = self.found.member_decoration(struct, index, Decoration.MATRIX_STRIDE) or 0
        row_major = self.found.member_decoration(struct, index, Decoration.ROW_MAJOR) is not None
        return offset + self._end(self.found.type_of(struct).operands[index], (matrix_stride, row_major), depth + 1)

    def _end(self, number: int, matrix: tuple[int, bool], depth: int) -> int:
        """The bytes of a type without the padding behind it."""
        if depth > _MAX_DEPTH:
            raise SpirvError(f"the types of a block nest more than {_MAX_DEPTH} deep")
        kind = self.found.type_of(number)
        if kind.op == Op.TYPE_STRUCT:
            return self.struct_end(number, depth)
        if kind.op == Op.TYPE_ARRAY:
            count = self.found.constant(kind.operands[1])
            if count == 0:
                raise SpirvError("an array of a block has no elements")
            return (count - 1) * self._stride(number) + self._end(kind.operands[0], matrix, depth + 1)
        numeric = numeric_type(self.found, number)
        if numeric is None:
            raise SpirvError("a block has a member of no numeric type")
        matrix_stride, row_major = matrix
        return numeric.end(0, 0, 0, matrix_stride, row_major)

    def _stride(self, array: int) -> int:
        stride = self.found.decoration(array, Decoration.ARRAY_STRIDE)
        if stride is None:
            raise SpirvError("an array of a block has no stride")
        return stride
