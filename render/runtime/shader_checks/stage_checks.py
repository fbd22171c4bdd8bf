"""Checks what the stages of a pipeline read and write: vertex attributes, what they pass on, and render targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.formats import Numbers, numbers_of_suffix
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.shaders.declared import output_at, passed_at
from renderwright.render.shaders.glsl_types import CODES, GLSL_TYPES, glsl_type
from renderwright.render.shaders.module import ShaderModule, StageVariable
from renderwright.render.types.pipeline_state import VERTEX_FORMATS, bytes_of_a_vertex

_SUFFIXES = {Numbers.FLOATS: ("sfloat", "unorm"), Numbers.INTEGERS: ("sint",), Numbers.UNSIGNED: ("uint",)}
"""The formats of a kind of numbers that a hint proposes."""


def check_attributes(node: str, request: PipelineRequest, state: Mapping[str, Any], vertex: ShaderModule) -> None:
    """Raise ``ShaderError`` if a vertex shader reads an attribute that the vertex layout lacks, or of another kind of
    numbers, or that does not lie in the vertex."""
    attributes = {attribute[0]: attribute for attribute in state.get("vertex", ())}
    stride = state.get("vertex_stride", 0)
    for variable in vertex.reads:
        for location in range(variable.location, variable.location + variable.locations):
            if location not in attributes:
                wrong = f", which {'the vertex layout lacks' if 'vertex' in state else 'no vertex layout gives'}"
                hint = "give reg.graphics a vertex_layout with all attributes"
            else:
                wrong, hint = _misfit(variable, attributes[location], stride)
            if wrong:
                place = _place(vertex, variable)
                raise ShaderError(
                    f'node "{node}": {place} reads the vertex attribute at location {location}{wrong}',
                    hint=hint,
                    where=request.source,
                )


def check_passed(node: str, request: PipelineRequest, vertex: ShaderModule, fragment: ShaderModule) -> None:
    """Raise ``ShaderError`` if a fragment shader reads what its vertex shader does not write, or writes as another
    type."""
    written = vertex.outputs
    for variable in fragment.reads:
        lacking = set(range(variable.location, variable.location + variable.locations)).difference(written)
        if lacking:
            raise ShaderError(
                f'node "{node}": {_place(fragment, variable)} reads location {min(lacking)}, which '
                f"{Path(vertex.file).name} does not write",
                hint="give the vertex shader an output at that location, or read another one",
                where=request.source,
            )
        # Several variables at one location are told apart by components.
        writers = [each for each in vertex.writes if each.location == variable.location]
        readers = [each for each in fragment.reads if each.location == variable.location]
        if len(writers) == len(readers) == 1:
            _check_type(node, request, (vertex, writers[0]), (fragment, variable))


def check_outputs(
    node: str, request: PipelineRequest, written: Sequence[int], targets: int, module: ShaderModule
) -> None:
    """Raise ``ShaderError`` if a shader writes to more outputs than its node has render targets."""
    beyond = sorted(location for location in written if location >= targets)
    if beyond:
        place = output_at(module.file, beyond[0], module.included)
        attachments = f"{targets} color attachment{'' if targets == 1 else 's'}"
        raise ShaderError(
            f'node "{node}" has {attachments}, but {place} writes to location {beyond[0]}',
            hint="locations count from 0, in the order of the requests with .color()",
            where=request.source,
        )


def _check_type(
    node: str,
    request: PipelineRequest,
    written: tuple[ShaderModule, StageVariable],
    read: tuple[ShaderModule, StageVariable],
) -> None:
    (vertex, output), (fragment, variable) = written, read
    known = output.type and variable.type
    if known and (output.type, output.count) != (variable.type, variable.count):
        raise ShaderError(
            f'node "{node}": {_place(fragment, variable)} reads location {variable.location_in_words} as '
            f"{variable.type_in_words}, but {_place(vertex, output)} writes it as {output.type_in_words}",
            hint="declare the same type in both shaders",
            where=request.source,
        )


def _misfit(variable: StageVariable, attribute: tuple[int, str, int], stride: int) -> tuple[str, str]:
    """The reason why an attribute is none of what the variable reads, and a hint; '' for both if it fits."""
    _, format, offset = attribute
    declared = GLSL_TYPES.get(variable.type)
    given = numbers_of_suffix(format)
    if declared is not None and (wanted := declared.numbers) != given:
        fitting = glsl_type(CODES[given], declared.rows, declared.columns)
        in_shader = f"declare it as {fitting.name} in the shader, or " if fitting is not None else ""
        base = format.rpartition("_")[0]
        near = next((name for suffix in _SUFFIXES[wanted] if (name := f"{base}_{suffix}") in VERTEX_FORMATS), "")
        return (
            f" as {variable.type_in_words}, but its format {format} has {given}",
            f"{in_shader}give a format of {wanted}{f', such as {near}' if near else ''}",
        )
    end = bytes_of_a_vertex([attribute])
    if end > stride:
        return (
            f", whose bytes {offset} to {end} lie beyond the stride of {stride} bytes",
            f"give the vertex layout a stride of at least {end} bytes, or the attribute a smaller offset",
        )
    return "", ""


def _place(module: ShaderModule, variable: StageVariable) -> SourceLocation:
    return passed_at(module.file, variable.name.partition(".")[0], module.included)
