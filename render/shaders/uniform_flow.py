"""Control flow that depends on nothing but uniforms and constants, found in SPIR-V.

Source: the SPIR-V specification, version 1.6: 3 (binary form).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache

from renderwright.render.shaders.spirv import Declarations, StorageClass, Words, instructions, parse


class _Op(IntEnum):
    EXT_INST = 12
    VARIABLE = 59
    LOAD = 61
    STORE = 62
    ACCESS_CHAIN = 65
    IN_BOUNDS_ACCESS_CHAIN = 66
    VECTOR_SHUFFLE = 79
    COMPOSITE_EXTRACT = 81
    FIRST_ARITHMETIC = 109
    LAST_ARITHMETIC = 205
    PHI = 245
    BRANCH_CONDITIONAL = 250
    SWITCH = 251


_PLAIN = (80, 83)
"""OpCompositeConstruct and OpCopyObject; like arithmetic, all their operands are values."""

_FUNCTION = 7
"""The storage class of local variables."""

_CONSTANTS = range(41, 53)
"""OpConstantTrue to OpSpecConstantOp."""

_REMEMBERED = 512
"""How many modules are read once for every game, device and plan of the process."""


@dataclass
class _Module:
    """What each id is made of, as far as it can be followed; ``blocks`` are the types of the uniform blocks, by
    variable."""

    declarations: Declarations
    blocks: dict[int, int]
    constants: set[int] = field(default_factory=set)
    sources: dict[int, tuple[int, ...]] = field(default_factory=dict)
    members: dict[int, str] = field(default_factory=dict)
    locals: set[int] = field(default_factory=set)
    conditions: list[int] = field(default_factory=list)


@lru_cache(_REMEMBERED)
def uniform_flow(spirv: bytes) -> tuple[str, ...]:
    """The members of uniform blocks and push constants that alone decide a branch or a loop, as ``block.member``.

    Raises ``SpirvError`` when ``spirv`` is no module.
    """
    declarations = parse(spirv)
    blocks = {
        variable.id: variable.type
        for variable in declarations.variables
        if variable.storage in (StorageClass.UNIFORM, StorageClass.PUSH_CONSTANT)
    }
    module = _Module(declarations, blocks)
    for op, operands in instructions(spirv):
        _note(module, op, operands)
    found: dict[str, None] = {}
    for condition in module.conditions:
        found.update(dict.fromkeys(_members(module, condition) or ()))
    return tuple(found)


def _note(module: _Module, op: int, operands: Words) -> None:
    if op in _CONSTANTS:
        module.constants.add(operands[1])
    elif op in (_Op.BRANCH_CONDITIONAL, _Op.SWITCH):
        module.conditions.append(operands[0])
    elif op == _Op.VARIABLE and operands[2] == _FUNCTION:
        module.locals.add(operands[1])
        module.sources[operands[1]] = operands[3:]
    elif op == _Op.STORE and operands[0] in module.locals:
        module.sources[operands[0]] += (operands[1],)
    elif op in (_Op.ACCESS_CHAIN, _Op.IN_BOUNDS_ACCESS_CHAIN):
        _note_chain(module, operands)
    elif op == _Op.LOAD:
        module.sources[operands[1]] = (operands[2],)
    else:
        values = list(_values(op, operands))
        if values:
            module.sources[operands[1]] = tuple(values)


def _note_chain(module: _Module, operands: Words) -> None:
    """A member of a block, at an index that the compiler knows."""
    result, base, indices = operands[1], operands[2], operands[3:]
    if base in module.blocks and indices and all(index in module.constants for index in indices):
        names, member = module.declarations, module.declarations.constants.get(indices[0], 0)
        words = (names.names.get(base, ""), names.member_names.get((module.blocks[base], member), f"member{member}"))
        module.members[result] = ".".join(word for word in words if word)


def _values(op: int, operands: Words) -> Iterator[int]:
    """The ids that the result of an instruction is computed from; none if it is from elsewhere, such as a texture."""
    if _Op.FIRST_ARITHMETIC <= op <= _Op.LAST_ARITHMETIC or op in _PLAIN:
        yield from operands[2:]
    elif op == _Op.PHI:
        yield from operands[2::2]
    elif op == _Op.EXT_INST:
        yield from operands[4:]
    elif op == _Op.COMPOSITE_EXTRACT:
        yield operands[2]
    elif op == _Op.VECTOR_SHUFFLE:
        yield from operands[2:4]


def _members(module: _Module, condition: int) -> Sequence[str] | None:
    """The members that an id is computed from; None if it is computed from anything else, too."""
    found: dict[str, None] = {}
    seen: set[int] = set()
    ahead = [condition]
    while ahead:
        number = ahead.pop()
        if number in seen or number in module.constants:
            continue
        seen.add(number)
        if number in module.members:
            found[module.members[number]] = None
        elif number in module.sources:
            ahead += module.sources[number]
        else:
            return None
    return tuple(found)
