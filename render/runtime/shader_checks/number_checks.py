"""Checks the numbers of textures, images and outputs in shaders against the formats of their textures.

Vulkan leaves undefined what a shader reads or writes as other numbers than the format has. Source: the Vulkan
specification, "Valid Usage" of draws and dispatches (the numeric type of views and of fragment outputs).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.formats import Aspect, Numbers, format_named
from renderwright.render.graph.requests import PipelineRequest, Request
from renderwright.render.shaders.declared import Declarations, output_at, passed_at
from renderwright.render.shaders.glsl_types import CODES, GLSL_TYPES, glsl_type
from renderwright.render.shaders.image_formats import qualifier_of
from renderwright.render.shaders.module import ShaderBinding, ShaderModule
from renderwright.render.types.fullscreen import output_location

_EXAMPLES = {Numbers.FLOATS: "rgba16_sfloat", Numbers.INTEGERS: "r32_sint", Numbers.UNSIGNED: "r32_uint"}
"""A format of each kind of numbers that a hint proposes."""
_IMAGE_ROWS = 4
"""A store to an image takes four components, however many the output has."""


@dataclass(frozen=True)
class ColorTarget:
    """A color target of a node: its texture in words, and the format."""

    words: str
    format: str


@dataclass(frozen=True)
class _Output:
    """What a shader writes to a location; ``name`` is '' where a full-screen shader computes."""

    location: int
    numbers: Numbers
    rows: int
    name: str = ""

    def declared_in(self, module: ShaderModule) -> SourceLocation:
        """The line of its declaration."""
        if self.name:
            return passed_at(module.file, self.name, module.included)
        return output_at(module.file, self.location, module.included)


@dataclass(frozen=True)
class _Misfit:
    """What a shader declares of a texture, what its format is instead, and what to do."""

    declared: str
    instead: str
    hint: str


def check_numbers(binding: ShaderBinding, places: Declarations, node: str, request: Request, texture: str) -> None:
    """Raise ``ShaderError`` if a shader declares a texture or an image of other numbers than the format ``texture``
    has, or a comparison sampler for one without depth."""
    misfit = _misfit(binding, texture)
    if misfit is not None:
        raise ShaderError(
            f"{_subject(binding, places, node)} is {misfit.declared}, but {request.words} is a texture of format "
            f"{texture}, which {misfit.instead}",
            hint=misfit.hint,
            where=request.source,
        )


def check_constant(binding: ShaderBinding, places: Declarations, node: str, request: Request, texture: str) -> None:
    """Like ``check_numbers``, for the texel in the place of an absent texture."""
    misfit = _misfit(binding, texture)
    if misfit is not None:
        raise ShaderError(
            f"{_subject(binding, places, node)} is {misfit.declared}, but {request.words} is absent, and the texel in "
            f"its place has {format_named(texture).numbers}",
            hint=f"leave out otherwise={request.otherwise} of the request, and put the declaration in "
            f"#if HAS_{binding.name.upper()}",
            where=request.source,
        )


def check_output_numbers(
    node: str, request: PipelineRequest, module: ShaderModule, targets: Sequence[ColorTarget]
) -> None:
    """Raise ``ShaderError`` if a shader writes other numbers to an output than the format of its target has."""
    for output in _outputs(module):
        target = targets[output.location]
        given = format_named(target.format).numbers
        if output.numbers is not given:
            fitting = glsl_type(CODES[given], output.rows)
            assert fitting is not None
            raise ShaderError(
                f'node "{node}": {output.declared_in(module)} writes {output.numbers} to location {output.location}, '
                f"but {target.words} is a texture of format {target.format}, which has {given}",
                hint=f"declare the output as {fitting.name} in the shader, or {_another(output.numbers)}",
                where=request.source,
            )


def _outputs(module: ShaderModule) -> Iterator[_Output]:
    """The outputs of a fragment shader, or the images in their place of a full-screen one that computes."""
    for variable in module.writes:
        declared = GLSL_TYPES.get(variable.type)
        if declared is not None:
            for location in range(variable.location, variable.location + variable.locations):
                yield _Output(location, declared.numbers, declared.rows, variable.name)
    for binding in module.bindings:
        stored = output_location(binding.name)
        if stored is not None:
            yield _Output(stored, binding.numbers, _IMAGE_ROWS)


def _misfit(binding: ShaderBinding, texture: str) -> _Misfit | None:
    """Why a texture of that format is none of what the shader declares; None if it is."""
    own, given = binding.texture_type(binding.numbers), format_named(texture).numbers
    declared = f"{'an' if own.startswith('i') else 'a'} {own}"
    if binding.shadow and format_named(texture).aspect is Aspect.COLOR:
        plain = replace(binding, shadow=False).texture_type(given)
        return _Misfit(
            f"{declared} in the shader, which compares depths",
            "is no depth format",
            f"declare it as {plain} in the shader and compare there, or give it a texture of a depth format, such as "
            "d32_sfloat",
        )
    if binding.numbers is given:
        return None
    layout = f" with layout({qualifier_of(texture)})" if binding.format else ""
    return _Misfit(
        f"{declared} of {binding.numbers} in the shader",
        f"has {given}",
        f"declare it as {binding.texture_type(given)}{layout} in the shader, or {_another(binding.numbers)}",
    )


def _subject(binding: ShaderBinding, places: Declarations, node: str) -> str:
    return f'{places}: "{binding.name}" of node "{node}" (set {binding.set} binding {binding.binding})'


def _another(numbers: Numbers) -> str:
    return f"give it a texture of {numbers}, such as {_EXAMPLES[numbers]}"
