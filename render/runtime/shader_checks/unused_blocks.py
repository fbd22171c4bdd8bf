"""Finds uniform blocks that a node fills and that no shader has, such as by a mistyped name.

Shaders leave out what a variant does not use, so that a word of any of their files is enough, and so is a macro that
makes words (``##``). A block that several nodes of a plugin fill, as a function for all of them does, is looked for in
the shaders of all. A plugin with settings may choose files by them: its blocks are looked for in all files beside.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines
from renderwright.render.shaders.module import BindingKind, ShaderModule
from renderwright.render.shaders.outputs import texts_in, texts_of
from renderwright.render.suggest import nearest


@dataclass(frozen=True)
class UnusedBlock:
    """A block that a ``node`` of a plugin fills in vain; ``where`` is its reg.uniform."""

    node: NodeDeclaration
    message: str
    hint: str
    where: SourceLocation


def unused_blocks(
    plan: Plan, pipelines: Pipelines, with_settings: Collection[str] = ()
) -> Iterator[UnusedBlock | None]:
    """The blocks of plugins that no shader has, each once; None behind each of which the files have to be read.

    ``with_settings`` are the plugins that have settings.
    """
    used = _descriptions(plan, pipelines)
    for (plugin, name), nodes in _filled(plan).items():
        descriptions = [used.get(node.name, ()) for node in nodes]
        if not plugin or not all(descriptions):
            continue  # no shaders, or nodes that this frame lacks
        modules = list(dict.fromkeys(module for every in descriptions for desc in every for module in desc.modules))
        if any(name == binding.name for module in modules for binding in module.bindings):
            continue
        beside = {Path(desc.modules[-1].file).parent for every in descriptions for desc in every}
        folders = beside if plugin in with_settings else set[Path]()
        if not _is_mistyped(nodes, modules, name) and not _may_mention(nodes, modules, name, folders):
            yield _unused(nodes[0], name, modules)
        yield None


def _filled(plan: Plan) -> Mapping[tuple[str, str], Sequence[NodeDeclaration]]:
    """The nodes that fill a block, by plugin and block, also those that this frame lacks."""
    filled: dict[tuple[str, str], list[NodeDeclaration]] = defaultdict(list)
    for node in (*plan.resolved.left_out, *(node.declaration for node in plan.resolved.nodes)):
        for name, _ in node.block_sources:
            filled[node.plugin, name].append(node)
    return filled


def _descriptions(plan: Plan, pipelines: Pipelines) -> Mapping[str, Sequence[PipelineDesc]]:
    """The pipelines of the frame's nodes, by the node's name."""
    names = {node.id: node.declaration.name for node in plan.graph.nodes}
    used: dict[str, list[PipelineDesc]] = defaultdict(list)
    for (instance, _), pipeline in pipelines.items():
        if instance in names:
            used[names[instance]].append(pipeline.desc)
    return used


def _is_mistyped(nodes: Sequence[NodeDeclaration], modules: Sequence[ShaderModule], name: str) -> bool:
    """Whether a shader has a block that is like it and that nothing fills: the error of that block names both."""
    filled = {block for node in nodes for block, _ in node.block_sources}
    requested = {request.binding for node in nodes for request in node.requests}
    blocks = [each for module in modules for each in module.bindings if each.kind is BindingKind.UNIFORM_BUFFER]
    return bool(nearest(name, {block.name for block in blocks} - filled - requested))


def _may_mention(
    nodes: Sequence[NodeDeclaration], modules: Sequence[ShaderModule], name: str, folders: Collection[Path]
) -> bool:
    """Whether the shaders may have a block of that name in another variant, or files of the ``folders`` have."""
    word = re.compile(rf"\b{re.escape(name)}\b|##")
    requests = [request for node in nodes for request in node.pipelines]
    if any(request.parts or any(word.search(value) for _, value in request.defines) for request in requests):
        return True
    for module in modules:
        texts = list(texts_of(module))
        if len(texts) <= len(module.included) or any(word.search(text) for text in texts):
            return True
    return any(word.search(text) for folder in folders for text in texts_in(folder))


def _unused(node: NodeDeclaration, name: str, modules: Sequence[ShaderModule]) -> UnusedBlock:
    files = sorted({Path(module.file).name for module in modules})
    return UnusedBlock(
        node,
        f'{node_in_words(node.name, node.plugin)} fills the block "{name}", which none of its shaders declares: '
        f"{', '.join(files)}",
        f"declare `uniform {name} {{ ... }};` in a shader, or leave reg.uniform out",
        next(where for block, where in node.block_sources if block == name),
    )
