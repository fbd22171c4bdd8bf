"""Declarations that only state requests, made into nodes that use what they ask for, in the ways that they say."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from node_shaders import Kind, ShaderFolder, Slot, compute_source, fragment_source, vertex_source

from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import FirstFrame, NodeDeclaration, Request, Verb
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Blob, Buffer, ResourceDesc, Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, Usage

BYTES = VertexLayout(((0, "rgba8_uint", 0),), 4)
DEPTHS = (Usage.DEPTH, Usage.DEPTH_READ)


@dataclass(frozen=True)
class Camera:
    number: int


@dataclass(frozen=True)
class Sun:
    number: int


TYPES = {"Camera": Camera, "Sun": Sun}


def mixed(*numbers: int) -> int:
    """Some numbers made into one of 32 bits."""
    return zlib.crc32(repr(numbers).encode())


@dataclass
class Asked:
    """One request: its declaration, its handle, and what it is for (None where nobody makes it)."""

    request: Request
    handle: RequestBuilder
    desc: ResourceDesc | None
    bit: int = -1

    @property
    def fresh(self) -> bool:
        return self.request.verb in (Verb.CREATE, Verb.EXTERNAL) and self.request.clear is None

    @property
    def readable(self) -> bool:
        """Whether there is something to be read, while the node executes."""
        return self.handle.present and (
            self.request.verb is not Verb.HISTORY or self.request.first is FirstFrame.CLEAR or self.handle.valid
        )


@dataclass
class RunnableNode:
    """``declare`` says what ``declaration`` says and gives a function that does it.

    ``uses`` are those of one instance of the node, ``descs`` what the resources in them are.
    """

    declaration: NodeDeclaration
    uses: Sequence[Use]
    descs: Mapping[str, ResourceDesc]
    shaders: ShaderFolder
    asked: list[Asked] = field(default_factory=list)

    def declare(self, reg: Registry) -> Execute | None:
        """The node's declare function."""
        node = self.declaration
        self.asked = []
        self._ask(reg)
        reg.before(*node.before)
        reg.after(*node.after)
        if node.multiplex is not None:
            reg.multiplex(*node.multiplex)
        if node.side_effects:
            reg.side_effects()
        reg.priority(node.priority)
        reg.queue(*node.queues)
        reg.cost(node.cost)
        reg.state(**dict(node.state))
        if node.rate.when:
            reg.when(node.rate.when)
        elif node.rate.every > 1:
            reg.every(node.rate.every, phase=node.rate.phase)
        if node.stable:
            reg.stable()
        if not node.executes:
            return None
        if any(one.request.usage in ATTACHMENTS for one in self.asked):
            return self._raster(reg)
        return self._plain(reg)

    # requests -------------------------------------------------------------------------------------------------------

    def _ask(self, reg: Registry) -> None:
        found = {use.number: use.resources for use in self.uses}
        handles = iter(())
        for number, one in enumerate(self.declaration.requests):
            handle = next(handles, None) if one.chain else self._handle(reg, one)
            if handle is None:
                both = self._chain(reg)
                handles = iter((both.output,))
                handle = both.input
            if not isinstance(one.desc, Blob):
                handle.bind(f"r{number}")
            names = found.get(number, ())
            desc = self.descs[names[0]] if names else one.desc
            bit = number if one.verb is Verb.HISTORY and one.first is not FirstFrame.CLEAR else -1
            self.asked.append(Asked(one, handle, desc, bit))

    def _chain(self, reg: Registry) -> Any:
        (place,) = self.declaration.chains
        desc = next(one.desc for one in self.declaration.requests if one.chain and one.verb is Verb.CREATE)
        size = {"format": desc.format, "size": desc.size} if isinstance(desc, Texture) else {}
        return reg.chain(place.chain, before=place.before, after=place.after, priority=place.priority, **size)

    def _handle(self, reg: Registry, one: Request) -> RequestBuilder:
        match one.verb:
            case Verb.CREATE | Verb.EXTERNAL:
                assert one.desc is not None
                desc = TYPES[one.desc.type_name] if isinstance(one.desc, Blob) else one.desc
                handle = (reg.create if one.verb is Verb.CREATE else reg.external)(one.name, desc)
                if one.clear is not None:
                    handle._set_clear(one.clear)
            case Verb.RENAME:
                handle = reg.rename(one.name, one.to)
            case _:
                handle = getattr(reg, one.verb.value)(one.name)
        if one.optional:
            handle.optional()
        if one.verb is Verb.HISTORY:
            handle.first(one.first)
        if one.part != WHOLE:
            handle._part = one.part
        if one.usage is not None:
            stage = {"stage": one.stages} if one.stages and one.usage in SHADER_USAGES else {}
            how = {"filter": "nearest"} if one.usage is Usage.SAMPLED else {}
            getattr(handle, "shown" if one.usage is Usage.PRESENT else one.usage.value)(**how, **stage)
        return handle

    def _slots(self) -> list[Slot]:
        slots = [_slot(one, number) for number, one in enumerate(self.asked)]
        return [slot for slot in slots if slot is not None]

    # what it does ---------------------------------------------------------------------------------------------------

    def _raster(self, reg: Registry) -> Execute:
        """Draws over all that is fresh, then over some of everything, then with indices."""
        colors = [one for one in self.asked if one.request.usage is Usage.COLOR]
        depth = next((one for one in self.asked if one.request.usage in DEPTHS), None)
        vertices = next((one.handle for one in self.asked if _is(one, Usage.VERTEX)), None)
        indices = next((one for one in self.asked if _is(one, Usage.INDEX)), None)
        file = self.shaders.file(
            fragment_source(self._slots(), len(colors), depth is not None, vertices is not None), "frag"
        )
        vertex = {} if vertices is None else {"vertex": self.shaders.file(vertex_source(), "vert")}
        if vertices is not None:
            vertex["vertex_layout"] = BYTES
        writes_depth = depth is not None and depth.request.usage is Usage.DEPTH
        fresh_depth = writes_depth and depth.fresh
        base = None
        if fresh_depth or any(one.fresh for one in colors):
            test = {"depth_test": "always", "depth_write": True} if fresh_depth else {}
            base = reg.graphics(file, defines={"PARTIAL": 0, "STORE": 0}, blend="none", **vertex, **test)
        test = {"depth_test": "greater" if writes_depth else "greater_equal", "depth_write": writes_depth}
        if depth is None:
            test = {}
        some = reg.graphics(file, defines={"PARTIAL": 1, "STORE": 1}, **vertex, **test)
        more = None
        if indices is not None and vertices is None:
            more = reg.graphics(file, defines={"PARTIAL": 1, "STORE": 0}, **test)

        def execute(commands: Commands) -> None:
            push = self._push(commands)
            if vertices is not None:
                commands.vertices(vertices.buffer)
            if base is not None:
                commands.draw(base, **push)
            commands.draw(some, **push | {"seed": push["seed"] ^ 0x5BD1E995})
            if more is not None and indices is not None and indices.readable:
                commands.bind(more, **push | {"seed": push["seed"] ^ 0x2545F491})
                commands.indices(indices.handle.buffer)
                commands.draw_indexed(3)

        return execute

    def _plain(self, reg: Registry) -> Execute:
        """Dispatches, copies, and values of the CPU."""
        slots = self._slots()
        written = [one.handle for number, one in enumerate(self.asked) if _writes(slots, number)]
        pipeline = reg.compute(self.shaders.file(compute_source(slots), "comp")) if written else None

        def execute(commands: Commands) -> None:
            push = self._push(commands)
            self._make_values(push["seed"], commands.frame)
            self._copy(commands)
            if pipeline is not None and any(handle.present for handle in written):
                commands.dispatch(pipeline, self._extent(written), **push)

        return execute

    def _extent(self, written: Sequence[RequestBuilder]) -> tuple[int, int]:
        extents = [handle.extent for handle in written if handle.present and hasattr(handle.all[0].info, "extent")]
        return (
            max((width for width, _ in extents), default=16),
            max((height for _, height in extents), default=16),
        )

    def _push(self, commands: Commands) -> dict[str, int]:
        """A number that says which node instance runs when, with what values of the CPU, and which histories hold."""
        numbers = [number for _, number in sorted(commands.index.items())]
        if not self.declaration.stable:
            numbers.append(commands.frame)
        for one in self.asked:
            if one.request.usage is None and one.request.verb in (Verb.READ, Verb.HISTORY, Verb.GATHER):
                cells = one.handle.values if one.readable else []
                numbers += [cell.number for cell in cells if isinstance(cell, Camera | Sun)]
        held = sum(1 << one.bit for one in self.asked if one.bit >= 0 and one.readable)
        return {"seed": mixed(zlib.crc32(self.declaration.name.encode()), *numbers), "held": held}

    def _make_values(self, seed: int, frame: int) -> None:
        for one in self.asked:
            if isinstance(one.request.desc, Blob) and one.request.verb is Verb.CREATE:
                inputs = seed if self.declaration.rate.when else frame // 3
                one.handle.value = TYPES[one.request.desc.type_name](mixed(inputs) & 0xFFFF)
            elif one.request.verb in (Verb.MODIFY, Verb.RENAME) and isinstance(one.desc, Blob) and one.handle.present:
                value = one.handle.value
                if value is not None:
                    one.handle.value = type(value)(mixed(value.number, 17) & 0xFFFF)

    def _copy(self, commands: Commands) -> None:
        """Copies what it can copy to where it copies, clears the rest of that."""
        sources = [one for one in self.asked if _is(one, Usage.COPY_SRC) and one.readable]
        for one in self.asked:
            if not _is(one, Usage.COPY_DST) or not one.handle.present:
                continue
            alike = [source for source in sources if _alike(source.handle, one.handle)]
            if isinstance(one.desc, Buffer):
                if alike:
                    commands.recorder.copy_buffer(alike[0].handle.buffer, one.handle.buffer)
                else:
                    commands.recorder.fill_buffer(one.handle.buffer)
            elif alike:
                layouts = alike[0].handle.layout, one.handle.layout
                commands.recorder.copy_texture(alike[0].handle.texture, one.handle.texture, layouts=layouts)
            else:
                commands.recorder.clear_texture(one.handle.texture, one.handle.layout, (0.2, 0.4, 0.6, 0.8))


def _is(one: Asked, usage: Usage) -> bool:
    return one.request.usage is usage and one.request.verb is not Verb.GATHER


def _alike(source: RequestBuilder, target: RequestBuilder) -> bool:
    shapes = []
    for physical in (source.all[0], target.all[0]):
        info = physical.info
        shapes.append(info.size if hasattr(info, "size") else (info.format, info.extent, info.mips, info.layers))
    return shapes[0] == shapes[1]


def _writes(slots: Sequence[Slot], number: int) -> bool:
    return any(slot.writes and slot.name == f"r{number}" for slot in slots)


def _slot(one: Asked, number: int) -> Slot | None:
    """How the node's shaders see the resource; None if they do not."""
    request, desc = one.request, one.desc
    if request.usage not in SHADER_USAGES or isinstance(desc, Blob):
        return None
    gathered = request.verb is Verb.GATHER
    if gathered and request.usage is not Usage.SAMPLED:
        return None  # arrays are for textures
    if request.usage is Usage.UNIFORM:
        kind = Kind.UNIFORM
    elif request.usage is Usage.SAMPLED:
        kind = Kind.SAMPLED
    else:
        kind = Kind.BUFFER if isinstance(desc, Buffer) else Kind.IMAGE
    if desc is None and not request.optional:
        return None  # the node is broken and never runs
    writes = request.usage in (Usage.STORAGE, Usage.STORAGE_WRITE)
    return Slot(
        f"r{number}",
        kind,
        desc.format if isinstance(desc, Texture) else "rgba8_unorm",
        isinstance(desc, Texture) and _layers(desc, request) > 1,
        gathered,
        request.usage is not Usage.STORAGE_WRITE and not (writes and one.fresh),
        writes,
        one.fresh,
        request.optional,
        one.bit,
    )


def _layers(desc: Texture, request: Request) -> int:
    return desc.layers if request.part.layers is None else request.part.layers[1]
