"""Random ordered frames that are legal: every resource is written before it is read."""

from __future__ import annotations

import random

from ordered_frames import Frame, Touch

from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import ShaderStage, Usage

SIZES: list[Extent] = [(64, 64), (128, 256), (256, 256), (512, 512)]
CLEAR = (0.0, 0.0, 0.0, 1.0)
BUFFER_READS = [Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT, Usage.STORAGE_READ]
STORAGES = [Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE]


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.frame = Frame()
        self.colors: dict[str, Extent] = {}
        self.depths: dict[str, Extent] = {}
        self.buffers: list[str] = []
        self.nodes: list[tuple[str, list[Touch]]] = []
        self.attached: list[Touch] = []

    def color(self, size: Extent) -> str:
        name = f"c{len(self.colors)}"
        self.frame.texture(name, size, clear=self.rng.choice([None, CLEAR]))
        self.colors[name] = size
        return name

    def depth(self, size: Extent) -> str:
        name = f"d{len(self.depths)}"
        self.frame.texture(name, size, "d32_sfloat", clear=self.rng.choice([None, CLEAR]))
        self.depths[name] = size
        return name

    def buffer(self) -> str:
        name = f"b{len(self.buffers)}"
        self.frame.buffer(name, self.rng.choice([256, 4096, 1 << 20]))
        self.buffers.append(name)
        return name

    def reads(self, taken: set[str], *, raster: bool) -> list[Touch]:
        """Shader uses of what exists already, some of which write."""
        rng = self.rng
        stages = [ShaderStage.FRAGMENT, ShaderStage.VERTEX] if raster else [ShaderStage.COMPUTE]
        touches = []
        for name in [*self.colors, *self.depths, *self.buffers]:
            if name in taken or rng.random() > 0.3:
                continue
            taken.add(name)
            if name in self.buffers:
                usages = [Usage.UNIFORM, *STORAGES] if not raster else [*BUFFER_READS, *STORAGES]
            else:
                usages = [Usage.SAMPLED] if name in self.depths else [Usage.SAMPLED, Usage.SAMPLED, *STORAGES]
            touches.append(Touch(name, rng.choice(usages), rng.choice(stages)))
        return touches

    def raster(self) -> list[Touch]:
        rng = self.rng
        touches = list(self.attached) if self.attached and rng.random() < 0.4 else self.targets()
        self.attached = touches
        taken = {touch.name for touch in touches}
        extra = [
            Touch(touch.name, Usage.SAMPLED)
            for touch in touches
            if touch.usage is Usage.DEPTH_READ and rng.random() < 0.3
        ]
        return [*touches, *extra, *self.reads(taken, raster=True)]

    def targets(self) -> list[Touch]:
        rng = self.rng
        size = rng.choice(SIZES)
        touches = []
        old = [name for name, extent in self.colors.items() if extent == size]
        for _ in range(rng.choice([1, 1, 2])):
            name = old.pop() if old and rng.random() < 0.5 else self.color(size)
            touches.append(Touch(name, Usage.COLOR))
        shade = rng.random()
        depths = [name for name, extent in self.depths.items() if extent == size]
        if shade < 0.3:
            touches.append(Touch(self.depth(size), Usage.DEPTH))
        elif depths and shade < 0.7:
            touches.append(Touch(rng.choice(depths), rng.choice([Usage.DEPTH, Usage.DEPTH_READ])))
        return touches

    def compute(self) -> list[Touch]:
        rng = self.rng
        touches = self.reads(set(), raster=False)
        for _ in range(rng.choice([0, 1, 1, 2])):
            name = self.buffer() if rng.random() < 0.5 else self.color(rng.choice(SIZES))
            touches.append(Touch(name, rng.choice([Usage.STORAGE_WRITE, Usage.STORAGE]), ShaderStage.COMPUTE))
        return touches

    def copy(self) -> list[Touch]:
        rng = self.rng
        sources = [*self.colors, *self.buffers]
        if not sources:
            return self.compute()
        source = rng.choice(sources)
        target = self.buffer() if source in self.buffers else self.color(self.colors[source])
        return [Touch(source, Usage.COPY_SRC), Touch(target, Usage.COPY_DST)]

    def histories(self) -> None:
        rng = self.rng
        for name in [*self.colors, *self.depths, *self.buffers]:
            if rng.random() > 0.25:
                continue
            usage = Usage.STORAGE_READ if name in self.buffers else Usage.SAMPLED
            for _ in range(rng.choice([1, 1, 2])):
                node = rng.choice(self.nodes)[1]
                if not any(touch.history and touch.name == name for touch in node):
                    raster = any(touch.usage is Usage.COLOR for touch in node)
                    stage = ShaderStage.FRAGMENT if raster else ShaderStage.COMPUTE
                    node.append(Touch(name, usage, stage, history=True))


def random_frame(seed: int) -> Frame:
    """A frame of a few nodes that uses most features at one time or another."""
    rng = random.Random(seed)
    maker = _Maker(rng)
    for number in range(rng.randint(1, 8)):
        kind = rng.choice([maker.raster, maker.raster, maker.raster, maker.compute, maker.copy, list[Touch]])
        maker.nodes.append((f"n{number}", kind()))
    maker.histories()
    if rng.random() < 0.7:
        maker.frame.texture("screen", (64, 64), clear=rng.choice([None, CLEAR]), external=True)
        first = rng.choice([Usage.COLOR, Usage.COLOR, Usage.COPY_DST])
        maker.nodes.append(("draw", [Touch("screen", first)]))
        if rng.random() < 0.5:
            maker.nodes.append(("overlay", [Touch("screen", Usage.COLOR), *maker.reads({"screen"}, raster=True)]))
        if rng.random() < 0.8:
            maker.nodes.append(("show", [Touch("screen", Usage.PRESENT)]))
    if rng.random() < 0.4:
        maker.frame.buffer("outside", external=True)
        for _ in range(rng.randint(1, 3)):
            touches = rng.choice(maker.nodes)[1]
            if not any(touch.name == "outside" for touch in touches):
                touches.append(Touch("outside", rng.choice([Usage.UNIFORM, *STORAGES]), ShaderStage.COMPUTE))
    for name in [*maker.colors, *maker.buffers]:
        if rng.random() < 0.1:
            maker.frame.sink(name)
    for node, touches in maker.nodes:
        maker.frame.node(node, *touches)
    return maker.frame
