"""Full-screen nodes that run as compute shaders, which store to images instead of drawing to attachments.

A rule returns the reason why a node has to draw, or '' if it has no objection. The stages behind this one see a compute
node as any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest, Drawn, LogicalResource, ResolvedGraph
from renderwright.render.graph.requests import PipelineRequest, Request
from renderwright.render.types.fullscreen import output_name
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, ShaderStage, Usage


def store_from_compute_shaders(graph: ResolvedGraph, formats: Set[str]) -> ResolvedGraph:
    """The graph in which full-screen nodes are compute nodes, where they can store to all of their render targets.

    ``formats`` are those of textures that compute shaders can store to.
    """
    resources = {resource.root: resource for resource in graph.resources}
    nodes = []
    drawn = []
    for node in graph.nodes:
        if any(pipeline.fullscreen for pipeline in node.declaration.pipelines):
            obstacle = _obstacle(node, resources, formats)
            if obstacle:
                drawn.append(Drawn(node.name, obstacle))
            else:
                node = _compute_node(node)
        nodes.append(node)
    return replace(graph, nodes=tuple(nodes), drawn=tuple(drawn))


# rules ----------------------------------------------------------------------------------------------------------------


def _obstacle(node: BoundNode, resources: Mapping[str, LogicalResource], formats: Set[str]) -> str:
    declaration = node.declaration
    if len(declaration.pipelines) > 1:
        return "it has another pipeline"
    if declaration.state:
        return "it sets fixed-function state"
    targets = [bound for bound in node.requests if bound.request.usage in ATTACHMENTS]
    return next(filter(None, (_obstacle_of_target(bound, resources.get(bound.root), formats) for bound in targets)), "")


def _obstacle_of_target(bound: BoundRequest, resource: LogicalResource | None, formats: Set[str]) -> str:
    if bound.request.usage is not Usage.COLOR:
        return f"it uses `{bound.name}` as {bound.request.usage}"
    if bound.request.optional:
        return f"`{bound.name}` may be absent"
    if resource is None or resource.external:
        return f"`{bound.name}` comes from outside the frame"
    assert isinstance(resource.desc, Texture)
    if resource.desc.format not in formats:
        return f"compute shaders cannot store to `{bound.name}`, whose format is {resource.desc.format}"
    if resource.desc.samples > 1:
        return f"`{bound.name}` has several samples a texel"
    layers = bound.request.part.layers
    if (layers[1] if layers is not None else resource.desc.layers) > 1:
        return f"it draws to several layers of `{bound.name}`"
    return ""


# the compute node -----------------------------------------------------------------------------------------------------


def _compute_node(node: BoundNode) -> BoundNode:
    requests = _compute_requests([bound.request for bound in node.requests])
    declaration = node.declaration
    pipelines = tuple(_compute_pipeline(pipeline) for pipeline in declaration.pipelines)
    return replace(
        node,
        # Several views at once save draws of meshes. A compute node runs once for each.
        declaration=replace(declaration, requests=tuple(requests), pipelines=pipelines, multiview=""),
        requests=tuple(bound._replace(request=own) for bound, own in zip(node.requests, requests, strict=True)),
    )


def _compute_requests(requests: Sequence[Request]) -> list[Request]:
    """The requests of a compute node: the render targets, in order, are the images that the shader stores to."""
    found = []
    location = 0
    for request in requests:
        if request.usage is Usage.COLOR:
            binding = output_name(location)
            request = replace(request, usage=Usage.STORAGE_WRITE, stages=(ShaderStage.COMPUTE,), binding=binding)
            location += 1
        elif request.usage in SHADER_USAGES:
            request = replace(request, stages=(ShaderStage.COMPUTE,))
        found.append(request)
    return found


def _compute_pipeline(pipeline: PipelineRequest) -> PipelineRequest:
    shaders = tuple((ShaderStage.COMPUTE, file) for stage, file in pipeline.shaders if stage is ShaderStage.FRAGMENT)
    return replace(pipeline, kind="compute", shaders=shaders)
