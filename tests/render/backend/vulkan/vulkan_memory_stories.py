"""A frame graph in which an allocation fails: in its first frame, after a change of the graph, after a resize."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vulkan_faults import Faults

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Buffer, Extent, Resolution, Texture

# A device that cannot take a recorded frame twice will take no other: that ends the game with an error.
HOPELESS = ("vkBeginCommandBuffer", "vkEndCommandBuffer", "vkQueueSubmit2")

NAMES = ("scene", "depth", "count", "weights", "show", "glow", "uniforms", "frame", "command buffer")
"""What an error may name."""

SMALL, LARGE = (8, 8), (24, 16)
FRAMES = 3

SHADERS = {
    "scene.frag": """
layout(set = 0, binding = 0) uniform Tint { vec4 color; } tint;
layout(location = 0) out vec4 result;
void main() { result = tint.color * (1.0 + mod(gl_FragCoord.x, 8.0)) * 0.1; }
""",
    "count.frag": """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(previous, ivec2(gl_FragCoord.xy), 0) + 0.0625; }
""",
    "weights.comp": """
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) writeonly buffer weights { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = 0.25 * float(gl_GlobalInvocationID.x); }
""",
    "show.frag": """
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform sampler2D count;
layout(std430, set = 0, binding = 2) readonly buffer weights { float values[]; };
#if HAS_GLOW
layout(set = 0, binding = 3) uniform sampler2D glow;
#endif
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = vec4(texelFetch(scene, at, 0).r, texelFetch(count, at, 0).r, values[2], 1.0);
#if HAS_GLOW
    result.b += texelFetch(glow, ivec2(0), 0).b;
#endif
}
""",
    "glow.frag": """
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform Strength { float value; } strength;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(scene, ivec2(1), 0) * strength.value; }
""",
}


def scene(reg: Registry) -> Callable[[Any], None]:
    reg.create("scene", Texture("rgba16_sfloat", Resolution("output"))).color(clear=(0.0, 0.0, 0.0, 0.0))
    reg.create("depth", Texture("d32_sfloat", Resolution("output"))).depth(clear=0.0)
    reg.uniform("tint", lambda: SimpleNamespace(color=(1.0, 0.5, 0.25, 1.0)))
    pipeline = reg.graphics("scene.frag")
    return lambda cmd: cmd.draw(pipeline)


def count(reg: Registry) -> Callable[[Any], None]:
    reg.create("count", Texture("rgba32_sfloat", Resolution("output"))).color()
    reg.history("count").sampled(filter="nearest").bind("previous")
    pipeline = reg.graphics("count.frag")
    return lambda cmd: cmd.draw(pipeline)


def weights(reg: Registry) -> Callable[[Any], None]:
    reg.create("weights", Buffer(16)).storage_write()
    pipeline = reg.compute("weights.comp")
    return lambda cmd: cmd.dispatch(pipeline, (4, 1, 1))


def show(reg: Registry) -> Callable[[Any], None]:
    reg.external("image", Texture("rgba8_srgb", Resolution("output"))).color()
    reg.read("scene").sampled()
    reg.read("count").sampled()
    reg.read("weights").storage_read()
    reg.read("glow").sampled().optional()
    pipeline = reg.graphics("show.frag")
    return lambda cmd: cmd.draw(pipeline)


def present(reg: Registry) -> None:
    reg.modify("image").shown()


def glow(reg: Registry) -> Callable[[Any], None]:
    reg.create("glow", Texture("rgba16_sfloat", (96, 96))).color()
    reg.read("scene").sampled()
    reg.uniform("strength", lambda: SimpleNamespace(value=2.0))
    pipeline = reg.graphics("glow.frag")
    return lambda cmd: cmd.draw(pipeline)


class Said(logging.Handler):
    """Keeps what the runtime says to a person."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


class Game:
    """A runtime with an offscreen target."""

    def __init__(self, backend: VulkanBackend, library: ShaderLibrary, extent: Extent = SMALL) -> None:
        self.backend = backend
        self.failures: list[NodeFailure] = []
        self.graph = FrameGraph()
        self.graph.set_resolution("output", extent)
        self.graph.add_sink("image")
        for declare in (scene, count, weights, show, present):
            self.graph.add_node(declare.__name__, declare)
        self.target = backend.create_target(extent)
        self.runtime = Runtime(self.graph, backend, library, on_failure=self.failures.append)
        self.graph.set_external("image", lambda context: self.runtime.target_texture)

    def frame(self) -> bool:
        """Whether there was one to see."""
        return self.runtime.render(self.target) is not None

    def picture(self) -> NDArray[Any]:
        image = self.target.acquire(0)
        assert image is not None
        return np.asarray(self.backend.read_texture(image, Layout.TRANSFER_SRC))

    def change(self) -> None:
        self.graph.add_node("glow", glow)

    def resize(self, extent: Extent) -> None:
        self.target.resize(extent)
        self.graph.set_resolution("output", extent)

    def close(self) -> None:
        self.runtime.close()
        self.target.close()
        self.backend.wait_idle()


def shader_library(folder: Path) -> ShaderLibrary:
    """The shaders of the game, written to a folder."""
    for name, text in SHADERS.items():
        (folder / name).write_text(f"#version 450\n{text}")
    return ShaderLibrary([folder])


@dataclass(frozen=True)
class Story:
    """What happens in front of the frame in which an allocation fails; that frame is the first one if nothing does.

    ``goes_on``: histories survive it.
    """

    begin: Extent = SMALL
    happens: Callable[[Game], None] | None = None
    goes_on: bool = False


STORIES = {
    "first": Story(),
    "change": Story(happens=Game.change, goes_on=True),
    "grow": Story(happens=lambda game: game.resize(LARGE)),
    "shrink": Story(LARGE, lambda game: game.resize(SMALL)),
}


@dataclass
class Stage:
    """One backend for all stories, and what their pictures are when nothing fails."""

    folder: Path
    validate: bool = True
    faults: Faults = field(default_factory=Faults)

    def __post_init__(self) -> None:
        self.library = shader_library(self.folder)
        self.backend = VulkanBackend(validate=self.validate, wrap=self.faults.wrap)
        self.calls: dict[str, int] = {}
        self._pictures: dict[tuple[str, int], NDArray[Any]] = {}
        # The first time makes samplers, which are kept.
        for name in ("grow", *STORIES):
            with closing(self._game(name)) as game:
                with self.faults.armed():
                    game.frame()
                    self.calls[name] = len(self.faults.calls)
                for frames in (1, 2):
                    self._pictures[name, frames] = game.picture()
                    game.frame()
        self.living = self.faults.living()

    def tell(self, name: str, fail: int, *, lasting: bool) -> str:
        """The story in which call number ``fail`` fails, and what it was; raises when it does not end well."""
        said = Said()
        logging.getLogger("renderwright.runtime").addHandler(said)
        try:
            with closing(self._game(name)) as game:
                with self.faults.armed(fail, lasting=lasting):
                    shown = self._failing_frame(name, game, said)
                failed = self.faults.failed
                assert failed, f"{name} makes no call number {fail}"
                if lasting and failed in HOPELESS:
                    return failed
                assert all(any(name in text for name in NAMES) for text in said.texts), said.texts
                assert not game.failures, game.failures
                # The backend tries some calls once more by itself.
                assert len(said.texts) == 1 or (shown and not lasting and not said.texts), (failed, said.texts)
                if STORIES[name].goes_on and not shown:
                    assert np.array_equal(game.picture(), self._last), "the last picture stays"
                assert game.frame()
                # The count goes on from a frame of the old plan, but begins anew in another size.
                frames = 2 if shown and (STORIES[name].goes_on or not said.texts) else 1
                assert np.array_equal(game.picture(), self._pictures[name, frames]), (failed, frames)
        finally:
            logging.getLogger("renderwright.runtime").removeHandler(said)
            assert self.faults.living() == self.living, f"{name} {fail}, {self.faults.failed}"
        return failed

    def close(self) -> None:
        """Nothing may be left, and the layer may have said nothing."""
        self.backend.close()
        assert self.faults.living() == {}
        assert [message.text for message in self.backend.validation_messages] == []

    def _game(self, name: str) -> Game:
        """The game just before the frame that matters."""
        story = STORIES[name]
        game = Game(self.backend, self.library, story.begin)
        if story.happens is not None:
            for _ in range(FRAMES):
                game.frame()
            self._last = game.picture()
            story.happens(game)
        return game

    def _failing_frame(self, name: str, game: Game, said: Said) -> bool:
        """Whether there was a frame all the same: the old plan's."""
        try:
            return game.frame()
        except OutOfMemoryError as error:
            assert name == "first" or self.faults.failed in HOPELESS, "the old plan keeps running"
            said.texts.append(str(error))
            return False
