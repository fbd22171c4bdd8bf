"""Pipelines of a plan's nodes: shaders loaded in one batch, pipelines shared and kept across plans."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from renderwright.render.backend.protocol import Backend, Pipeline, PipelineDesc
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import DeviceLostError, OutOfMemoryError, RenderwrightError, ShaderError
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.requests import PipelineRequest, Request
from renderwright.render.runtime.blame import failure_of
from renderwright.render.runtime.failures import NodeFailure, NodesFailedError
from renderwright.render.runtime.fullscreen import check_bindings, srgb_targets, stored_outputs, targets_of
from renderwright.render.runtime.plans.beside import Stop
from renderwright.render.runtime.shader_checks.number_checks import ColorTarget, check_output_numbers
from renderwright.render.runtime.shader_checks.shader_warnings import ShaderWarnings
from renderwright.render.runtime.shader_checks.stage_checks import check_attributes, check_outputs, check_passed
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.physical import PhysicalInfo, TextureInfo
from renderwright.render.types.shader_parts import ShaderPart
from renderwright.render.types.usages import ShaderStage, Usage


@dataclass(frozen=True)
class _PipelineKey:
    """One pipeline of one node instance, before its shaders are loaded."""

    node: NodeInstance
    number: int
    request: PipelineRequest
    shaders: tuple[ShaderRequest, ...]


KEPT = 64
"""Unused pipelines that are kept, because plugins and settings are often switched back."""


Modules = Mapping[ShaderRequest, ShaderModule | ShaderError]


class PipelineCache:
    """Pipelines by description, least recently used first.

    ``prepare`` may run on the worker. Only the render thread calls the other methods. The lock is never held while
    shaders or pipelines compile, so a frame never waits for the worker.
    """

    def __init__(self, backend: Backend, library: ShaderLibrary) -> None:
        self._backend = backend
        self._library = library
        self._pipelines: dict[PipelineDesc, Pipeline] = {}
        self._lock = threading.Lock()
        # ``_ahead``: prepared by the worker, perhaps not used by a plan yet. ``_surplus``: duplicates, made by both
        # threads at the same time.
        self._ahead: list[Pipeline] = []
        self._surplus: list[Pipeline] = []
        self._warnings = ShaderWarnings(copies_shaders=backend.capabilities.copies_shaders)

    def load(self, plan: Plan, declared: Mapping[str, DeclaredNode]) -> dict[tuple[str, int], Pipeline]:
        """The pipelines of a plan by (node instance id, pipeline number). ``declared`` are its nodes by name.

        Raises ``NodesFailedError`` with every node whose shaders or state are wrong.
        """
        return self._make(plan, declared, [], Stop())

    def prepare(self, plan: Plan, declared: Mapping[str, DeclaredNode], stop: Stop) -> dict[tuple[str, int], Pipeline]:
        """Like ``load``, before the plan's first frame. The pipelines are kept at least until the next ``prepare``."""
        self._ahead = []
        return self._make(plan, declared, self._ahead, stop)

    def prepared(self) -> bool:
        """Whether the pipelines of the last ``prepare`` can be bound without waiting for the driver."""
        return all(pipeline.ready for pipeline in self._ahead)

    def at_hand(
        self, plan: Plan, declared: Mapping[str, DeclaredNode], nodes: Collection[str]
    ) -> dict[tuple[str, int], Pipeline] | None:
        """Like ``load``, of these nodes (by name), if all pipelines exist; None if any would have to be compiled."""
        keys = _pipeline_keys(plan, declared, nodes)
        modules = self._library.at_hand(_requests(keys))
        if modules is None:
            return None
        infos = _infos(plan)
        pipelines: dict[tuple[str, int], Pipeline] = {}
        for key in keys:
            try:
                pipeline = self._known(_describe(key, modules, infos), [])
            except RenderwrightError:
                return None  # ``load`` raises it
            if pipeline is None:
                return None
            pipelines[key.node.id, key.number] = pipeline
        return pipelines

    def _make(
        self, plan: Plan, declared: Mapping[str, DeclaredNode], used: list[Pipeline], stop: Stop
    ) -> dict[tuple[str, int], Pipeline]:
        keys = _pipeline_keys(plan, declared, declared)
        modules = self._library.load(_requests(keys), stop.check)
        infos = _infos(plan)
        pipelines: dict[tuple[str, int], Pipeline] = {}
        failures: dict[tuple[str, ShaderPart | None], NodeFailure] = {}
        for key in keys:
            stop.check()
            try:
                desc = _describe(key, modules, infos)
                pipelines[key.node.id, key.number] = self._pipeline(desc, used)
                for module in desc.modules:
                    self._warnings.look_at(module, key.node.declaration)
            except (OutOfMemoryError, DeviceLostError):
                raise  # not the node's fault
            except Exception as error:
                declaration, part = key.node.declaration, next(iter(key.request.parts), None)
                failure = failure_of(declaration, key.request.source, error)
                failures[declaration.name, part] = replace(failure, part=part)
        if failures:
            # A node that fails without parts, too, is at fault itself.
            own = [each for each in failures.values() if each.part is None or (each.node, None) not in failures]
            # The engine's own come first: they end the game, so no plugin is blamed for the same cause.
            raise NodesFailedError(sorted(own, key=lambda failure: bool(failure.plugin)))
        return pipelines

    def _pipeline(self, desc: PipelineDesc, used: list[Pipeline]) -> Pipeline:
        """The pipeline, created if it does not exist, and appended to ``used``."""
        known = self._known(desc, used)
        if known is not None:
            return known
        made = self._backend.create_pipeline(desc)
        with self._lock:
            kept = self._pipelines.setdefault(desc, made)
            if kept is not made:
                self._surplus.append(made)
            used.append(kept)
        return kept

    def _known(self, desc: PipelineDesc, used: list[Pipeline]) -> Pipeline | None:
        """The pipeline if it exists, which becomes the most recently used one and is appended to ``used``."""
        with self._lock:
            known = self._pipelines.pop(desc, None)
            if known is not None:
                self._pipelines[desc] = known
                used.append(known)
        return known

    def trim(self, used: Iterable[Pipeline]) -> None:
        """Destroy pipelines that are not ``used``, except the ``KEPT`` most recently used ones."""
        with self._lock:
            in_use = {id(pipeline) for pipeline in (*used, *self._ahead)}
            idle = [desc for desc, pipeline in self._pipelines.items() if id(pipeline) not in in_use]
            given_back = [*self._surplus, *(self._pipelines.pop(desc) for desc in idle[:-KEPT])]
            self._surplus.clear()
        for pipeline in given_back:
            self._backend.destroy(pipeline)

    def destroy(self) -> None:
        """Destroy all pipelines."""
        for pipeline in (*self._pipelines.values(), *self._surplus):
            self._backend.destroy(pipeline)
        self._pipelines.clear()
        self._surplus.clear()
        self._ahead = []


def _pipeline_keys(plan: Plan, declared: Mapping[str, DeclaredNode], nodes: Collection[str]) -> Sequence[_PipelineKey]:
    infos = _infos(plan)
    return [
        _PipelineKey(node, number, request, _shader_requests(node, request, _paths(declared, node), infos))
        for node in plan.graph.nodes
        if node.declaration.name in nodes
        for number, request in enumerate(node.declaration.pipelines)
    ]


def _requests(keys: Sequence[_PipelineKey]) -> Sequence[ShaderRequest]:
    return list(dict.fromkeys(shader for key in keys for shader in key.shaders))


def _infos(plan: Plan) -> Mapping[str, PhysicalInfo | None]:
    return {placed.id: placed.info for placed in plan.placement.resources}


def _paths(declared: Mapping[str, DeclaredNode], node: NodeInstance) -> tuple[Path, ...]:
    return declared[node.declaration.name].source.shader_paths


def _shader_requests(
    node: NodeInstance, request: PipelineRequest, paths: tuple[Path, ...], infos: Mapping[str, PhysicalInfo | None]
) -> tuple[ShaderRequest, ...]:
    macros = [(use.request.presence_macro, use.present) for use in node.uses]
    present = {macro: "1" if there else "0" for macro, there in macros if macro}
    views = {"VIEWS": str(node.views.count)} if node.views is not None else {}
    defines = tuple(sorted({**present, **dict(request.defines), **views}.items()))
    search = tuple(str(path) for path in paths)
    srgb = srgb_targets(node, infos) if request.fullscreen else ()
    return tuple(
        ShaderRequest(
            stage,
            file,
            search,
            defines,
            node.declaration.name,
            # The vertex shader of a full-screen pipeline is one as any other.
            fullscreen=request.fullscreen and stage is not ShaderStage.VERTEX,
            srgb=srgb if stage is not ShaderStage.VERTEX else (),
            parts=request.parts,
        )
        for stage, file in request.shaders
    )


def _describe(
    key: _PipelineKey,
    modules: Modules,
    infos: Mapping[str, PhysicalInfo | None],
) -> PipelineDesc:
    loaded: list[ShaderModule] = []
    for shader in key.shaders:
        module = modules[shader]
        if isinstance(module, ShaderError):
            raise module
        loaded.append(module)
    if key.request.fullscreen:
        check_bindings(key.node.declaration.name, key.request, loaded[-1])
    if key.request.kind == "compute":
        if key.request.fullscreen:
            stored = _color_targets(targets_of(key.node), infos)
            check_outputs(key.node.declaration.name, key.request, stored_outputs(loaded[-1]), len(stored), loaded[-1])
            check_output_numbers(key.node.declaration.name, key.request, loaded[-1], stored)
        return PipelineDesc(key.node.declaration.name, tuple(loaded))
    colors: list[Use] = []
    depth = ""
    samples = 1
    for use in key.node.uses:
        if not use.present:
            continue
        if use.usage is Usage.COLOR:
            colors.append(use)
            samples = _texture_info(infos, use).samples
        elif use.usage in (Usage.DEPTH, Usage.DEPTH_READ):
            info = _texture_info(infos, use)
            depth, samples = info.format, info.samples
    state = dict(key.node.declaration.state) | dict(key.request.state)
    check_attributes(key.node.declaration.name, key.request, state, loaded[0])
    if "vertex" in state:
        state["vertex"] = tuple(attribute for attribute in state["vertex"] if attribute[0] in loaded[0].inputs)
    if not colors and not depth:
        raise ShaderError(
            f'node "{key.node.declaration.name}" draws without an attachment',
            hint="request a texture with .color() or .depth()",
            where=key.request.source,
        )
    if len(loaded) == 2:
        check_passed(key.node.declaration.name, key.request, *loaded)
    targets = _color_targets(colors, infos)
    fragment = [module for module in loaded if module.stage is ShaderStage.FRAGMENT]
    written = [location for module in fragment for location in module.outputs]
    check_outputs(key.node.declaration.name, key.request, written, len(targets), loaded[-1])
    for module in fragment:
        check_output_numbers(key.node.declaration.name, key.request, module, targets)
    return PipelineDesc(
        key.node.declaration.name,
        tuple(loaded),
        tuple(target.format for target in targets),
        depth,
        samples,
        tuple(sorted(state.items())),
        key.node.views.count if key.node.views is not None else 1,
    )


def _target_in_words(request: Request) -> str:
    return f"the color attachment {request.words}" if request.name else request.words


def _color_targets(uses: Sequence[Use], infos: Mapping[str, PhysicalInfo | None]) -> Sequence[ColorTarget]:
    return [ColorTarget(_target_in_words(use.request), _texture_info(infos, use).format) for use in uses]


def _texture_info(infos: Mapping[str, PhysicalInfo | None], use: Use) -> TextureInfo:
    info = infos[use.resources[0]]
    assert isinstance(info, TextureInfo)
    return info
