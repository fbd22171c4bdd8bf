"""What shaders use that OpenGL's GLSL does not have, found in their SPIR-V.

Source: the SPIR-V specification, version 1.6: 3.31 (capabilities), 3.49.24 (non-uniform instructions).
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.module import UNSIZED, ShaderModule
from renderwright.render.shaders.spirv import Op, instructions, literal

_MULTI_VIEW = 4439
"""The capability of modules that know the view that they draw."""


@dataclass(frozen=True)
class _Feature:
    """A feature with its capabilities and instructions, and what a shader can use instead."""

    name: str
    capabilities: Set[int]
    instructions: Set[int]
    instead: str


_FEATURES = (
    _Feature(
        "subgroup operations",
        frozenset({*range(61, 69), 4423, 4431}),
        frozenset({*range(333, 367), 4421, 4422, 4428, 4429, 4430}),
        "exchange values through shared memory and barrier()",
    ),
    _Feature("ray queries", frozenset({4471, 4472}), frozenset(range(4473, 4478)), "trace in the depth buffer"),
    _Feature("references to buffers", frozenset({5347}), frozenset(), "bind the buffers"),
    _Feature("input attachments", frozenset({40}), frozenset(), "read the texture in a node of its own"),
)


def is_beyond_opengl(module: ShaderModule) -> bool:
    """Whether no pipeline on OpenGL can have a module: it draws several views at once, has an array of textures without
    length, or uses a feature that OpenGL does not have."""
    found = _capabilities(module.spirv)
    return (
        _MULTI_VIEW in found
        or any(binding.count == UNSIZED for binding in module.bindings)
        or any(found & feature.capabilities for feature in _FEATURES)
    )


def require_opengl(module: ShaderModule) -> None:
    """Raise ``ShaderError`` with file and line if a module uses a feature that OpenGL does not have."""
    found = _capabilities(module.spirv)
    for feature in _FEATURES:
        if found & feature.capabilities:
            raise ShaderError(
                f"{module.stage.value} shader uses {feature.name}, which OpenGL does not have",
                hint=f"{feature.instead}, or play with --backend vulkan",
                where=_first_use(module, feature),
            )


def _capabilities(spirv: bytes) -> frozenset[int]:
    return frozenset(operands[0] for op, operands in instructions(spirv, before=Op.FUNCTION) if op == Op.CAPABILITY)


def _first_use(module: ShaderModule, feature: _Feature) -> SourceLocation:
    """The line of the first instruction of a feature; the file alone if the module does not tell lines."""
    files: dict[int, str] = {}
    where = SourceLocation(module.file)
    for op, operands in instructions(module.spirv):
        if op == Op.STRING:
            files[operands[0]] = literal(operands[1:])
        elif op == Op.LINE:
            where = SourceLocation(files.get(operands[0]) or module.file, operands[1])
        elif op in feature.instructions:
            return where
    return SourceLocation(module.file)
