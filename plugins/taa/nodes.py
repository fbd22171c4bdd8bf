"""The nodes of temporal anti-aliasing."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.motion import CameraMotion
from renderwright.plugins.taa.jitter import offsets
from renderwright.plugins.taa.settings import TaaSettings
from renderwright.render import Commands, Execute, Registry

CHAIN = "post_hdr"
FORMAT = "rgba16_sfloat"
RESOLVED = f"{CHAIN}/taa/resolve"
"""The accumulated picture: what the chain calls the result of the node ``resolve``."""

FIRST = 1000
"""Priority in the chain: effects that blur or spread light want the picture after its edges have been smoothed."""


@dataclass
class Sample:
    """The blob ``taa/sample``: the frame's number among those that were jittered, and whether ``resolve`` took it in.

    The one value in the graph that a reader changes: a node cannot ask for what a later node makes, since even a
    history orders them, and the next frame's jitter has to know whether there is anybody who smooths it out again.
    """

    number: int = 0
    resolved: bool = False


def jitter(reg: Registry, settings: TaaSettings) -> Execute:
    """Moves the camera's picture by a part of a texel before anybody looks through it.

    Where the last frame has not been resolved (the first one; a skeleton without motion vectors) it stays in place.
    """
    camera = reg.modify("camera", CameraView)
    last = reg.history("sample", Sample).bind("last_sample")
    sample = reg.create("taa/sample", Sample)
    places = offsets(settings.samples)

    def execute(cmd: Commands) -> None:
        goes_on = last.valid and last.value.resolved
        sample.value = Sample(last.value.number + 1 if goes_on else 0)
        if goes_on:
            camera.value = camera.value.jittered(*places[sample.value.number % len(places)])

    return execute


def resolve(reg: Registry, settings: TaaSettings) -> Execute:
    """Adds the new samples to the picture so far, brought to where its surfaces are now."""
    reg.chain(CHAIN, priority=FIRST, format=FORMAT, size=reg.resolution("main_view"))
    reg.history(RESOLVED).sampled().bind("accumulated")
    reg.read("depth").sampled(filter="nearest")
    reg.history("depth").sampled(filter="nearest").bind("previous_depth")
    reg.read("motion_vectors").sampled(filter="nearest")
    reg.read("camera_motion", CameraMotion)
    sample = reg.read("sample", Sample)
    resolved = reg.create("taa/resolved", Sample)
    reg.uniform("settings", lambda: settings)
    pipeline = reg.graphics("taa_resolve.frag")

    def execute(cmd: Commands) -> None:
        sample.value.resolved = True
        resolved.value = sample.value
        cmd.draw(pipeline, frame=sample.value.number)

    return execute


def sharpen(reg: Registry, settings: TaaSettings) -> Execute:
    """Gives edges back what resampling has taken; outside the accumulated picture, so that it does not add up.

    Asks for ``taa/resolved`` so that it leaves the frame with ``resolve``.
    """
    reg.chain(CHAIN, priority=FIRST - 1)
    reg.read("resolved", Sample)
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("taa_sharpen.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
