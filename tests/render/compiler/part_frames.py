"""Random ordered frames whose nodes use parts of textures. No texel is read that was never written or cleared."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from ordered_frames import Frame, Touch

from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage, Usage

CLEAR = (0.0, 0.0, 0.0, 1.0)

Texel = tuple[int, int]
"""(mip, layer)."""


@dataclass
class PartTexture:
    """A texture of the frame; ``defined`` are the parts that have contents by now."""

    name: str
    mips: int
    layers: int
    clear: bool
    defined: set[Texel] = field(default_factory=set)

    def texels(self, part: Part) -> set[Texel]:
        """The mips and layers of a part."""
        mip, mips = part.mips or (0, self.mips)
        layer, layers = part.layers or (0, self.layers)
        return {(m, n) for m in range(mip, mip + mips) for n in range(layer, layer + layers)}

    def readable(self, part: Part) -> bool:
        return self.clear or self.texels(part) <= self.defined


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.textures = [
            PartTexture(f"t{number}", rng.randint(1, 4), rng.choice([1, 1, 2, 3, 6]), rng.random() < 0.3)
            for number in range(rng.randint(1, 3))
        ]

    def part(self, texture: PartTexture, *, one_mip: bool = False) -> Part:
        rng = self.rng
        mip = rng.randrange(texture.mips)
        mips = (mip, 1 if one_mip else rng.randint(1, texture.mips - mip))
        layer = rng.randrange(texture.layers)
        layers = (layer, rng.choice([1, rng.randint(1, texture.layers - layer)]))
        return Part(
            mips if one_mip or rng.random() < 0.7 else None,
            layers if rng.random() < 0.7 else None,
        )

    def touch(self, texture: PartTexture, stage: ShaderStage, taken: list[Part]) -> Touch | None:
        """One more use of the texture, of a part that the node does not use yet."""
        usage = self.rng.choice([Usage.SAMPLED, Usage.SAMPLED, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.STORAGE])
        part = self.part(texture, one_mip=usage is not Usage.SAMPLED)
        if any(part.meets(other) for other in taken):
            return None
        if usage is not Usage.STORAGE_WRITE and not texture.readable(part):
            return None
        taken.append(part)
        return Touch(texture.name, usage, stage, part=part)

    def color(self, texture: PartTexture, taken: list[Part]) -> Touch | None:
        part = self.part(texture, one_mip=True)
        old = texture.texels(part) & texture.defined
        if any(part.meets(other) for other in taken) or (old and not texture.readable(part)):
            return None
        taken.append(part)
        return Touch(texture.name, Usage.COLOR, part=part)

    def node(self) -> list[Touch]:
        rng = self.rng
        raster = rng.random() < 0.5
        touches: list[Touch] = []
        taken: dict[str, list[Part]] = {texture.name: [] for texture in self.textures}
        if raster:
            target = rng.choice(self.textures)
            for _ in range(rng.choice([1, 1, 2])):
                found = self.color(target, taken[target.name])
                if found is not None and (not touches or found.part.mips == touches[0].part.mips):
                    touches.append(found)
            if not touches:
                return []
        stage = ShaderStage.FRAGMENT if raster else ShaderStage.COMPUTE
        for texture in self.textures:
            for _ in range(rng.choice([0, 1, 1, 2])):
                found = self.touch(texture, stage, taken[texture.name])
                if found is not None:
                    touches.append(found)
        for texture in self.textures:
            for touch in touches:
                if touch.name == texture.name and touch.usage is not Usage.SAMPLED:
                    texture.defined |= texture.texels(touch.part) if touch.usage is not Usage.STORAGE_READ else set()
        return touches

    def histories(self) -> list[Touch]:
        rng = self.rng
        touches = []
        for texture in self.textures:
            usage = rng.choice([Usage.SAMPLED, Usage.STORAGE_READ])
            part = self.part(texture, one_mip=usage is not Usage.SAMPLED)
            if rng.random() < 0.3 and texture.readable(part):
                touches.append(Touch(texture.name, usage, ShaderStage.COMPUTE, history=True, part=part))
        return touches


def random_part_frame(seed: int, most: int = 10, *, lasting: bool = True) -> Frame:
    """A frame of at most so many nodes; ``lasting`` says that some textures have a history or are wanted outside."""
    rng = random.Random(seed)
    maker = _Maker(rng)
    nodes = [touches for _ in range(rng.randint(1, most)) if (touches := maker.node())]
    used = {touch.name for touches in nodes for touch in touches}
    past = [touch for touch in maker.histories() if touch.name in used] if lasting else []
    frame = Frame()
    for texture in maker.textures:
        if texture.name in used:
            clear = CLEAR if texture.clear else None
            frame.texture(texture.name, (64, 64), clear=clear, mips=texture.mips, layers=texture.layers)
            if lasting and rng.random() < 0.2:
                frame.sink(texture.name)
    at = rng.randint(0, len(nodes))
    if past:
        nodes.insert(at, past)
    for number, touches in enumerate(nodes):
        frame.node(f"n{number}", *touches)
    return frame


def random_part_graph(seed: int) -> GraphSnapshot:
    """The nodes of such frames side by side, as declarations; without attachments they may leave the graphics queue."""
    rng = random.Random(seed)
    nodes: list[NodeDeclaration] = []
    sinks: list[str] = []
    for number in range(rng.randint(1, 3)):
        frame = random_part_frame(rng.randrange(10**6), 6).graph()
        descs = {item.id: item.resource for item in frame.resources}
        made: set[str] = set()
        for each in frame.nodes:
            requests = []
            for use in each.uses:
                (name,) = use.resources
                verb = Verb.HISTORY if use.reads_history else Verb.MODIFY if name in made else Verb.CREATE
                asked = replace(use.request, verb=verb, name=f"{number}.{name}", stages=use.stages)
                if verb is Verb.CREATE:
                    made.add(name)
                    asked = replace(asked, desc=descs[name].desc, clear=descs[name].clear)
                requests.append(asked)
            free = all(use.usage is not Usage.COLOR for use in each.uses)
            nodes.append(
                NodeDeclaration(
                    f"{number}.{each.id}",
                    "",
                    each.declaration.source,
                    len(nodes),
                    tuple(requests),
                    side_effects=True,
                    queues=("compute", "graphics") if free and rng.random() < 0.8 else ("graphics",),
                    cost=float(rng.choice([1, 10, 50])),
                )
            )
        sinks += [f"{number}.{name}" for name in frame.sinks if name in made]
    return GraphSnapshot(nodes=tuple(nodes), sinks=tuple(sinks))
