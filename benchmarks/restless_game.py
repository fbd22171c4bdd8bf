"""A game with frequent changes of plugins, sizes and resolutions, for tests and benchmarks of memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from pyglm import glm

from benchmarks.memory_ledger import MemoryLedger
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.plans.beside import Worker
from renderwright.render.types.resources import Extent, Texture

SIZES: tuple[Extent, ...] = ((64, 48), (96, 54), (80, 60))
PLUGINS = ("bloom", "shadows", "tonemap")
STEP = 1 / 60

TRAIL = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D previous;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() { result = mix(texture(source, uv), texture(previous, uv), 0.6); }
"""


class Turning(Game):
    """A box that turns under a lamp."""

    step = STEP
    plugins = PLUGINS

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 2.0, 2.5)
        scene.spawn(plane(8, 8), Material(base_color=(0.5, 0.5, 0.5, 1)))
        self.box = scene.spawn(box(1.0), Material(emissive=(4, 1, 0)), Transform(glm.vec3(0, 0.5, 0)))
        scene.add_light(PointLight(glm.vec3(1, 1, 1), (0.2, 0.4, 1.0), 5.0, 6.0))
        self.time = 0.0

    def update(self, dt: float) -> None:
        """Move the box."""
        self.time += dt
        self.box.transform.position = glm.vec3(glm.sin(self.time * 3.0), 0.5, 0.0)


def accumulate(reg: Registry) -> Execute:
    """A fading trail: a texture that reads its own history."""
    reg.create("trail", Texture("rgba16_sfloat", reg.resolution("main_view"))).color()
    reg.read("hdr").sampled().bind("source")
    reg.history("trail").sampled().bind("previous")
    pipeline = reg.graphics("trail.frag")
    return lambda cmd: cmd.draw(pipeline)


def show_trail(reg: Registry) -> Execute:
    """An image effect that mixes the trail into the picture."""
    reg.chain("post_hdr")
    reg.read("trail").sampled().bind("previous")
    pipeline = reg.graphics("trail.frag")
    return lambda cmd: cmd.draw(pipeline)


class Restless:
    """A session of the game, and its changes."""

    def __init__(
        self,
        backend: Backend,
        shaders: Path,
        *,
        alias: bool,
        plugins: tuple[str, ...],
        worker: Worker | None = None,
        poison: Poison | None = None,
        verify: bool = False,
    ) -> None:
        (shaders / "trail.frag").write_text(TRAIL)
        off = tuple(name for name in PLUGINS if name not in plugins)
        self.session = Session(
            Turning,
            backend,
            SIZES[0],
            choice=PluginChoice(enable=tuple(name for name in plugins if name not in PLUGINS), disable=off),
            clock=FixedStepClock(STEP, frame=STEP),
            options=CompileOptions(alias=alias, packing=PackPolicy.BALANCED),
            worker=worker,
            poison=poison,
            verify=verify,
        )
        for name, declare in (("accumulate", accumulate), ("show_trail", show_trail)):
            self.session.graph.add_node(name, declare, shader_paths=[shaders])
        self.target: Target = backend.create_target(SIZES[0])
        self._plugins = plugins
        self._random = random.Random(0)

    def frame(self) -> FrameReport:
        """Play and render."""
        self.session.step()
        report = self.session.render(self.target)
        assert report is not None
        return report

    def toggle(self) -> None:
        """Switch a random plugin."""
        self.session.toggle(self._random.choice(self._plugins))

    def resize(self) -> None:
        """Change the output size."""
        self.target.resize(self._random.choice(SIZES))
        self.session.resize(self.target.extent)

    def step(self) -> None:
        """Change the dynamic resolution."""
        width, height = self.session.graph.resolution("main_view")
        extent = self._random.randint(1, width), self._random.randint(1, height)
        self.session.graph.set_dynamic_resolution("main_view", extent)

    def rescale(self) -> None:
        """Change the share of the size at which the scene is rendered, where it is upscaled."""
        if self.session.plugins.is_enabled("upscaling"):
            self.session.plugins.set("upscaling", "scale", self._random.choice((0.5, 0.67, 0.8)))

    def change(self, frame: int) -> None:
        """Apply the changes before a frame: mostly steps, sometimes plugins and sizes, sometimes all at once."""
        if frame % 7 == 3:
            self.toggle()
        if "upscaling" in self._plugins and frame % 5 == 4:
            self.rescale()
        if frame % 11 == 5:
            self.resize()
        if frame % 3 == 0:
            self.step()
        elif frame % 8 == 7:
            self.session.graph.set_dynamic_resolution("main_view", None)

    def settle(self) -> None:
        """Restore the initial state."""
        self.target.resize(SIZES[0])
        self.session.graph.set_dynamic_resolution("main_view", None)
        for plugin in self._plugins:
            self.session.plugins.enable(plugin)

    def close(self) -> None:
        """End the session."""
        self.session.close()
        self.target.close()


@contextmanager
def restless(
    backend: Backend,
    *,
    alias: bool = True,
    plugins: tuple[str, ...] = PLUGINS,
    worker: Worker | None = None,
    poison: Poison | None = None,
    verify: bool = False,
) -> Iterator[Restless]:
    """A session, closed at the end; ``worker``, ``poison`` and ``verify`` are options of the session."""
    with TemporaryDirectory() as folder:
        running = Restless(
            backend, Path(folder), alias=alias, plugins=plugins, worker=worker, poison=poison, verify=verify
        )
        try:
            yield running
        finally:
            running.close()


@dataclass(frozen=True)
class Played:
    """The results of a run: a digest of each picture, validation messages, bytes of device memory in the fourth and in
    the last frame, waits for the whole device, and objects ``left`` at the end, by kind."""

    pictures: tuple[str, ...]
    messages: list[str]
    first_bytes: int
    last_bytes: int
    waits: int
    left: dict[str, int]


def play_restlessly(*, alias: bool, frames: int, settle: int, device: str = "") -> Played:
    """Play on Vulkan under validation, without changes from frame number ``settle`` on."""
    ledger = MemoryLedger()
    backend = VulkanBackend(device, validate=True, wrap=ledger.wrap)
    pictures = []
    first_bytes = last_bytes = 0
    try:
        with restless(backend, alias=alias) as running:
            for frame in range(frames):
                if frame == settle:
                    running.settle()
                elif 4 <= frame < settle:
                    running.change(frame)
                running.frame()
                pictures.append(sha256(running.session.picture().tobytes()).hexdigest())
                last_bytes = ledger.bytes
                if frame == 3:
                    first_bytes = last_bytes
    finally:
        backend.close()
    left = {kind: count for kind, count in ledger.alive.items() if count}
    messages = [message.text for message in backend.validation_messages]
    return Played(tuple(pictures), messages, first_bytes, last_bytes, ledger.waits, left)
