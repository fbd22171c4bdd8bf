"""Binds shader declarations to the requests of their node, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from renderwright.render.backend.protocol import Backend, Binding, BindingSet, BufferBinding, Pipeline, TextureBinding
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import GraphError, ShaderError
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import Request, Verb
from renderwright.render.graph.uniform_source import UniformSource
from renderwright.render.runtime.fullscreen import covered_extent
from renderwright.render.runtime.lowering.uniforms import BlockSource, NoValues, UniformMemory, UniformWriter
from renderwright.render.runtime.lowering.view_blocks import OF_VIEW, source_of_views, value_of, views_in
from renderwright.render.runtime.memory.constant_textures import ConstantTextures
from renderwright.render.runtime.shader_checks.number_checks import check_constant, check_numbers
from renderwright.render.runtime.shader_checks.usage_checks import check_stores, check_usage
from renderwright.render.shaders.declared import Declarations
from renderwright.render.shaders.dimensions import Dimension, misfit
from renderwright.render.shaders.image_formats import fits, repair
from renderwright.render.shaders.interface import merge_bindings, merge_push
from renderwright.render.shaders.module import BindingKind, ShaderBinding, ShaderModule
from renderwright.render.shaders.push import push_packer
from renderwright.render.suggest import did_you_mean, nearest
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part, clipped, has_any
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, ResourceDesc, Texture
from renderwright.render.types.usages import SHADER_USAGES, in_pipeline_order

_READS: Mapping[tuple[type, BindingKind], str] = {
    (Texture, BindingKind.SAMPLED): "sampled",
    (Texture, BindingKind.STORAGE_TEXTURE): "storage_read",
    (Buffer, BindingKind.UNIFORM_BUFFER): "uniform",
    (Buffer, BindingKind.STORAGE_BUFFER): "storage_read",
}
"""The usage of a request whose resource a shader reads, by the kinds of both."""
_USING = frozenset({Verb.READ, Verb.MODIFY, Verb.HISTORY, Verb.GATHER})
"""What a node does to contents. A renamed or external resource may be for other nodes to use."""


@dataclass(frozen=True)
class NodeBindings:
    """A node instance's pipelines, bound for one slot, and the writers of their uniform blocks."""

    pipelines: tuple[BoundPipeline, ...]
    writers: tuple[UniformWriter, ...]
    sets: tuple[BindingSet, ...]


def has_its_mips(node: NodeInstance, bound: Mapping[int, BoundResource]) -> bool:
    """Whether textures have the mips that the node requests; a small texture has fewer than declared."""
    return all(
        has_any(use.request.part, physical.info.mips)
        for use in node.uses
        if use.request.part.mips is not None
        for physical in bound[use.number].physicals
        if isinstance(physical.info, TextureInfo)
    )


def bind_node(
    node: NodeInstance,
    pipelines: tuple[Pipeline, ...],
    bound: Mapping[int, BoundResource],
    declared: Mapping[str, DeclaredNode],
    slot: int,
    memory: UniformMemory,
    constants: ConstantTextures,
    backend: Backend,
) -> NodeBindings:
    """Bindings of all pipelines of a node instance. ``bound`` maps request numbers to bound resources,
    ``declared`` has the nodes that the plan executes, by name.

    Raises ``ShaderError`` for a request that does not fit the shaders, and ``GraphError`` for one without a usage.
    """
    _require_usages(node, bound)
    binder = _Binder(node, bound, declared, slot, memory, constants)
    ready: list[BoundPipeline] = []
    sets: list[BindingSet] = []
    try:
        for pipeline, request in zip(pipelines, node.declaration.pipelines, strict=True):
            modules = pipeline.desc.modules
            own = [binding for binding in merge_bindings(modules) if binding.set == 0]
            bindings = None
            if own:
                entries = {binding.name: binder.bind(binding, modules) for binding in own}
                bindings = backend.create_bindings(pipeline, 0, entries, node.id)
                sets.append(bindings)
            push = push_packer(merge_push(modules)[0], f"push constants of node {pipeline.desc.name}")
            covers = covered_extent(node, bound) if request.fullscreen else None
            ready.append(BoundPipeline(request.source, pipeline, bindings, push, modules[-1].local_size, covers))
    except BaseException:
        for bindings in sets:
            backend.destroy(bindings)
        raise
    return NodeBindings(tuple(ready), tuple(binder.writers), tuple(sets))


def _require_usages(node: NodeInstance, bound: Mapping[int, BoundResource]) -> None:
    """Raise ``GraphError`` for a texture or buffer that the node can use in no way."""
    for use in node.uses:
        request = use.request
        if use.usage is None and request.verb in _USING and bound[use.number].physicals:
            what = bound[use.number].physicals[0].info
            raise GraphError(
                f'node "{node.declaration.name}" requests {request.words}, a '
                f"{'texture' if isinstance(what, TextureInfo) else 'buffer'}, without a usage",
                hint="say how it uses it, such as .sampled() or .storage_read(), or leave the request out",
                where=request.source,
            )


def _ambiguous(what: str, node: NodeInstance, first: Request, other: Request) -> ShaderError:
    """Two requests have one name in shaders; a history has that of its resource unless it is given another one."""
    history = next((request for request in (other, first) if request.verb is Verb.HISTORY), None)
    hint = "give one of the requests another name with .bind()"
    return ShaderError(
        f'{what} is ambiguous: node "{node.declaration.name}" binds both {first.words} and {other.words} by that name',
        hint=hint if history is None else 'give the history another name in shaders, such as .bind("then")',
        where=(history or other).source,
    )


@dataclass(frozen=True)
class _BlockOfNode:
    """The name of a block in messages, with its lines."""

    places: Declarations
    node: str

    def __str__(self) -> str:
        return f'{self.places}: block "{self.places.name}" of node "{self.node}"'


class _Binder:
    def __init__(
        self,
        node: NodeInstance,
        bound: Mapping[int, BoundResource],
        declared: Mapping[str, DeclaredNode],
        slot: int,
        memory: UniformMemory,
        constants: ConstantTextures,
    ) -> None:
        self.writers: list[UniformWriter] = []
        self._node = node
        self._bound = bound
        self._declared = declared
        self._uses: dict[str, Use] = {}
        self._ambiguous: dict[str, Use] = {}
        for use in node.uses:
            # Shaders do not declare attachments, vertex buffers and the like by name.
            if use.request.binding and (use.usage is None or use.usage in SHADER_USAGES):
                if use.request.binding in self._uses:
                    self._ambiguous[use.request.binding] = use
                self._uses.setdefault(use.request.binding, use)
        self._uniforms = {source.name: source for source in declared[node.declaration.name].uniforms}
        self._slot = slot
        self._memory = memory
        self._constants = constants
        self._blocks: dict[ShaderBinding, BufferBinding] = {}

    def bind(self, binding: ShaderBinding, modules: tuple[ShaderModule, ...]) -> Binding:
        places = Declarations.of(binding.name, modules)
        if binding.name in self._uniforms and binding.kind is BindingKind.UNIFORM_BUFFER:
            return self._block(binding, places, _source(self._uniforms[binding.name]))
        use = self._uses.get(binding.name)
        if use is None:
            raise ShaderError(
                f'{places}: "{binding.name}" is bound to nothing: node "{self._node.declaration.name}" '
                "requests no such resource",
                hint=self._way_to_bind(binding),
                where=self._node.declaration.source,
            )
        if binding.name in self._ambiguous:
            other = self._ambiguous[binding.name].request
            raise _ambiguous(f'{places}: "{binding.name}"', self._node, use.request, other)
        bound = self._bound[use.number]
        if bound.cells:
            if binding.kind is not BindingKind.UNIFORM_BUFFER:
                raise self._mismatch(binding, places, use, "a CPU value, which only a uniform block can take")
            return self._block(binding, places, self._values(binding, places, use, bound))
        if not bound.physicals and use.request.otherwise is not None and binding.kind is BindingKind.SAMPLED:
            constant = self._constants.texture(use.request.otherwise)
            check_constant(binding, places, self._node.declaration.name, use.request, constant.info.format)
            return TextureBinding(constant, Layout.SHADER_READ_ONLY, use.request.sampling)
        if not bound.physicals and use.request.otherwise is not None and binding.kind is BindingKind.UNIFORM_BUFFER:
            source = BlockSource(lambda: use.request.otherwise, (), use.request.source)
            return self._block(binding, places, source)
        if not bound.physicals:
            raise self._mismatch(
                binding, places, use, f"optional and absent; put the declaration in #if HAS_{binding.name.upper()}"
            )
        check_usage(binding, places, self._node.declaration.name, use.request)
        check_stores(binding, places, self._node.declaration.name, use.request, modules)
        self._require_stage(places, use)
        if binding.count > 1:
            return tuple(self._texture(binding, places, use, number) for number in range(len(bound.physicals)))
        if binding.kind in (BindingKind.SAMPLED, BindingKind.STORAGE_TEXTURE):
            return self._texture(binding, places, use, 0)
        return self._buffer(binding, places, use, bound.physicals[0])

    def _require_stage(self, places: Declarations, use: Use) -> None:
        """Raise ``ShaderError`` if a shader of another stage than requested uses a resource: barriers are for that."""
        users = in_pipeline_order(shader.stage for shader in places.shaders)
        other = next((stage for stage in users if stage not in use.stages), None)
        if other is not None:
            words = ", ".join(f'"{stage}"' for stage in users)
            requested = f"{' and '.join(use.stages)} shader{'s' if len(use.stages) > 1 else ''}"
            raise ShaderError(
                f'{places}: the {other} shader of node "{self._node.declaration.name}" uses "{places.name}", which '
                f"is requested for the {requested}",
                hint=f"give the usage of the request stage={words if len(users) == 1 else f'({words})'}",
                where=use.request.source,
            )

    def _way_to_bind(self, binding: ShaderBinding) -> str:
        """The request of a resource of the frame that has the binding's name, or what else may be meant."""
        requests = [request for node in self._declared.values() for request in node.declaration.requests]
        created = next((request.desc for request in requests if request.creates == binding.name), None)
        request = _request_of(created, binding)
        if request:
            return f"request it by {request} in the declare function, or rename it in the shader"
        block = binding.kind is BindingKind.UNIFORM_BUFFER
        way = f'request it, or fill it by reg.uniform("{binding.name}", values),' if block else "request it"
        return f"{way} in the declare function, or rename it in the shader; {self._meant(binding)}"

    def _meant(self, binding: ShaderBinding) -> str:
        """What a shader may mean by a name that nothing has: perhaps a history, which has that of its resource."""
        name, block = binding.name, binding.kind is BindingKind.UNIFORM_BUFFER
        pasts = [past for past, use in self._uses.items() if use.reads_history and (use.usage is None) is block]
        near = nearest(name, {*self._uses, *self._uniforms})
        if pasts and (not near or near in pasts):
            past = near or pasts[0]
            return f'the history of "{self._uses[past].request.name}" is "{past}" there, .bind("{name}") renames it'
        return did_you_mean(name, {*self._uses, *self._uniforms})

    def _values(self, binding: ShaderBinding, places: Declarations, use: Use, bound: BoundResource) -> BlockSource:
        """The source of a block that a blob fills."""
        views = views_in(binding)
        if bound.of_each and views != len(bound.cells):
            raise ShaderError(
                f'{places}: "{binding.name}" has {views or "one"} element(s) of {use.request.words}, but node '
                f'"{self._node.declaration.name}" renders {len(bound.cells)} views at once',
                hint=f"give the block one member, an array of structs {OF_VIEW}[VIEWS], or drop reg.multiview",
                where=use.request.source,
            )
        # Asked for only when a message needs it: it looks at all nodes.
        unset = partial(_unset, use, self._node.declaration.name, self._declared)
        if views:
            source = source_of_views(bound.cells, views, past=use.reads_history)
            return replace(source, requested=use.request.source, if_none=unset)
        cell = bound.cells[0]
        supplier = partial(value_of, cell, past=use.reads_history)
        return BlockSource(supplier, (cell,), use.request.source, unset, past=use.reads_history)

    def _block(self, binding: ShaderBinding, places: Declarations, source: BlockSource) -> BufferBinding:
        if binding not in self._blocks:
            what = _BlockOfNode(places, self._node.declaration.name)
            self._blocks[binding], writer = self._memory.block(self._node.id, binding, what, self._slot, source)
            self.writers.append(writer)
        return self._blocks[binding]

    def _texture(self, binding: ShaderBinding, places: Declarations, use: Use, number: int) -> TextureBinding:
        physical = self._bound[use.number].physicals[number]
        if not isinstance(physical.info, TextureInfo):
            raise self._mismatch(binding, places, use, "a buffer")
        part = Part(clipped(use.request.part.mips, physical.info.mips), use.request.part.layers)
        if reason := misfit(physical.info, part, binding.dimension):
            raise ShaderError(
                f'{places}: "{binding.name}" is a {binding.dimension} in the shader, which does not fit '
                f"{use.request.words}: {reason}",
                hint=self._way_to_fit(binding, use),
                where=use.request.source,
            )
        check_numbers(binding, places, self._node.declaration.name, use.request, physical.info.format)
        if not fits(binding.format, physical.info.format):
            raise ShaderError(
                f'{places}: "{binding.name}" of node "{self._node.declaration.name}" is an image of format '
                f"{binding.format} in the shader, but {use.request.words} is a texture of format "
                f"{physical.info.format}",
                hint=repair(binding.format, physical.info.format),
                where=use.request.source,
            )
        return TextureBinding(physical, self._bound[use.number].layouts[number], use.request.sampling, part)

    def _way_to_fit(self, binding: ShaderBinding, use: Use) -> str:
        """What to do about a texture that has no view of the dimension in the shader."""
        if self._node.views is not None and binding.dimension is Dimension.D2 and use.request.part.layers is None:
            return (
                f"the node draws {self._node.views.count} views at once: include views.glsl, declare a sampler2DView "
                f"and read texture_of_view({binding.name}, uv)"
            )
        return f'change the shader, or the request in node "{self._node.declaration.name}"'

    def _buffer(self, binding: ShaderBinding, places: Declarations, use: Use, physical: Physical) -> BufferBinding:
        if not isinstance(physical.info, BufferInfo):
            raise self._mismatch(binding, places, use, "a texture")
        if physical.info.size < binding.size:
            raise ShaderError(
                f"{_BlockOfNode(places, self._node.declaration.name)} needs {binding.size} bytes, but "
                f"{use.request.words} is a buffer of {physical.info.size} bytes",
                hint=f"make the buffer at least {binding.size} bytes large, or the block smaller",
                where=use.request.source,
            )
        return BufferBinding(physical)

    def _mismatch(self, binding: ShaderBinding, places: Declarations, use: Use, what: str) -> ShaderError:
        return ShaderError(
            f'{places}: "{binding.name}" is {binding.kind.value} in the shader, but the request is {what}',
            hint=f'change the shader, or the request in node "{self._node.declaration.name}"',
            where=use.request.source,
        )


def _request_of(desc: ResourceDesc | None, binding: ShaderBinding) -> str:
    """The request for which a resource can take a binding that only reads it; '' if there is none."""
    if isinstance(desc, Blob):
        by = getattr(desc.type, "requested_by", "") or f'reg.read("{binding.name}", {desc.type_name})'
        return by if binding.kind is BindingKind.UNIFORM_BUFFER else ""
    usage = _READS.get((type(desc), binding.kind))
    return f'reg.read("{binding.name}").{usage}()' if usage and not binding.writes else ""


def _unset(use: Use, reader: str, declared: Mapping[str, DeclaredNode]) -> NoValues:
    """What is told of a blob that nobody has set, and that node ``reader`` uses."""
    made = [(name, request) for name, node in declared.items() for request in node.declaration.requests]
    name, request = next(
        ((name, request) for name, request in made if request.creates.removeprefix("/") == use.name),
        (reader, use.request),
    )
    if request.verb is Verb.EXTERNAL:
        return NoValues(
            f'the blob "{use.name}" has no value: its provider in node "{name}" returns None',
            f'return a value from the provider of reg.external("{use.name}", ...)',
        )
    verb = "rename" if request.verb is Verb.RENAME else "create"
    return NoValues(
        f'the blob "{use.name}" has no value: node "{name}" {verb}s it and did not set it',
        f'set .value of the handle of reg.{verb}("{request.name}", ...) in the execute function of node "{name}"',
    )


def _source(uniforms: UniformSource) -> BlockSource:
    blobs = () if uniforms.constant else None
    return BlockSource(uniforms.supplier, blobs, uniforms.source, partial(_returns_none, uniforms.name))


def _returns_none(block: str) -> NoValues:
    return NoValues(
        f'the function of reg.uniform("{block}", ...) returns None',
        "return an object or a dict with a value for each member",
    )
