"""Small scenes, and what a frame of them looks like: with TAA, with bare jitter, or averaged over many samples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.jitter import offsets
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry

EXTENT = (160, 90)
AVERAGE = Path(__file__).parent / "glsl"


def start(
    game: type[Game],
    backend: Backend,
    *enable: str,
    extent: tuple[int, int] = EXTENT,
    settings: Sequence[SettingChange] = (),
) -> Session:
    """A session without dither; the caller closes it."""
    plain = SettingChange("tonemap", "dither", "false")
    choice = PluginChoice(enable=enable, settings=(plain, *settings))
    clock = FixedStepClock(game.step, frame=1 / 60)
    return Session(game, backend, extent, choice=choice, clock=clock, strict=True)


def pictures(session: Session, frames: int, keep: int = 1) -> list[np.ndarray]:
    """The last ``keep`` of so many frames, sRGB from 0 to 1, float32 (height, width, 3)."""
    target = session.backend.create_target(session.extent)
    kept: list[np.ndarray] = []
    try:
        for number in range(frames):
            session.step()
            session.render(target)
            if number >= frames - keep:
                kept.append(session.picture()[..., :3].astype(np.float32) / 255.0)
    finally:
        session.backend.wait_idle()
        target.close()
    return kept


def jitter_camera(session: Session, samples: int) -> None:
    """Move the camera's picture by the same points as TAA, and do nothing about it."""
    places = offsets(samples)

    def declare(reg: Registry) -> Execute:
        camera = reg.modify("camera", CameraView)

        def execute(cmd: Commands) -> None:
            camera.value = camera.value.jittered(*places[cmd.frame % samples])

        return execute

    session.graph.add_node("bare_jitter", declare)


def average_frames(session: Session) -> None:
    """Show the mean of all frames so far, taken in linear light before the tone mapper."""

    def declare(reg: Registry) -> Execute:
        reg.chain("post_hdr", format="rgba32_sfloat", size=reg.resolution("main_view"))
        reg.history("post_hdr/average").sampled(filter="nearest").bind("average")
        count = {"frames": 0.0}
        reg.uniform("count", lambda: count)
        pipeline = reg.graphics("average.frag")

        def execute(cmd: Commands) -> None:
            cmd.draw(pipeline)
            count["frames"] += 1.0

        return execute

    session.graph.add_node("average", declare, shader_paths=(AVERAGE,))


def reference(game: type[Game], backend: Backend, samples: int = 64, extent: tuple[int, int] = EXTENT) -> np.ndarray:
    """The picture of a still scene with so many samples a texel."""
    session = start(game, backend, extent=extent)
    try:
        jitter_camera(session, samples)
        average_frames(session)
        return pictures(session, samples)[0]
    finally:
        session.close()
