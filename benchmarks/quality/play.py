"""A game to measure: its linear light in floats, and its displayed picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.shaders import ShaderLibrary
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.resources import Extent

Floats = NDArray[np.float32]
Settings = dict[str, str]

SHADERS = ShaderLibrary([GLSL])
"""What all plays load, so that they do not expand and reflect the same shaders over and over."""
LIGHT = "hdr_final"
"""The skeletons' name of the light after all effects, before the tone mapper."""


class Play:
    """A game with a target of its own."""

    def __init__(self, game: type[Game], backend: Backend, extent: Extent, choice: PluginChoice, frame: float) -> None:
        clock = FixedStepClock(game.step, frame=frame)
        self.session = Session(game, backend, extent, choice=choice, clock=clock, strict=True, shaders=SHADERS)
        self.session.graph.add_sink(LIGHT)
        self.target = backend.create_target(extent)

    def frames(self, count: int = 1) -> None:
        """Step and render ``count`` frames."""
        for _ in range(count):
            self.session.step()
            self.session.render(self.target)

    def light(self) -> Floats:
        """The last frame's light, float32 (height, width, 3)."""
        runtime = self.session.runtime
        name = dict(runtime.plan.resolved.aliases)[LIGHT]
        instance = next(item.id for item in runtime.plan.graph.resources if name in item.resource.names)
        texture = cast(PhysicalTexture, runtime.resource(instance))
        texels = self.session.backend.read_texture(texture, dict(runtime.plan.sync.layouts_left)[instance])
        return np.asarray(texels, np.float32)[..., :3]

    def shown(self) -> Floats:
        """The last frame's displayed picture, sRGB-encoded from 0 to 1, float32 (height, width, 3)."""
        return self.session.picture()[..., :3].astype(np.float32) / np.float32(255.0)

    def picture(self) -> Floats:
        """The light of the next frame."""
        self.frames()
        return self.light()


@contextmanager
def played(
    game: type[Game],
    backend: Backend,
    extent: Extent,
    choice: PluginChoice | None = None,
    frame: float = 1 / 60,
) -> Iterator[Play]:
    """A game in frames of ``frame`` seconds; closed at the end."""
    play = Play(game, backend, extent, choice or PluginChoice(), frame)
    try:
        yield play
    finally:
        backend.wait_idle()
        play.target.close()
        play.session.close()


def chosen(enable: Sequence[str] = (), /, **settings: Settings) -> PluginChoice:
    """The choice of enabled plugins, and of settings by plugin."""
    changes = (SettingChange(plugin, key, value) for plugin, own in settings.items() for key, value in own.items())
    return PluginChoice(enable=tuple(enable), settings=tuple(changes))
