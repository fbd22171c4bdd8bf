"""Nodes of temporal upscaling."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.jitter import halton
from renderwright.engine.renderer.motion import CameraMotion
from renderwright.plugins.upscaling.settings import UpscalingSettings
from renderwright.render import Commands, Execute, Registry

CHAIN = "post_hdr"
FORMAT = "rgba16_sfloat"
RESOLVED = f"{CHAIN}/upscaling/resolve"
"""The accumulated picture: the chain's name for the result of the node ``resolve``."""

FIRST = 1000
"""Priority in the chain: ahead of effects that blur or spread light. These see the picture at full size."""

PERIOD = 1024
"""Length of the jitter sequence. Any part of the Halton sequence is even, so the length suits all scales."""


@dataclass
class Sample:
    """The blob ``upscaling/sample``: the index of a jittered frame, its offset, and whether ``resolve`` has run in it.

    The offset is in rendered texels, right and down. ``resolve`` sets ``resolved`` although it only reads the blob: the
    next frame's ``jitter`` must know whether ``resolve`` ran, and a read of its result would order the two nodes.
    """

    number: int = 0
    right: float = 0.0
    down: float = 0.0
    resolved: bool = False


def jitter(reg: Registry) -> Execute:
    """Offset the camera by a subpixel jitter before any node reads it.

    There is no jitter if the last frame was not resolved (the first frame, a skeleton without motion vectors).
    """
    camera = reg.modify("camera", CameraView)
    last = reg.history("sample", Sample).bind("last_sample")
    sample = reg.create("upscaling/sample", Sample)

    def execute(cmd: Commands) -> None:
        if not (last.valid and last.value.resolved):
            sample.value = Sample()
            return
        number = last.value.number + 1
        place = number % PERIOD + 1
        sample.value = Sample(number, halton(place, 2) - 0.5, halton(place, 3) - 0.5)
        camera.value = camera.value.jittered(sample.value.right, sample.value.down)

    return execute


def resolve(reg: Registry, settings: UpscalingSettings) -> Execute:
    """Add the new samples to the reprojected history."""
    reg.replaces("taa/resolve")
    reg.chain(CHAIN, priority=FIRST, format=FORMAT, size=reg.resolution("picture"))
    reg.history(RESOLVED).sampled().bind("accumulated")
    reg.read("depth").sampled(filter="nearest")
    reg.history("depth").sampled(filter="nearest").bind("previous_depth")
    reg.read("motion_vectors").sampled(filter="nearest")
    reg.read("camera_motion", CameraMotion)
    sample = reg.read("sample", Sample)
    reg.uniform("settings", settings)
    pipeline = reg.fullscreen("upscale_resolve.frag")

    def execute(cmd: Commands) -> None:
        now = sample.value
        now.resolved = True
        cmd.draw(pipeline, frame=now.number, right=now.right, down=now.down)

    return execute


def sharpen(reg: Registry, settings: UpscalingSettings) -> Execute:
    """Sharpen the picture, which is not accumulated; enlarge it if ``resolve`` is not in the frame."""
    reg.chain(CHAIN, priority=FIRST - 1, format=FORMAT, size=reg.resolution("picture"))
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("upscale_sharpen.frag")
    return lambda cmd: cmd.draw(pipeline)
