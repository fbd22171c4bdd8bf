"""Finds the shader that reads a channel of a plugin's own texture which no node writes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.fullscreen import targets_of
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines
from renderwright.render.shaders.outputs import outputs_of
from renderwright.render.shaders.read_channels import read_channels
from renderwright.render.types.pipeline_state import CHANNELS
from renderwright.render.types.usages import ShaderStage

_READS = frozenset({Verb.READ, Verb.HISTORY, Verb.GATHER})


@dataclass(frozen=True)
class UndefinedReader:
    """A ``node`` whose shader ``file`` reads these ``channels``."""

    node: str
    file: str
    channels: str


def undefined_reader(
    plan: Plan, pipelines: Pipelines, resources: Collection[str], lacking: str
) -> UndefinedReader | None:
    """The first shader that reads some of the channels that an output of ``resources`` lacks; None if there is none, or
    if another pipeline or command may write them."""
    nodes = {node.id: node for node in plan.graph.nodes}
    for node in nodes.values():
        if any(_writes_otherwise(use, node) for use in _uses(node, resources)):
            return None
    drawn = [(nodes[id], pipeline.desc) for (id, _), pipeline in pipelines.items() if id in nodes]
    undefined = set(lacking)
    for node, desc in drawn:
        undefined -= set(_written(node, desc, resources))
    readers = (_reader(node, desc, resources, undefined) for node, desc in drawn)
    return next((reader for reader in readers if reader is not None), None)


def written_channels(pipeline: PipelineDesc) -> str:
    """The channels that a pipeline's state lets it write."""
    state: Mapping[str, object] = dict(pipeline.state)
    return str(state.get("color_write", CHANNELS))


def _uses(node: NodeInstance, resources: Collection[str]) -> Iterator[Use]:
    return (use for use in node.uses if not set(resources).isdisjoint(use.resources))


def _writes_otherwise(use: Use, node: NodeInstance) -> bool:
    """Whether a node writes a resource other than as a color target."""
    return use.request.verb not in _READS and use not in targets_of(node)


def _written(node: NodeInstance, pipeline: PipelineDesc, resources: Collection[str]) -> str:
    """The channels of the resources that a pipeline writes, or may write."""
    module = pipeline.modules[-1]
    locations = [at for at, use in enumerate(targets_of(node)) if not set(resources).isdisjoint(use.resources)]
    if module.stage is ShaderStage.VERTEX or not locations:
        return ""
    outputs = [outputs_of(module).get(location) for location in locations]
    most = max((output.components or len(CHANNELS) for output in outputs if output is not None), default=0)
    return "".join(channel for channel in CHANNELS[:most] if channel in written_channels(pipeline))


def _reader(
    node: NodeInstance, pipeline: PipelineDesc, resources: Collection[str], undefined: Collection[str]
) -> UndefinedReader | None:
    names = {use.request.binding for use in _uses(node, resources) if use.request.verb in _READS}
    for module in pipeline.modules if names else ():
        read = read_channels(module)
        numbers = {number for name in names for number in read.get(name, ())}
        channels = "".join(CHANNELS[number] for number in sorted(numbers) if CHANNELS[number] in undefined)
        if channels:
            return UndefinedReader(node.declaration.name, module.file, channels)
    return None
