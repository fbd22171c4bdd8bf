"""Nodes of temporal anti-aliasing."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.jitter import offsets
from renderwright.engine.renderer.motion import CameraMotion
from renderwright.plugins.taa.settings import TaaSettings
from renderwright.render import Commands, Execute, Registry

CHAIN = "post_hdr"
FORMAT = "rgba16_sfloat"
RESOLVED = f"{CHAIN}/taa/resolve"
"""The accumulated picture: the chain's name for the result of the node ``resolve``."""

FIRST = 1000
"""Priority in the chain: ahead of effects that blur or spread light, which need smooth edges."""


@dataclass
class Sample:
    """The blob ``taa/sample``: the index of a jittered frame, and whether ``resolve`` has run in that frame.

    ``resolve`` changes this value although it only reads the blob. The next frame's ``jitter`` must know whether
    ``resolve`` ran, and it cannot read a result of ``resolve``: even a history read would order the two nodes.
    """

    number: int = 0
    resolved: bool = False


def jitter(reg: Registry, settings: TaaSettings) -> Execute:
    """Offset the camera by a subpixel jitter before any node reads it.

    There is no jitter if the last frame was not resolved (the first frame, a skeleton without motion vectors).
    """
    camera = reg.modify("camera", CameraView)
    last = reg.history("sample", Sample).bind("last_sample")
    sample = reg.create("taa/sample", Sample)
    jitters = offsets(settings.samples)

    def execute(cmd: Commands) -> None:
        goes_on = last.valid and last.value.resolved
        sample.value = Sample(last.value.number + 1 if goes_on else 0)
        if goes_on:
            camera.value = camera.value.jittered(*jitters[sample.value.number % len(jitters)])

    return execute


def resolve(reg: Registry, settings: TaaSettings) -> Execute:
    """Blend the new samples into the reprojected history."""
    reg.chain(CHAIN, priority=FIRST, format=FORMAT, size=reg.resolution("main_view"))
    reg.history(RESOLVED).sampled().bind("accumulated")
    reg.read("depth").sampled(filter="nearest")
    reg.history("depth").sampled(filter="nearest").bind("previous_depth")
    reg.read("motion_vectors").sampled(filter="nearest")
    reg.read("camera_motion", CameraMotion)
    sample = reg.read("sample", Sample)
    resolved = reg.create("taa/resolved", Sample)
    reg.uniform("settings", settings)
    pipeline = reg.fullscreen("taa_resolve.frag")

    def execute(cmd: Commands) -> None:
        sample.value.resolved = True
        resolved.value = sample.value
        cmd.draw(pipeline, frame=sample.value.number)

    return execute


def sharpen(reg: Registry, settings: TaaSettings) -> Execute:
    """Sharpen to compensate the blur of resampling. Not accumulated, so that sharpening does not build up.

    The node reads ``taa/resolved`` so that it is removed whenever ``resolve`` is.
    """
    reg.chain(CHAIN, priority=FIRST - 1)
    reg.read("resolved", Sample)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("taa_sharpen.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
