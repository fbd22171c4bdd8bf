"""The inputs and outputs of a stage by location, read from its SPIR-V; of structs and blocks, their members."""

from __future__ import annotations

from renderwright.render.shaders.blocks import numeric_type
from renderwright.render.shaders.module import UNSIZED, StageVariable
from renderwright.render.shaders.spirv import Declarations, Decoration, Op, SpirvError, StorageClass

_MAX_LOCATIONS = 256
_MAX_ARRAY_DEPTH = 8
_MAX_MEMBERS = 4096
_MAX_DEPTH = 16


def stage_variables(found: Declarations, storage: StorageClass) -> tuple[StageVariable, ...]:
    """The variables of that storage with a location, by location.

    Raises:
        SpirvError: a location does not exist, or structs nest without end.
    """
    flattener = _Flattener(found)
    for variable in found.variables:
        if variable.storage == storage and found.decoration(variable.id, Decoration.BUILT_IN) is None:
            start = found.decoration(variable.id, Decoration.LOCATION)
            flattener.add(variable.type, found.names.get(variable.id, ""), start, 0)
    return tuple(sorted(flattener.variables, key=lambda each: (each.location, each.name)))


def element_of(found: Declarations, number: int) -> tuple[int, int]:
    """The element type of a type and the number of elements (of nested arrays, the product), or ``UNSIZED``."""
    count = 1
    for _ in range(_MAX_ARRAY_DEPTH):
        kind = found.type_of(number)
        if kind.op == Op.TYPE_RUNTIME_ARRAY:
            number, count = kind.operands[0], UNSIZED
        elif kind.op == Op.TYPE_ARRAY:
            number, count = kind.operands[0], count * found.constant(kind.operands[1])
        else:
            return number, count
    raise SpirvError("arrays nest too deep")


class _Flattener:
    """Collects variables and the members of structs, within limits that only broken code exceeds."""

    def __init__(self, found: Declarations) -> None:
        self.found = found
        self.variables: list[StageVariable] = []
        self.visits = 0

    def add(self, type_id: int, name: str, start: int | None, depth: int) -> int | None:
        """Add a variable or member; returns the location behind it. Without ``start``, only members that have a
        location of their own are added."""
        self.visits += 1
        if self.visits > _MAX_MEMBERS or depth > _MAX_DEPTH:
            raise SpirvError(f'"{name}" has too many members (at most {_MAX_MEMBERS}, {_MAX_DEPTH} deep)')
        element, count = element_of(self.found, type_id)
        kind = self.found.type_of(element)
        if kind.op == Op.TYPE_STRUCT:
            return self._add_structs(element, count, name, start, depth)
        if start is None:
            return None
        locations = count * (kind.operands[1] if kind.op == Op.TYPE_MATRIX else 1)
        if start + locations > _MAX_LOCATIONS:
            raise SpirvError(f"locations {start} to {start + locations} do not exist")
        numeric = numeric_type(self.found, element)
        is_array = self.found.type_of(type_id).op == Op.TYPE_ARRAY
        type_name = numeric.name if numeric is not None else ""
        self.variables.append(StageVariable(start, type_name, name, count if is_array else 0, locations))
        return start + locations

    def _add_structs(self, struct: int, count: int, name: str, start: int | None, depth: int) -> int | None:
        next_location, members = start, self.found.type_of(struct).operands
        for _ in range(max(count, 1) if members else 0):
            for index, member in enumerate(members):
                own = self.found.member_decoration(struct, index, Decoration.LOCATION)
                path = ".".join(filter(None, (name, self.found.member_names.get((struct, index), ""))))
                next_location = self.add(member, path, next_location if own is None else own, depth + 1)
        return next_location
