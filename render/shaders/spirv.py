"""The declarations of a SPIR-V module, parsed from its words, and its instructions.

Source: the SPIR-V specification, version 1.6: 2.3 (physical layout), 3 (binary form).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

Words = tuple[int, ...]

_MAGIC = 0x07230203
_HEADER_WORDS = 5
_SOURCE_WORDS = 3
"""Operands of ``OpSource`` before the text: language, version, file."""


class Op(IntEnum):
    """The instructions that reflection and the analyses of stores and outputs read."""

    UNDEF = 1
    SOURCE_CONTINUED = 2
    SOURCE = 3
    NAME = 5
    MEMBER_NAME = 6
    STRING = 7
    LINE = 8
    EXT_INST = 12
    ENTRY_POINT = 15
    EXECUTION_MODE = 16
    CAPABILITY = 17
    TYPE_INT = 21
    TYPE_FLOAT = 22
    TYPE_VECTOR = 23
    TYPE_MATRIX = 24
    TYPE_IMAGE = 25
    TYPE_SAMPLER = 26
    TYPE_SAMPLED_IMAGE = 27
    TYPE_ARRAY = 28
    TYPE_RUNTIME_ARRAY = 29
    TYPE_STRUCT = 30
    TYPE_POINTER = 32
    CONSTANT = 43
    CONSTANT_COMPOSITE = 44
    SPEC_CONSTANT = 50
    FUNCTION = 54
    FUNCTION_CALL = 57
    VARIABLE = 59
    IMAGE_TEXEL_POINTER = 60
    LOAD = 61
    STORE = 62
    COPY_MEMORY = 63
    COPY_MEMORY_SIZED = 64
    ACCESS_CHAIN = 65
    IN_BOUNDS_ACCESS_CHAIN = 66
    PTR_ACCESS_CHAIN = 67
    DECORATE = 71
    MEMBER_DECORATE = 72
    VECTOR_SHUFFLE = 79
    COMPOSITE_CONSTRUCT = 80
    COMPOSITE_EXTRACT = 81
    COPY_OBJECT = 83
    SAMPLED_IMAGE = 86
    IMAGE_SAMPLE_IMPLICIT_LOD = 87
    IMAGE_SAMPLE_EXPLICIT_LOD = 88
    IMAGE_SAMPLE_PROJ_IMPLICIT_LOD = 91
    IMAGE_SAMPLE_PROJ_EXPLICIT_LOD = 92
    IMAGE_FETCH = 95
    IMAGE_GATHER = 96
    IMAGE_READ = 98
    IMAGE_WRITE = 99
    IMAGE = 100
    F_NEGATE = 127
    VECTOR_TIMES_SCALAR = 142
    ATOMIC_STORE = 228
    ATOMIC_EXCHANGE = 229
    ATOMIC_XOR = 242
    ATOMIC_FLAG_TEST_AND_SET = 318
    KILL = 252
    EXECUTION_MODE_ID = 331
    TERMINATE_INVOCATION = 4416
    DEMOTE_TO_HELPER_INVOCATION = 5380
    ATOMIC_FMIN = 5614
    ATOMIC_FMAX = 5615
    ATOMIC_FADD = 6035
    TYPE_ACCELERATION_STRUCTURE = 5341


class Decoration(IntEnum):
    """The decorations that reflection reads."""

    BLOCK = 2
    BUFFER_BLOCK = 3
    ROW_MAJOR = 4
    ARRAY_STRIDE = 6
    MATRIX_STRIDE = 7
    BUILT_IN = 11
    NON_WRITABLE = 24
    NON_READABLE = 25
    LOCATION = 30
    BINDING = 33
    DESCRIPTOR_SET = 34
    OFFSET = 35


class StorageClass(IntEnum):
    """The storage classes that reflection reads."""

    UNIFORM_CONSTANT = 0
    INPUT = 1
    UNIFORM = 2
    OUTPUT = 3
    PUSH_CONSTANT = 9
    STORAGE_BUFFER = 12


class SpirvError(ValueError):
    """The words are not a module; the message says why."""


@dataclass(frozen=True)
class TypeDeclaration:
    """An OpType instruction: its operands after the result id."""

    op: int
    operands: Words


@dataclass(frozen=True)
class Variable:
    """A variable of the module: ``type`` is the type pointed to."""

    id: int
    type: int
    storage: int


@dataclass
class Declarations:
    """The declarations before the first function of a module, by id."""

    names: dict[int, str] = field(default_factory=dict)
    member_names: dict[tuple[int, int], str] = field(default_factory=dict)
    decorations: dict[int, dict[int, Words]] = field(default_factory=dict)
    member_decorations: dict[tuple[int, int], dict[int, Words]] = field(default_factory=dict)
    types: dict[int, TypeDeclaration] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    entry_points: list[tuple[int, int]] = field(default_factory=list)
    """(execution model, function id) pairs."""
    modes: list[tuple[int, int, Words]] = field(default_factory=list)
    """(function id, execution mode, operands); the operands of OpExecutionModeId are ids."""

    def type_of(self, number: int) -> TypeDeclaration:
        """The type of that id."""
        try:
            return self.types[number]
        except KeyError:
            raise SpirvError(f"id {number} is not a type") from None

    def constant(self, number: int) -> int:
        """The value of an integer constant; a specialization constant's default."""
        try:
            return self.constants[number]
        except KeyError:
            raise SpirvError(f"id {number} is not an integer constant") from None

    def decoration(self, number: int, decoration: Decoration) -> int | None:
        """The first operand of a decoration of that id (0 if it has none); None without this decoration."""
        return _first(self.decorations.get(number, {}), decoration)

    def member_decoration(self, number: int, member: int, decoration: Decoration) -> int | None:
        """Like ``decoration``, for a member of a struct."""
        return _first(self.member_decorations.get((number, member), {}), decoration)


def parse(spirv: bytes) -> Declarations:
    """The declarations of a module. Raises ``SpirvError`` for invalid code."""
    found = Declarations()
    try:
        _collect(found, instructions(spirv, before=Op.FUNCTION))
    except IndexError:
        raise SpirvError("an instruction lacks operands") from None
    return found


def _words(spirv: bytes) -> Words:
    if len(spirv) < 4 * _HEADER_WORDS or len(spirv) % 4:
        raise SpirvError(f"{len(spirv)} bytes are not whole words with a header")
    for order in "<>":
        words = struct.unpack(f"{order}{len(spirv) // 4}I", spirv)
        if words[0] == _MAGIC:
            return words
    raise SpirvError("the magic number is missing")


def instructions(spirv: bytes, before: Op | None = None) -> Iterator[tuple[int, Words]]:
    """(opcode, operands) of every instruction of a module; of those ``before`` the first of an opcode, if one is given:
    the rest is only walked. Raises ``SpirvError`` for invalid code."""
    words = _words(spirv)
    position, end = _HEADER_WORDS, len(words)
    wanted = True
    while position < end:
        length, op = words[position] >> 16, words[position] & 0xFFFF
        if length == 0 or position + length > end:
            raise SpirvError(f"the instruction at word {position} has the impossible length {length}")
        wanted = wanted and op != before
        if wanted:
            yield op, words[position + 1 : position + length]
        position += length


def without_source(spirv: bytes) -> bytes:
    """A module without the text of its source, which stands before its functions. Names, and lines with the file's
    name, stay. Raises ``SpirvError`` for invalid code."""
    words = _words(spirv)
    kept = [*words[:_HEADER_WORDS]]
    functions = _HEADER_WORDS
    for op, operands in instructions(spirv, before=Op.FUNCTION):
        functions += 1 + len(operands)
        if op == Op.SOURCE:
            operands = operands[:_SOURCE_WORDS]
        if op != Op.SOURCE_CONTINUED:
            kept += ((len(operands) + 1) << 16 | op, *operands)
    kept += words[functions:]
    return struct.pack(f"<{len(kept)}I", *kept)


def _collect(found: Declarations, instructions: Iterator[tuple[int, Words]]) -> None:
    pointers: dict[int, int] = {}
    pending: list[tuple[int, int, int]] = []
    for op, operands in instructions:
        if op == Op.NAME:
            found.names[operands[0]] = literal(operands[1:])
        elif op == Op.MEMBER_NAME:
            found.member_names[operands[0], operands[1]] = literal(operands[2:])
        elif op == Op.DECORATE:
            found.decorations.setdefault(operands[0], {})[operands[1]] = operands[2:]
        elif op == Op.MEMBER_DECORATE:
            found.member_decorations.setdefault((operands[0], operands[1]), {})[operands[2]] = operands[3:]
        elif op == Op.TYPE_POINTER:
            pointers[operands[0]] = operands[2]
        elif Op.TYPE_INT <= op <= Op.TYPE_STRUCT or op == Op.TYPE_ACCELERATION_STRUCTURE:
            found.types[operands[0]] = TypeDeclaration(op, operands[1:])
        elif op in (Op.CONSTANT, Op.SPEC_CONSTANT):
            found.constants[operands[1]] = operands[2]
        elif op == Op.VARIABLE:
            pending.append((operands[1], operands[0], operands[2]))
        elif op == Op.ENTRY_POINT:
            found.entry_points.append((operands[0], operands[1]))
        elif op in (Op.EXECUTION_MODE, Op.EXECUTION_MODE_ID):
            found.modes.append((operands[0], operands[1], operands[2:]))
    for number, pointer, storage in pending:
        if pointer not in pointers:
            raise SpirvError(f"variable {number} has no pointer type")
        found.variables.append(Variable(number, pointers[pointer], storage))


def literal(words: Words) -> str:
    """The text of a literal string."""
    data = struct.pack(f"<{len(words)}I", *words)
    return data.split(b"\0", 1)[0].decode("utf-8", errors="replace")


def _first(decorations: dict[int, Words], decoration: Decoration) -> int | None:
    operands = decorations.get(decoration)
    if operands is None:
        return None
    return operands[0] if operands else 0
