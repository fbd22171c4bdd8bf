"""The light of a frame as the engine has it: linear, before any tone mapper, not rounded to 8 bits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import flip_evaluator
import numpy as np
from numpy.typing import NDArray

from engine.clock import FixedStepClock
from engine.game import Game
from engine.options import PluginChoice
from engine.session import Session
from render.backend.protocol import Backend, PhysicalTexture
from render.graph.resources import Extent

Floats = NDArray[np.float32]


class LinearPlay:
    """A game without a tone mapper; ``picture`` gives the next frame."""

    def __init__(self, game: type[Game], backend: Backend, extent: Extent, choice: PluginChoice) -> None:
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, extent, choice=choice, clock=clock, strict=True)
        self.session.graph.add_sink("hdr")
        self.target = backend.create_target(extent)

    def picture(self) -> Floats:
        """Light of the next frame, float32 (height, width, 3)."""
        self.session.step()
        self.session.render(self.target)
        runtime = self.session.runtime
        instance = next(item.id for item in runtime.plan.graph.resources if "hdr" in item.resource.names)
        texture = cast(PhysicalTexture, runtime.resource(instance))
        texels = self.session.backend.read_texture(texture, dict(runtime.plan.sync.rest)[instance])
        return np.asarray(texels, np.float32)[..., :3]


@contextmanager
def played(
    game: type[Game], backend: Backend, extent: Extent, choice: PluginChoice | None = None
) -> Iterator[LinearPlay]:
    """A game that is given back in the end."""
    play = LinearPlay(game, backend, extent, choice or PluginChoice())
    try:
        yield play
    finally:
        backend.wait_idle()
        play.target.close()
        play.session.close()


def flip(right: Floats, seen: Floats) -> float:
    """Mean FLIP of two linear pictures as a display shows them: 0 is alike, 1 as different as can be."""
    result: Any = flip_evaluator.evaluate(_displayed(right), _displayed(seen), "LDR")
    return float(result[1])


def _displayed(linear: Floats) -> Floats:
    linear = np.clip(linear, 0.0, 1.0)
    curve = 1.055 * np.maximum(linear, 1e-8) ** (1.0 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, linear * 12.92, curve).astype(np.float32)
