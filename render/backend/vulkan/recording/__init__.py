"""Records calls of the dispatch object as a command stream for the oracle (docs/stream-format.md)."""

from renderwright.render.backend.vulkan.recording.recorder import StreamRecorder

__all__ = ["StreamRecorder"]
