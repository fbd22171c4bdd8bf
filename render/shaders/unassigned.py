"""The outputs of a fragment shader that its code never assigns: they are declared, and undefined."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.outputs import outputs_of, texts_of
from renderwright.render.shaders.spirv import Declarations, Op, StorageClass, Words, instructions, parse
from renderwright.render.shaders.stage_variables import stage_variables
from renderwright.render.types.fullscreen import output_location
from renderwright.render.types.usages import ShaderStage

_ALL = slice(2, None)
_POINTERS: Mapping[int, slice] = {  # the operands through which a variable may be written
    Op.STORE: slice(0, 1),
    Op.COPY_MEMORY: slice(0, 1),
    Op.COPY_MEMORY_SIZED: slice(0, 1),
    Op.FUNCTION_CALL: slice(3, None),
    Op.EXT_INST: slice(4, None),
    Op.ACCESS_CHAIN: slice(2, 3),
    Op.IN_BOUNDS_ACCESS_CHAIN: slice(2, 3),
    Op.PTR_ACCESS_CHAIN: slice(2, 3),
    Op.COPY_OBJECT: slice(2, 3),
}
_VALUES: Mapping[int, slice] = {  # the operands that the result is made of
    Op.COMPOSITE_CONSTRUCT: _ALL,
    Op.COMPOSITE_EXTRACT: slice(2, 3),
    Op.VECTOR_SHUFFLE: slice(2, 4),
    Op.EXT_INST: slice(4, None),
    **dict.fromkeys(range(Op.F_NEGATE, Op.VECTOR_TIMES_SCALAR + 1), _ALL),
}
_DISCARDS = (Op.KILL, Op.TERMINATE_INVOCATION, Op.DEMOTE_TO_HELPER_INVOCATION)
_RESULT = 1
_TEXEL = 2
_ASSIGNS = (
    r"(?:^|[;{{}}(),:?=]|\belse\b)\s*{name}\b(?:\s*\.\s*\w+|\s*\[[^\]]*\])*\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)"
    r"|[(,]\s*{name}\s*[,).\[]"
)
"""An assignment, or an argument of a function. A declaration has a type before the name."""


@lru_cache(maxsize=256)  # the code of a module stays as it is
def unassigned_outputs(module: ShaderModule) -> frozenset[int]:
    """The locations of the outputs that no instruction writes.

    A shader that discards and assigns none may draw for its discards alone.

    Source: the SPIR-V specification, version 1.6, 3.49 (instructions).
    """
    found = parse(module.spirv)
    if module.stage is ShaderStage.COMPUTE:
        return _stored_undefined(found, module.spirv)
    outputs = {variable.id for variable in found.variables if variable.storage == StorageClass.OUTPUT}
    written, discards = set[int](), False
    for op, operands in instructions(module.spirv):
        written.update(operands[_POINTERS[op]] if op in _POINTERS else ())
        discards = discards or op in _DISCARDS
    if discards and outputs.isdisjoint(written):
        return frozenset()
    lacking = replace(found, variables=[each for each in found.variables if each.id in outputs - written])
    variables = stage_variables(lacking, StorageClass.OUTPUT)
    return frozenset(number for each in variables for number in range(each.location, each.location + each.locations))


def _stored_undefined(found: Declarations, spirv: bytes) -> frozenset[int]:
    """The same for a full-screen shader that computes: its outputs are images, which get values that are undefined."""
    images = {each.id: output_location(found.names.get(each.id, "")) for each in found.variables}
    undefined, constants = set[int](), set[int]()
    unassigned, assigned = set[int | None](), set[int | None]()
    for op, operands in instructions(spirv):
        if op == Op.UNDEF:
            undefined.add(operands[_RESULT])
        elif op in (Op.CONSTANT, Op.CONSTANT_COMPOSITE):
            constants.add(operands[_RESULT])
        elif op == Op.LOAD:
            images[operands[_RESULT]] = images.get(operands[2])
        elif op in _VALUES and _is_undefined(operands[_VALUES[op]], undefined, constants):
            undefined.add(operands[_RESULT])
        elif op == Op.IMAGE_WRITE:
            (unassigned if operands[_TEXEL] in undefined else assigned).add(images.get(operands[0]))
    return frozenset(location for location in unassigned - assigned if location is not None)


def _is_undefined(values: Words, undefined: set[int], constants: set[int]) -> bool:
    """Whether a value is made of undefined ones, and of nothing else but constants, which fill up its channels."""
    return not undefined.isdisjoint(values) and undefined.union(constants).issuperset(values)


def may_assign(module: ShaderModule, location: int) -> bool:
    """Whether the files of a shader have an assignment to an output, in a part that this frame leaves out."""
    output = outputs_of(module).get(location)
    if output is None or not output.name:
        return False
    pattern = re.compile(_ASSIGNS.format(name=re.escape(output.name.partition(".")[0])), re.MULTILINE)
    return any(pattern.search(text) for text in texts_of(module))
