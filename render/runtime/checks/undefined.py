"""What a run of a node leaves undefined, although its declaration says that the node writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import CheckError
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.checks.watched_recorder import NodeCommands
from renderwright.render.runtime.fullscreen import stored_outputs, targets_of
from renderwright.render.shaders.interface import merge_bindings, merge_push
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.shaders.stores import stored_bindings
from renderwright.render.types.fullscreen import output_location
from renderwright.render.types.usages import ShaderStage, Usage

_STORAGE = frozenset({Usage.STORAGE, Usage.STORAGE_WRITE})


@dataclass(frozen=True)
class NodeRecord:
    """A node instance with its bound resources (by request number), its pipelines, and the commands of one run."""

    instance: NodeInstance
    bound: Mapping[int, BoundResource]
    pipelines: Sequence[BoundPipeline]
    commands: NodeCommands


def undefined(record: NodeRecord) -> Iterator[CheckError]:
    """A sentence about each push constant and each created resource that the commands leave undefined.

    What a node modifies has contents without the node, and what it clears has them as well.
    """
    yield from _unpushed(record)
    for use in record.instance.uses:
        creates = use.request.verb is Verb.CREATE and use.usage is not None and use.present
        if creates and use.request.clear is None:
            lack = _lack(use, record)
            if lack is not None:
                yield lack


def named(instance: NodeInstance) -> str:
    """A node with its plugin, in words."""
    declaration = instance.declaration
    owner = f' of plugin "{declaration.plugin}"' if declaration.plugin else ""
    return f'node "{declaration.name}"{owner}'


def _unpushed(record: NodeRecord) -> Iterator[CheckError]:
    for found in record.commands.unpushed:
        modules = found.pipeline.desc.modules
        files = " and ".join(Path(module.file).name for module in modules if module.push_members)
        missing = [member.name for member in merge_push(modules)[0] if member.offset >= found.size]
        names = ", ".join(f'"{name}"' for name in missing) or "the last ones"
        compute = modules[0].stage is ShaderStage.COMPUTE and not stored_outputs(modules[0])
        call = "cmd.dispatch(pipeline, extent" if compute else "cmd.draw(pipeline"
        yield CheckError(
            f"{named(record.instance)} runs {files} without its push constants, which are undefined: {names}",
            hint=f"pass all of them by name: {call}, {missing[0] if missing else 'name'}=...)",
            where=found.where,
        )


def _lack(use: Use, record: NodeRecord) -> CheckError | None:
    """Why nothing writes a created resource; None if something does."""
    physicals = record.bound[use.number].physicals if use.number in record.bound else ()
    if any(record.commands.writes(physical) for physical in physicals):
        return None
    if use.usage is Usage.COLOR or output_location(use.request.binding) is not None:
        return _no_color(use, record)
    if use.usage is Usage.DEPTH:
        return _no_depth(use, record)
    if use.usage in _STORAGE:
        return _no_storage(use, record)
    if use.usage is Usage.COPY_DST:
        return _error(use, record, "records no copy, clear or fill of it", "record one in the execute function")
    if use.usage is Usage.RESOLVE:
        return None  # the end of the pass writes it
    return _error(use, record, f"only reads it ({use.usage})", "read what another node creates, or write it as well")


def _no_color(use: Use, record: NodeRecord) -> CheckError | None:
    location = [other.number for other in targets_of(record.instance)].index(use.number)
    drawn = _drawn(record)
    if not drawn:
        hint = "draw in the execute function, or clear it: .color(clear=...)"
        return _error(use, record, "draws nothing to it", hint)
    modules = [module for pipeline in drawn for module in pipeline.desc.modules]
    writing = [module for module in modules if module.stage is not ShaderStage.VERTEX]
    if any(location in (*module.outputs, *stored_outputs(module)) for module in writing):
        return None
    files = ", ".join(sorted({Path(pipeline.desc.modules[-1].file).name for pipeline in drawn}))
    what = f"draws to it with {files}, which has no output at location {location}"
    return _error(use, record, what, f"write layout(location = {location}) out, or clear it: .color(clear=...)")


def _no_depth(use: Use, record: NodeRecord) -> CheckError | None:
    drawn = _drawn(record)
    if any(dict(pipeline.desc.state).get("depth_write", False) for pipeline in drawn):
        return None
    what = "draws to it without depth_write" if drawn else "draws nothing to it"
    return _error(use, record, what, "draw with reg.state(depth_write=True), or clear it: .depth(clear=0.0)")


def _no_storage(use: Use, record: NodeRecord) -> CheckError | None:
    commands, name = record.commands, use.request.binding
    if not commands.used:
        return _error(use, record, "records no dispatch or draw", "record one in the execute function")
    for pipeline in commands.used:
        stored = _stored(pipeline)
        if any(binding.set == 0 and binding.name == name for binding in stored):
            return None
        if pipeline in commands.own_sets and any(binding.set for binding in stored):
            return None  # it may be in the node's own descriptor set
    files = ", ".join(
        sorted({Path(module.file).name for pipeline in commands.used for module in pipeline.desc.modules})
    )
    what = f'runs {files}, which does not write "{name}"'
    return _error(use, record, what, f'write "{name}" in the shader, or give the request the shader\'s name by .bind()')


def _stored(pipeline: Pipeline) -> list[ShaderBinding]:
    """The bindings that a pipeline's shaders have instructions to store to."""
    modules = pipeline.desc.modules
    places = {place for module in modules for place in stored_bindings(module)}
    return [binding for binding in merge_bindings(modules) if (binding.set, binding.binding) in places]


def _drawn(record: NodeRecord) -> list[Pipeline]:
    """The pipelines of the node's draws, also of those that run as compute shaders."""

    def draws(pipeline: Pipeline) -> bool:
        first = pipeline.desc.modules[0]
        return first.stage is ShaderStage.VERTEX or bool(stored_outputs(first))

    return [pipeline for pipeline in record.commands.used if draws(pipeline)]


def _error(use: Use, record: NodeRecord, what: str, hint: str) -> CheckError:
    resource = use.resources[0].partition("@")[0]
    message = f'{named(record.instance)} creates "{resource}" and {what}: its contents are undefined'
    return CheckError(message, hint=hint, where=use.request.source)
