"""Finds outputs with fewer channels than a target that other plugins or the skeleton read: the rest is undefined.

Source: the Vulkan specification, "Fragment Output Interface".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.formats import format_named
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.fullscreen import targets_of
from renderwright.render.runtime.shader_checks.undefined_reads import (
    UndefinedReader,
    undefined_reader,
    written_channels,
)
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines, UnwrittenTarget
from renderwright.render.shaders.declared import output_at
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.outputs import Output, outputs_of
from renderwright.render.types.physical import PhysicalInfo, TextureInfo
from renderwright.render.types.pipeline_state import CHANNELS
from renderwright.render.types.usages import ShaderStage


def narrow_outputs(plan: Plan, pipelines: Pipelines) -> Iterator[UnwrittenTarget | None]:
    """The outputs of plugins' shaders that leave channels of their targets undefined, those of a node once; None behind
    each shader, whose text may have to be read. ``where`` is the declaration, or else the request.

    What becomes of a plugin's own texture is known to that plugin alone, unless the code of a shader takes a channel
    out of its texels that no node writes.
    """
    nodes = {node.id: node for node in plan.graph.nodes if node.declaration.plugin}
    infos = {placed.id: placed.info for placed in plan.placement.resources}
    own = {(node.declaration.plugin, one.creates) for node in nodes.values() for one in node.declaration.requests}
    told: set[str] = set()
    for (id, _), pipeline in pipelines.items():
        node = nodes.get(id)
        if node is None or node.declaration.name in told or pipeline.desc.modules[-1].stage is ShaderStage.VERTEX:
            continue
        for narrow in _narrow(node, pipeline.desc, infos):
            is_shared = _is_shared(node, narrow.target, own)
            reader = None if is_shared else undefined_reader(plan, pipelines, narrow.target.resources, narrow.lacking)
            if is_shared or reader is not None:
                told.add(node.declaration.name)
                yield _told(node, narrow, reader)
                break
        yield None


@dataclass(frozen=True)
class _Narrow:
    """An output of a shader that has not all channels of a target that are written."""

    module: ShaderModule
    location: int
    output: Output
    target: Use
    format: str
    lacking: str


def _narrow(node: NodeInstance, pipeline: PipelineDesc, infos: Mapping[str, PhysicalInfo | None]) -> Iterator[_Narrow]:
    module = pipeline.modules[-1]
    for location, target in enumerate(targets_of(node)):
        info = infos[target.resources[0]]
        output = outputs_of(module).get(location)
        if output is None or not isinstance(info, TextureInfo):
            continue
        if lacking := _lacking(output, info.format, written_channels(pipeline)):
            yield _Narrow(module, location, output, target, info.format, lacking)


def _is_shared(node: NodeInstance, target: Use, own: Collection[tuple[str, str]]) -> bool:
    """Whether a target is a chain's, or one that the node's plugin does not create."""
    request = target.request
    return bool(request.chain) or (request.verb is Verb.MODIFY and (node.declaration.plugin, request.name) not in own)


def _lacking(output: Output, format: str, written: str) -> str:
    """The channels of a format that an output has not, and that are written."""
    has = format_named(format).channels
    beyond = CHANNELS[output.components :] if output.components else ""
    return "".join(channel for channel in beyond if channel in has and channel in written)


def _told(node: NodeInstance, narrow: _Narrow, reader: UndefinedReader | None) -> UnwrittenTarget:
    declaration, request, module = node.declaration, narrow.target.request, narrow.module
    lacking = reader.channels if reader is not None else narrow.lacking
    place = output_at(module.file, narrow.location, module.included)
    channels = " and ".join({"g": "green", "b": "blue", "a": "alpha"}[channel] for channel in lacking)
    hint = f"declare it as {narrow.output.with_components(len(format_named(narrow.format).channels))}"
    if request.verb is Verb.MODIFY:
        kept = "".join(channel for channel in CHANNELS if channel not in narrow.lacking)
        hint += f', or keep the old values by reg.graphics(..., color_write="{kept}")'
    read = f", and `{Path(reader.file).name}` of `{reader.node}` reads it" if reader is not None else ""
    return UnwrittenTarget(
        node,
        f"{node_in_words(declaration.name, declaration.plugin)} renders to {request.words} of format {narrow.format}, "
        f"but the output `{narrow.output.name}` of `{Path(module.file).name}` is a {narrow.output.type}: {channels} "
        f"{'are' if len(lacking) > 1 else 'is'} undefined{read}",
        hint,
        place if place.line else request.source,
    )
