"""The render targets of full-screen nodes: attachments of those that draw, storage images of those that compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import ShaderError
from renderwright.render.formats import format_named
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.shaders.fullscreen import FIRST_BINDING
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.fullscreen import output_location
from renderwright.render.types.physical import PhysicalInfo, TextureInfo, mip_extent
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


def targets_of(node: NodeInstance) -> Sequence[Use]:
    """The color targets of a node, in the order of their locations."""
    targets = (use for use in node.uses if use.usage is Usage.COLOR or output_location(use.request.binding) is not None)
    return [use for use in targets if use.present]


def covered_extent(node: NodeInstance, bound: Mapping[int, BoundResource]) -> Extent:
    """The extent of a full-screen node's render targets."""
    extents = [
        mip_extent(physical.info.extent, use.request.part)
        for use in targets_of(node)
        for physical in bound[use.number].physicals
        if isinstance(physical.info, TextureInfo)
    ]
    return min(width for width, _ in extents), min(height for _, height in extents)


def srgb_targets(node: NodeInstance, infos: Mapping[str, PhysicalInfo | None]) -> tuple[int, ...]:
    """The locations of a full-screen node's sRGB targets."""
    described = [infos[use.resources[0]] for use in targets_of(node)]
    formats = [info.format if isinstance(info, TextureInfo) else "" for info in described]
    return tuple(location for location, name in enumerate(formats) if name and format_named(name).srgb)


def stored_outputs(module: ShaderModule) -> Sequence[int]:
    """The locations of the outputs that a full-screen compute shader stores."""
    locations = (output_location(binding.name) for binding in module.bindings)
    return [location for location in locations if location is not None]


def check_bindings(node: str, request: PipelineRequest, module: ShaderModule) -> None:
    """Raise ``ShaderError`` if a full-screen shader has a binding with the number of an output's image."""
    taken = [one for one in module.bindings if one.binding >= FIRST_BINDING and output_location(one.name) is None]
    if taken:
        raise ShaderError(
            f'{module.file}: "{taken[0].name}" of node "{node}" has the binding {taken[0].binding}',
            hint=f"a full-screen shader's bindings are below {FIRST_BINDING}",
            where=request.source,
        )
