"""Graphs that run on demand and make something other than a frame: an icon, an impostor, a lookup table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

import numpy as np

from renderwright.render.backend.protocol import Backend, Recorder
from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.passes.target_sizes import unequal_targets
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.memory.copies_out import copied_texture
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.runtime.shader_checks.unassigned_targets import unassigned_targets
from renderwright.render.runtime.shader_checks.unwritten_targets import unwritten_targets
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Blob, Texture


@dataclass(frozen=True)
class Results:
    """The results of a graph.

    ``values`` are read back: mip 0 of textures as arrays (height, width, channels) of texels as the format stores them,
    with a leading axis for several layers; buffers as arrays of bytes; blobs unchanged. ``textures`` are kept on the
    device: the caller owns them, destroys them with ``backend.destroy``, and finds them in the layout of sampled
    textures.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    textures: Mapping[str, PhysicalTexture] = field(default_factory=dict)


def run_once(runtime: Runtime, graph: FrameGraph, *, read: Sequence[str] = (), keep: Sequence[str] = ()) -> Results:
    """Compile ``graph``, run it once between two frames of ``runtime``, and release its heaps.

    ``read`` names resources to read back, ``keep`` textures to keep, such as external textures of another graph. Both
    become sinks of the graph. Only ``read`` waits for the GPU. Call it between frames.

    Raises ``GraphError`` for a name that the graph does not make, for a mistake in the graph, or if one of its nodes
    fails.
    """
    slot = runtime.spare_slot()
    for name in (*read, *keep):
        graph.add_sink(name)
    single = runtime.beside(graph, _fail)
    kept: dict[str, PhysicalTexture] = {}

    def finish(recorder: Recorder, running: RunningPlan) -> None:
        _keep({name: wanted[name] for name in keep}, kept, running, slot, recorder, runtime.backend)

    try:
        wanted = {name: find_resource(single.plan, name) for name in (*read, *keep)}
        _require_sound(single.plan)
        report = single.render(None, finish=finish)
        if report is not None:
            _require_written(report)
        values = {name: _value(single, wanted[name]) for name in read}
    except BaseException:
        for texture in kept.values():
            runtime.backend.destroy(texture)
        raise
    finally:
        single.close()
    return Results(values, kept)


def _fail(failure: NodeFailure) -> None:
    raise GraphError(str(failure)) from failure.error


def _require_sound(plan: Plan) -> None:
    """Raise ``GraphError`` for the first mistake: the compiler has removed its node, so the results would lack it, or
    the node would draw to a part of its targets."""
    for problem in plan.problems:
        if problem.severity is Severity.ERROR:
            raise GraphError(problem.message, hint=problem.hint, where=next(iter(problem.where), None))
    for found in unequal_targets(plan):
        raise GraphError(found.message, hint=found.hint, where=found.where)


def find_resource(plan: Plan, name: str) -> ResourceInstance:
    """The resource of that name. Raises ``GraphError`` with the compiler's messages if there is none or several."""
    full = dict(plan.resolved.aliases).get(name, name)
    found = [item for item in plan.graph.resources if full in item.resource.names]
    if len(found) == 1:
        return found[0]
    if found:
        raise GraphError(f'"{name}" has {len(found)} instances, one per index', hint="gather them in a node")
    said = [str(problem) for problem in plan.problems] + [removal.message for removal in plan.removed]
    known = [name for item in plan.graph.resources for name in item.resource.names]
    raise GraphError(f'the graph does not make "{name}"', hint="; ".join(said) or did_you_mean(name, known))


def _require_written(report: FrameReport) -> None:
    """Raise ``GraphError`` for the first render target without an output in the shaders of its node, or whose output
    they never assign."""
    nodes, pipelines = report.plan.graph.nodes, report.pipelines
    for found in filter(None, chain(unwritten_targets(report.plan, pipelines), unassigned_targets(nodes, pipelines))):
        raise GraphError(found.message, hint=found.hint, where=found.where)


def _keep(
    wanted: Mapping[str, ResourceInstance],
    kept: dict[str, PhysicalTexture],
    running: RunningPlan,
    slot: int,
    recorder: Recorder,
    backend: Backend,
) -> None:
    """Copy each texture into a new one with memory of its own."""
    for name, item in wanted.items():
        source = running.resources.physicals.get((item.id, slot))
        if source is None or not isinstance(source.info, TextureInfo):
            raise GraphError(f'"{name}" is no texture of the graph and cannot be kept', hint="read it instead")
        kept[name] = copied_texture((item.id, slot), source, running.plan, name, recorder, backend)


def _value(runtime: Runtime, item: ResourceInstance) -> Any:
    desc = item.resource.desc
    if isinstance(desc, Blob):
        return runtime.blob(item.id)
    physical = runtime.resource(item.id)
    if isinstance(desc, Texture):
        layout = dict(runtime.plan.sync.layouts_left)[item.id]
        return runtime.backend.read_texture(cast(PhysicalTexture, physical), layout)
    return np.frombuffer(runtime.backend.read_buffer(cast(PhysicalBuffer, physical)), np.uint8)
