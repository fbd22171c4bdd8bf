"""The channels of its textures that a shader's code takes out of their texels, one by one or a few of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.spirv import Declarations, Op, Words, instructions, parse

_DERIVES: Mapping[int, int] = {  # the operand that the result is derived from
    Op.LOAD: 2,
    Op.ACCESS_CHAIN: 2,
    Op.IN_BOUNDS_ACCESS_CHAIN: 2,
    Op.COPY_OBJECT: 2,
    Op.SAMPLED_IMAGE: 2,
    Op.IMAGE: 2,
}
_TEXELS = frozenset(
    {
        Op.IMAGE_SAMPLE_IMPLICIT_LOD,
        Op.IMAGE_SAMPLE_EXPLICIT_LOD,
        Op.IMAGE_SAMPLE_PROJ_IMPLICIT_LOD,
        Op.IMAGE_SAMPLE_PROJ_EXPLICIT_LOD,
        Op.IMAGE_FETCH,
        Op.IMAGE_READ,
    }
)
"""The instructions whose result is a texel of their first operand."""
_RESULT, _IMAGE, _FIRST_PART, _GATHERED = 1, 2, 4, 4
_CHANNELS = 4


@lru_cache(maxsize=256)  # the code of a module stays as it is
def read_channels(module: ShaderModule) -> Mapping[str, frozenset[int]]:
    """The channels (0 to 3) that are read of each texture, by its name. A texel that is used whole counts for none of
    them: what becomes of its channels is hard to tell.

    Source: the SPIR-V specification, version 1.6, 3.49 (instructions).
    """
    found = parse(module.spirv)
    roots = {variable.id: variable.id for variable in found.variables}
    texels: dict[int, int] = {}
    read: dict[int, set[int]] = defaultdict(set)
    for op, operands in instructions(module.spirv):
        if op in _DERIVES and operands[_DERIVES[op]] in roots:
            roots[operands[_RESULT]] = roots[operands[_DERIVES[op]]]
        elif op in _TEXELS and operands[_IMAGE] in roots:
            texels[operands[_RESULT]] = roots[operands[_IMAGE]]
        elif op == Op.IMAGE_GATHER and operands[_IMAGE] in roots:
            read[roots[operands[_IMAGE]]].update(_gathered(found, operands))
        elif op in (Op.COMPOSITE_EXTRACT, Op.VECTOR_SHUFFLE) and operands[_IMAGE] in texels:
            read[texels[operands[_IMAGE]]].update(_taken(op, operands))
    return {found.names.get(variable, ""): frozenset(channels) for variable, channels in read.items()}


def _gathered(found: Declarations, operands: Words) -> set[int]:
    channel = found.constants.get(operands[_GATHERED])
    return set() if channel is None else {channel}


def _taken(op: int, operands: Words) -> set[int]:
    """The channels of the first vector in the result; of a shuffle only if it has some of them and nothing else: one
    with other numbers for some channels passes the rest on."""
    if op == Op.COMPOSITE_EXTRACT:
        return set(operands[_FIRST_PART - 1 :])
    parts = set(operands[_FIRST_PART:])
    return parts if len(parts) < _CHANNELS and max(parts) < _CHANNELS else set()
