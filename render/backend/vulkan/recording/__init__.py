"""Writes down what is called on the dispatch object, as a stream that the oracle can judge (docs/stream-format.md)."""

from renderwright.render.backend.vulkan.recording.recorder import StreamRecorder

__all__ = ["StreamRecorder"]
