"""Random graphs with every feature of the compiler whose nodes really run, and whose results are looked at.

They are those of ``feature_graphs``, made fit for a device: small, no contents read that nobody wrote, no format that
cannot do what is asked of it. What is alive at the end of a frame is folded into *digests*, buffers of the application
that go on from frame to frame, so that one look at them in the end compares all frames.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from feature_graphs import FeatureGraph
from node_shaders import Kind, ShaderFolder, Slot, digest_source
from runnable_nodes import Camera, RunnableNode, Sun, mixed
from texture_parts import PARTED, part_nodes

from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.external import ExternalContext
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import EVERY_FRAME, FirstFrame, NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, Extent, ResourceDesc, Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, Usage

MAIN: Extent = (24, 20)
TARGET: Extent = (16, 16)
DIGEST = Buffer(1024)
FORMAT = "rgba8_unorm"
WRITTEN = frozenset({Usage.STORAGE, Usage.STORAGE_WRITE})
BUFFER_USAGES = frozenset(
    {Usage.STORAGE, Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT, Usage.COPY_SRC, Usage.COPY_DST}
)


@dataclass
class RunnableGraph:
    """A graph before it is run; ``fill`` puts it into any number of frame graphs."""

    seed: int
    count: int
    shaders: ShaderFolder
    nodes: dict[str, RunnableNode] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"runnable {self.seed} {self.count}")
        made = FeatureGraph(self.seed, self.count)
        self.snapshot = self._tame(made.snapshot)
        self._whole = multiplex(resolve(self.snapshot), self.snapshot)
        self.externals = {
            item.resource.root: item.resource.desc for item in self._whole.resources if item.resource.external
        }
        uses = {node.declaration.name: node.uses for node in reversed(self._whole.nodes)}
        nodes = [replace(node, requests=self._fitting(node, uses.get(node.name, ()))) for node in self.snapshot.nodes]
        self.snapshot = replace(self.snapshot, nodes=tuple(nodes))
        descs = {item.id: item.resource.desc for item in self._whole.resources}
        for node in self.snapshot.nodes:
            self.nodes[node.name] = RunnableNode(node, uses.get(node.name, ()), descs, self.shaders)
        names = [live.name for live in made.lives if not live.output]
        self.watched = [(name, WHOLE) for name in self.rng.sample(names, min(len(names), 2 + self.count // 4))]
        if "parts/0" in self.nodes:
            self.watched += [(PARTED, Part((mip, 1))) for mip in range(3)]
        self._descs = {name: item.resource.desc for item in self._whole.resources for name in item.resource.names}
        self._shown = next((name for name in names if self._can_be_shown(name)), "")

    @property
    def unknown_at_first(self) -> set[str]:
        """The resources (by root) of which shaders can read a history, but do not do so before it holds something."""
        return {
            name.partition("@")[0]
            for node in self._whole.nodes
            for use in node.uses
            if use.reads_history and use.request.first is not FirstFrame.CLEAR
            for name in use.resources
        }

    # made fit -------------------------------------------------------------------------------------------------------

    def _tame(self, snapshot: GraphSnapshot) -> GraphSnapshot:
        starts = {chain.input for chain in snapshot.chains}
        resolved = resolve(snapshot)
        flat = {item.root for item in resolved.resources if starts.intersection(item.names)}
        nodes = [self._tame_node(node, flat) for node in sorted(snapshot.nodes, key=lambda node: node.name)]
        if self.rng.random() < 0.4:
            nodes += part_nodes(self.rng, len(nodes))
        return replace(snapshot, nodes=tuple(nodes))

    def _tame_node(self, node: NodeDeclaration, flat: set[str]) -> NodeDeclaration:
        requests = tuple(self._tame_request(one, flat) for one in node.requests)
        outside = any(one.verb is Verb.EXTERNAL for one in requests)
        stable = not outside and node.rate == EVERY_FRAME and self.rng.random() < 0.2
        if any(one.usage is None for one in requests):
            stable = False
        rate = EVERY_FRAME if outside else node.rate
        return replace(node, requests=requests, stable=stable, rate=rate)

    def _tame_request(self, one: Request, flat: set[str]) -> Request:
        if one.usage in ATTACHMENTS or one.usage is Usage.VERTEX:
            one = replace(one, optional=False)  # a draw needs targets and vertices
        if one.verb is Verb.HISTORY:
            first = self.rng.choice(list(FirstFrame))
            one = replace(one, first=FirstFrame.CLEAR if one.usage is Usage.VERTEX else first)
        desc = one.desc
        if isinstance(desc, Buffer):
            return replace(one, desc=Buffer(min(desc.size, 4096)))
        if not isinstance(desc, Texture):
            return one
        size = (16, 16) if desc.size == (64, 64) else desc.size
        desc = replace(desc, size=size, format=FORMAT if desc.format == "bgra8_srgb" else desc.format)
        if one.name in flat:
            desc = replace(desc, mips=1, layers=1)
        # Shaders write to the first mip alone, and copies read all of them.
        return replace(one, desc=desc, clear=one.clear or ((0.0, 0.0, 0.0, 0.0) if desc.mips > 1 else None))

    def _fitting(self, node: NodeDeclaration, uses: Sequence[Use]) -> tuple[Request, ...]:
        """Externals are asked for in the way in which they are used: assets are sampled, others written anew.

        What comes from a chain is sampled, since its format is another one when members leave the chain.
        """
        requests = [self._filled_request(one) if one.verb is Verb.EXTERNAL else one for one in node.requests]
        chains = tuple(f"{chain.name}/" for chain in self.snapshot.chains)
        for use in uses:
            chained = any(name.startswith(chains) for name in use.resources)
            gathered = use.request.verb is Verb.GATHER and isinstance(self._desc_of(use), Texture)
            if (chained or gathered) and use.usage is Usage.STORAGE_READ:
                requests[use.number] = replace(requests[use.number], usage=Usage.SAMPLED)
        return (*requests, *_scratch(node, requests))

    def _desc_of(self, use: Use) -> ResourceDesc | None:
        return next((item.resource.desc for item in self._whole.resources if item.id in use.resources), None)

    def _filled_request(self, one: Request) -> Request:
        if isinstance(one.desc, Buffer):
            return replace(one, usage=Usage.STORAGE_READ)
        usages = {
            use.usage
            for node in self._whole.nodes
            for use in node.uses
            if any(name.partition("@")[0] == one.name for name in use.resources)
        }
        asset = usages <= {None, Usage.SAMPLED} and not any(chain.input == one.name for chain in self.snapshot.chains)
        return replace(one, usage=Usage.SAMPLED if asset else Usage.COLOR)

    def _can_be_shown(self, name: str) -> bool:
        desc = self._descs.get(name)
        made = next((item for item in self._whole.resources if name in item.resource.names), None)
        return isinstance(desc, Texture) and desc.layers == 1 and made is not None and not made.index

    # into a frame graph ---------------------------------------------------------------------------------------------

    def fill(self, graph: FrameGraph, world: World) -> None:
        """Add everything to a frame graph."""
        graph.set_dimensions(self.snapshot.dimensions)
        for dimension, count in self.snapshot.counts:
            graph.set_count(dimension, count)
        graph.define_resolution(ResolutionRule("main", MAIN))
        graph.define_resolution(ResolutionRule("half", of="main", scale=0.5))
        for slot, name in self.snapshot.slots:
            graph.set_slot(slot, name)
        for chain in self.snapshot.chains:
            graph.add_chain(chain)
        for sink in self.snapshot.sinks:
            graph.add_sink(sink)
        for name in self.nodes:
            self.add(graph, name)
        for number, (name, part) in enumerate(self.watched):
            self._watch(graph, number, name, part, world)
        if self._shown:
            self._show(graph)
        for name in self.externals:
            graph.set_external(name, world.provider(name))

    def add(self, graph: FrameGraph, name: str) -> None:
        """Add one node, or the same node anew."""
        node = self.nodes[name]
        graph.add_node(name, node.declare, plugin=name.rpartition("/")[0], shader_paths=(self.shaders.folder,))

    def _watch(self, graph: FrameGraph, number: int, name: str, part: Part, world: World) -> None:
        desc = self._descs.get(name)
        if isinstance(desc, Blob):
            graph.add_node(f"watch/{number}", lambda reg: _noted(reg, name, world))
            return
        digest = f"watch/digest{number}"
        self.externals[digest] = DIGEST
        kind = Kind.SAMPLED if isinstance(desc, Texture) else Kind.BUFFER
        slot = Slot("watched", kind, layered=isinstance(desc, Texture) and desc.layers > 1)
        file = self.shaders.file(digest_source(slot), "comp")

        def declare(reg: Registry) -> Any:
            reg.external(digest, DIGEST).storage().bind("digest")
            handle = reg.read(f"/{name}").bind("watched")
            handle._part = part
            handle.sampled(filter="nearest") if kind is Kind.SAMPLED else handle.storage_read()
            reg.side_effects()
            pipeline = reg.compute(file)
            return lambda commands: commands.dispatch(pipeline, (256, 1, 1), seed=commands.frame, held=0)

        graph.add_node(f"watch/{number}", declare, shader_paths=(self.shaders.folder,))

    def _show(self, graph: FrameGraph) -> None:
        """The target, as a window has it."""

        def show(reg: Registry) -> Any:
            reg.external("image", Texture(FORMAT, TARGET)).color()
            reg.read(f"/{self._shown}").sampled(filter="nearest").bind("source")
            pipeline = reg.graphics("copy_color.frag")
            return lambda commands: commands.draw(pipeline)

        graph.add_node("show", show)
        graph.add_node("present", lambda reg: reg.modify("image").shown() and None)
        graph.add_sink("image")


def _scratch(node: NodeDeclaration, requests: Sequence[Request]) -> Iterator[Request]:
    """Somewhere to write to for a node that only reads, because a shader without results does not even do that."""
    usages = {one.usage for one in requests if not one.optional}
    if not usages & (ATTACHMENTS | WRITTEN) and {one.usage for one in requests} & SHADER_USAGES and node.executes:
        yield Request(Verb.CREATE, f"scratch/{node.name}", node.source, usage=Usage.STORAGE_WRITE, desc=Buffer(64))


def _noted(reg: Registry, name: str, world: World) -> Any:
    blob = reg.read(f"/{name}")
    reg.side_effects()

    def execute(commands: Any) -> None:
        value = blob.value
        number = value.number if isinstance(value, Camera | Sun) else None
        world.noted.append((name, tuple(commands.index.items()), commands.frame, number))

    return execute


class World:
    """What the application owns while a graph runs: contents are functions of names alone."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.runtime: Runtime | None = None
        self.noted: list[tuple[Any, ...]] = []
        self._made: dict[tuple[Any, ...], Physical] = {}

    def provider(self, name: str) -> Any:
        """Gives the resource of that name for each index, in the size that the plan has for it."""

        def provide(context: ExternalContext) -> Physical:
            assert self.runtime is not None
            index = tuple(context.index.items())
            placed = next(
                item for item in self.runtime.plan.graph.resources if item.resource.root == name and item.index == index
            )
            info = next(item.info for item in self.runtime.plan.placement.resources if item.id == placed.id)
            usages = info.usages if isinstance(info, TextureInfo) else BUFFER_USAGES
            key = name, index, getattr(info, "extent", None)
            if key not in self._made:
                self._made[key] = self._make(placed.id, replace(info, usages=usages), placed.resource.desc)
            return self._made[key]

        return provide

    def _make(self, name: str, info: TextureInfo | BufferInfo, desc: ResourceDesc) -> Physical:
        rng = np.random.default_rng(mixed(sum(name.encode()), len(name)))
        if isinstance(info, BufferInfo):
            zeros = name.startswith("watch/")
            data = bytes(info.size) if zeros else rng.bytes(info.size)
            return self.backend.create_buffer(info, name, data)
        if info.usages <= {Usage.SAMPLED}:
            pixels = rng.integers(0, 256, (info.extent[1], info.extent[0], 4), np.uint8)
            return self.backend.create_texture(info, name, pixels)
        return self.backend.create_texture(info, name)

    def buffers(self) -> Iterator[tuple[str, bytes]]:
        """The contents of all buffers, by name."""
        for key, physical in sorted(self._made.items(), key=repr):
            if isinstance(physical.info, BufferInfo):
                yield repr(key), self.backend.read_buffer(physical)  # type: ignore[arg-type]

    def close(self) -> None:
        for physical in self._made.values():
            self.backend.destroy(physical)
