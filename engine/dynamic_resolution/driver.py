"""Application of the controller to a resolution of a graph."""

from __future__ import annotations

from renderwright.engine.dynamic_resolution.controller import ResolutionController
from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.resolutions import scaled
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.types.resources import Extent


class DynamicResolution:
    """Drives one auto-resolution of a graph. No step allocates memory, creates a pipeline or waits.

    Call ``follow`` with the report of each frame, before the next one.
    """

    def __init__(self, graph: FrameGraph, controller: ResolutionController, resolution: str = "main_view") -> None:
        self.controller = controller
        self._graph = graph
        self._resolution = resolution
        self._full = graph.resolution(resolution)
        self._rendered_at: dict[int, float] = {}

    @property
    def extent(self) -> Extent:
        """Current resolution in texels."""
        return scaled(self._full, self.controller.scale)

    def follow(self, report: FrameReport) -> None:
        """Set the scale of the next frame from the GPU times in the report of the last one."""
        controller = self.controller
        self._rendered_at[report.frame] = controller.scale
        full = self._graph.resolution(self._resolution)
        if full != self._full:
            # Frames of the old size are still in flight.
            self._full = full
            self._rendered_at.clear()
            controller.restart()
        scale = self._rendered_at.pop(report.measured_frame, None)
        if scale is not None and report.gpu_seconds > 0.0:
            controller.measured(report.gpu_seconds, scale)
        self._graph.set_dynamic_resolution(self._resolution, None if controller.scale == 1.0 else self.extent)


def follow_gpu(graph: FrameGraph, device: Capabilities, frame_time: float | None) -> DynamicResolution | None:
    """The dynamic resolution for frames of ``frame_time`` seconds; None without a time.

    Raises ``UsageError`` if the device has no timestamps.
    """
    if frame_time is None:
        return None
    if not device.timestamps:
        raise UsageError(
            f"{device.device} has no GPU timestamps, which dynamic resolution needs",
            hint="leave out --dynamic-resolution, or play on another device, or with Vulkan if this is OpenGL",
        )
    return DynamicResolution(graph, ResolutionController(frame_time))
