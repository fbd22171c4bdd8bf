"""Nodes of the tone mapper: one for a fixed exposure, four for automatic exposure.

All eyes, samples and tiles of a player share one exposure. Otherwise the two pictures of a headset would differ in
brightness, and tiles would not match. So each player's view has one set of histograms, to which all its parts add.
"""

from __future__ import annotations

from renderwright.engine.renderer.blobs import CameraView
from renderwright.plugins.tonemap.settings import Operator, TonemapSettings
from renderwright.render import Buffer, Commands, Execute, Registry

CHAIN = "tone"
TILES = 8
"""Tiles along each side of the picture. One workgroup measures a tile into a histogram of its own."""
BINS = 256
BIN_BYTES = 8
"""Per bin: the weight, and the weighted position within the bin. The mean position keeps wide bins exact."""
EXPOSURE_BYTES = 16


def tonemap(reg: Registry, settings: TonemapSettings) -> Execute:
    """Map the chain's HDR picture to display colour, stored in 8 bits."""
    reg.chain(CHAIN, format="rgba8_srgb", size=reg.resolution("picture"))
    if settings.auto_exposure:
        # The exposure of the previous frame, so that nothing in this frame waits for the measurement.
        reg.history("tonemap/exposure").storage_read()
    values = {
        "operation": list(Operator).index(settings.operator),
        "scale": 2.0**settings.exposure,
        "dither": settings.dither,
    }
    reg.uniform("settings", values)
    reg.stable()
    pipeline = reg.fullscreen("tonemap.frag", defines={"AUTO_EXPOSURE": int(settings.auto_exposure)})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def begin(reg: Registry) -> Execute:
    """Clear the histograms of each player's view."""
    reg.queue("compute", "graphics")
    # This blob exists once for each player's whole view, so the node runs once for each.
    reg.read("view_camera", CameraView)
    histograms = reg.create("tonemap/histograms", Buffer(TILES * TILES * BINS * BIN_BYTES)).copy_dst()
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.recorder.fill_buffer(histograms.buffer)

    return execute


def measure(reg: Registry, settings: TonemapSettings) -> Execute:
    """Build a histogram of log luminance for each tile of the picture, so that workgroups do not contend."""
    reg.queue("compute", "graphics")
    reg.chain_source(CHAIN, "tonemap").sampled(stage="compute").bind("source")
    reg.modify("tonemap/histograms").storage()
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.compute("histogram.comp", defines={"TILES": TILES, "BINS": BINS})

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (TILES * 16, TILES * 16))

    return execute


def adapt(reg: Registry, settings: TonemapSettings) -> Execute:
    """Adapt a player's exposure towards the histograms' target, for use in the next frame."""
    reg.queue("compute", "graphics")
    reg.read("tonemap/histograms").storage_read()
    reg.history("tonemap/exposure").storage_read().bind("last_exposure")
    reg.create("tonemap/exposure", Buffer(EXPOSURE_BYTES)).storage_write()
    camera = reg.read("view_camera", CameraView)
    before = reg.history("view_camera", CameraView).bind("camera_before")
    reg.uniform("settings", settings)
    pipeline = reg.compute("adapt.comp", defines={"TILES": TILES, "BINS": BINS})

    def execute(cmd: Commands) -> None:
        seconds = max(0.0, camera.value.time - before.value.time) if before.valid else 0.0
        cmd.dispatch(pipeline, (BINS, 1), seconds=seconds)

    return execute
