"""Pipelines of a plan's nodes: shaders loaded in one batch, pipelines shared and kept across plans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.backend.protocol import Backend, Pipeline, PipelineDesc
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import OutOfMemoryError, RenderwrightError, ShaderError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.runtime.failures import FailurePhase, NodeFailure, NodesFailedError
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class _Wanted:
    """One pipeline of one node instance before its shaders are loaded."""

    node: NodeInstance
    number: int
    request: PipelineRequest
    shaders: tuple[ShaderRequest, ...]


KEPT = 64
"""Pipelines out of use that are kept all the same, because plugins come back and settings are set back."""


class PipelineCache:
    """Keeps pipelines by their description, in the order in which they were last asked for."""

    def __init__(self, backend: Backend, library: ShaderLibrary) -> None:
        self._backend = backend
        self._library = library
        self._pipelines: dict[PipelineDesc, Pipeline] = {}

    def load(self, plan: Plan, graph: FrameGraph) -> dict[tuple[str, int], Pipeline]:
        """The pipelines of a plan by (node instance id, pipeline number).

        ``NodesFailedError`` with every node whose shaders or state are wrong.
        """
        infos = {placed.id: placed.info for placed in plan.placement.resources}
        wanted = [
            _Wanted(node, number, request, _shader_requests(node, request, _paths(graph, node)))
            for node in plan.graph.nodes
            for number, request in enumerate(node.declaration.pipelines)
        ]
        requests = list(dict.fromkeys(shader for want in wanted for shader in want.shaders))
        modules = self._library.load(requests)
        pipelines: dict[tuple[str, int], Pipeline] = {}
        failures: dict[str, NodeFailure] = {}
        for want in wanted:
            try:
                desc = _describe(want, modules, infos)  # type: ignore[arg-type]
                pipeline = self._pipelines.pop(desc, None) or self._backend.create_pipeline(desc)
                self._pipelines[desc] = pipelines[want.node.id, want.number] = pipeline
            except OutOfMemoryError:
                raise  # the node is not to blame
            except RenderwrightError as error:
                declaration = want.node.declaration
                failures[declaration.name] = NodeFailure(
                    declaration.name, declaration.plugin, FailurePhase.PIPELINE, error
                )
        if failures:
            raise NodesFailedError(list(failures.values()))
        return pipelines

    def trim(self, used: Iterable[Pipeline]) -> None:
        """Give back all pipelines that are not ``used`` but the ``KEPT`` that were last asked for."""
        in_use = {id(pipeline) for pipeline in used}
        idle = [desc for desc, pipeline in self._pipelines.items() if id(pipeline) not in in_use]
        for desc in idle[:-KEPT]:
            self._backend.destroy(self._pipelines.pop(desc))

    def destroy(self) -> None:
        """Give all pipelines back."""
        for pipeline in self._pipelines.values():
            self._backend.destroy(pipeline)
        self._pipelines.clear()


def _paths(graph: FrameGraph, node: NodeInstance) -> tuple[Path, ...]:
    return graph.declared(node.declaration.name).source.shader_paths


def _shader_requests(
    node: NodeInstance, request: PipelineRequest, paths: tuple[Path, ...]
) -> tuple[ShaderRequest, ...]:
    present = {
        f"HAS_{use.request.binding.upper()}": "1" if use.present else "0" for use in node.uses if use.request.optional
    }
    views = {"VIEWS": str(node.views.count)} if node.views is not None else {}
    defines = tuple(sorted({**present, **dict(request.defines), **views}.items()))
    search = tuple(str(path) for path in paths)
    return tuple(ShaderRequest(stage, file, search, defines, node.declaration.name) for stage, file in request.shaders)


def _describe(
    want: _Wanted,
    modules: dict[ShaderRequest, ShaderModule | ShaderError],
    infos: dict[str, TextureInfo],
) -> PipelineDesc:
    loaded: list[ShaderModule] = []
    for shader in want.shaders:
        module = modules[shader]
        if isinstance(module, ShaderError):
            raise module
        loaded.append(module)
    if want.request.kind == "compute":
        return PipelineDesc(want.node.declaration.name, tuple(loaded))
    colors: list[str] = []
    depth = ""
    samples = 1
    for use in want.node.uses:
        if not use.present:
            continue
        if use.usage is Usage.COLOR:
            colors.append(infos[use.resources[0]].format)
            samples = infos[use.resources[0]].samples
        elif use.usage in (Usage.DEPTH, Usage.DEPTH_READ):
            depth = infos[use.resources[0]].format
            samples = infos[use.resources[0]].samples
    state = dict(want.node.declaration.state) | dict(want.request.state)
    if "vertex" in state:
        state["vertex"] = tuple(attribute for attribute in state["vertex"] if attribute[0] in loaded[0].inputs)
    if not colors and not depth:
        raise ShaderError(
            f'node "{want.node.declaration.name}" draws, but has no attachment',
            hint="request a texture with .color() or .depth()",
            where=want.request.source,
        )
    beyond = sorted(place for module in loaded for place in module.outputs if place >= len(colors))
    if beyond:
        attachments = f"{len(colors)} color attachment{'' if len(colors) == 1 else 's'}"
        raise ShaderError(
            f'node "{want.node.declaration.name}" has {attachments}, but {loaded[-1].file} writes to '
            f"location {beyond[0]}",
            hint="locations count from 0, in the order of the requests with .color()",
            where=want.request.source,
        )
    return PipelineDesc(
        want.node.declaration.name,
        tuple(loaded),
        tuple(colors),
        depth,
        samples,
        tuple(sorted(state.items())),
        want.node.views.count if want.node.views is not None else 1,
    )
