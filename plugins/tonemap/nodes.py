"""The tone mapper's nodes: one alone with a fixed exposure, four with one that adapts.

A player's eyes, samples and tiles have one exposure: with one each, a headset's two pictures would differ in
brightness, and tiles would not fit together. So there are histograms for each player's view, and all that it is split
into adds to them.
"""

from __future__ import annotations

from renderwright.engine.renderer.blobs import CameraView
from renderwright.plugins.tonemap.settings import Operator, TonemapSettings
from renderwright.render import Buffer, Commands, Execute, Registry

CHAIN = "tone"
TILES = 8
"""The picture is measured in so many by so many tiles, each by a workgroup with a histogram of its own."""
BINS = 256
BIN_BYTES = 8
"""The weight of what lies in a bin, and where in it: the bin is as good as its mean, however wide."""
EXPOSURE_BYTES = 16


def tonemap(reg: Registry, settings: TonemapSettings) -> Execute:
    """Maps the chain's HDR picture to display colour, stored in 8 bits."""
    reg.chain(CHAIN, format="rgba8_srgb", size=reg.resolution("main_view"))
    if settings.auto_exposure:
        # Found in the frame before: nothing in this frame waits for the measuring.
        reg.history("tonemap/exposure").storage_read()
    values = {
        "operation": list(Operator).index(settings.operator),
        "scale": 2.0**settings.exposure,
        "dither": settings.dither,
    }
    reg.uniform("settings", lambda: values)
    reg.stable()
    pipeline = reg.graphics("tonemap.frag", defines={"AUTO_EXPOSURE": int(settings.auto_exposure)})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def begin(reg: Registry) -> Execute:
    """Empty histograms for each player's view."""
    reg.queue("compute", "graphics")
    # One for each player's whole view.
    reg.read("view_camera", CameraView)
    histograms = reg.create("tonemap/histograms", Buffer(TILES * TILES * BINS * BIN_BYTES)).copy_dst()
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.recorder.fill_buffer(histograms.buffer)

    return execute


def measure(reg: Registry, settings: TonemapSettings) -> Execute:
    """Counts the logarithm of luminance of a picture, in a histogram for each of its tiles: none waits for another."""
    reg.queue("compute", "graphics")
    reg.chain_source(CHAIN, "tonemap").sampled(stage="compute").bind("source")
    reg.modify("tonemap/histograms").storage()
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.compute("histogram.comp", defines={"TILES": TILES, "BINS": BINS})

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (TILES * 16, TILES * 16))

    return execute


def adapt(reg: Registry, settings: TonemapSettings) -> Execute:
    """A player's exposure of the next frame, from this one's and what the histograms ask for."""
    reg.queue("compute", "graphics")
    reg.read("tonemap/histograms").storage_read()
    reg.history("tonemap/exposure").storage_read().bind("last_exposure")
    reg.create("tonemap/exposure", Buffer(EXPOSURE_BYTES)).storage_write()
    camera = reg.read("view_camera", CameraView)
    before = reg.history("view_camera", CameraView).bind("camera_before")
    reg.uniform("settings", lambda: settings)
    pipeline = reg.compute("adapt.comp", defines={"TILES": TILES, "BINS": BINS})

    def execute(cmd: Commands) -> None:
        seconds = max(0.0, camera.value.time - before.value.time) if before.valid else 0.0
        cmd.dispatch(pipeline, (BINS, 1), seconds=seconds)

    return execute
