"""The OpenXR headset: tracking by the runtime, and display of the eyes' pictures."""

from __future__ import annotations

import logging
import time as clock
from collections.abc import Callable, Sequence, Set
from typing import Any, TypeVar

from renderwright.plugins.vr.headset import Lens, Look
from renderwright.plugins.vr.openxr.errors import InstanceLostError, OpenXrError, SessionLostError, load_binding
from renderwright.plugins.vr.openxr.runtime import Runtime
from renderwright.plugins.vr.openxr.session import Session, SessionFrame
from renderwright.render import Extent, ExternalContext, PhysicalTexture, TextureInfo, Usage, UsageError
from renderwright.render.backend.interop import SharingBackend

RETRY_SECONDS = 2.0
"""Interval of reconnection attempts after a session is lost."""

_log = logging.getLogger("renderwright.vr")
_T = TypeVar("_T")


class OpenXrHeadset:
    """The runtime's headset, for one player, and the interop that takes part in opening the device.

    ``display`` and ``format`` are the size and format of the eyes' pictures. Rendering continues in every state of the
    headset. ``look`` is None while nothing is shown: the session has not begun, is paused, or is lost. A lost session
    is recreated automatically. ``open`` creates a session, ``close`` ends it.
    """

    wearers = 1
    lens = Lens()

    def __init__(
        self, binding: Callable[[], Any] = load_binding, seconds: Callable[[], float] = clock.monotonic
    ) -> None:
        self.name = "the OpenXR headset"
        self.display: Extent = (1, 1)
        self.format = "rgba8_srgb"
        self._binding = binding
        self._seconds = seconds
        self._runtime: Runtime | None = None
        self._backend: SharingBackend | None = None
        self._session: Session | None = None
        self._nothing: PhysicalTexture | None = None
        self._frame: SessionFrame | None = None
        self._retry: float | None = None
        self._resume = False
        self._error: Exception | None = UsageError(
            "OpenXR must be selected before the GPU is opened",
            hint="start the game with --vr --set vr.device=openxr",
        )

    # the device (renderwright.render.backend.interop) ----------------------------------------------------------------

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        """Vulkan instance extensions that the runtime requires. Loads the runtime on the first call."""
        if self._runtime is None:
            self._runtime = Runtime(self._binding())
        self.name = f"the headset {self._runtime.name}"
        return self._runtime.instance_extensions()

    def physical_device(self, instance: int) -> int:
        """The GPU that the headset is connected to."""
        return self._open_runtime().physical_device(instance)

    def device_extensions(self) -> Sequence[str]:
        """Vulkan device extensions that the runtime requires."""
        return self._open_runtime().device_extensions()

    def opened(self, backend: SharingBackend) -> None:
        """Recreate the session that was open on the previous device, if any."""
        self._backend = backend
        self._error = None
        if self._resume:
            self._reopen()

    def closing(self) -> None:
        """End the session and unload the runtime. ``opened`` recreates the session."""
        resume = self._session is not None or self._retry is not None
        self.close()
        self._resume = resume
        if self._nothing is not None and self._backend is not None:
            self._backend.destroy(self._nothing)
        self._nothing = self._backend = None
        self._leave()

    def refused(self, error: Exception) -> None:
        """Record that the device was opened without the headset. ``open`` raises ``error``."""
        self._error = error
        self._backend = None
        self._leave()

    def _open_runtime(self) -> Runtime:
        assert self._runtime is not None, "instance_extensions has not been called"
        return self._runtime

    def _leave(self) -> None:
        if self._runtime is not None:
            runtime, self._runtime = self._runtime, None
            try:
                runtime.close()
            except OpenXrError as error:
                _log.debug("%s", error)

    # sessions -------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Create a session unless one exists. Raises the reason if that is impossible."""
        if self._error is not None:
            raise self._error
        self._retry, self._resume = None, False
        if self._session is not None:
            return
        assert self._backend is not None
        session = Session(self._open_runtime(), self._backend)
        extents = {swapchain.extent for swapchain in session.swapchains}
        # All eyes have one texture size: if the displays differ, the smaller one is rendered at the larger size.
        self.display = (max(width for width, _ in extents), max(height for _, height in extents))
        self.format = session.format
        self._session = session

    def close(self) -> None:
        """End the session, if any."""
        self._frame, self._retry, self._resume = None, None, False
        if self._session is not None:
            session, self._session = self._session, None
            session.close()

    def _reopen(self) -> None:
        """Create a session for nodes that were declared for the previous one. Size and format must be the same."""
        before = self.display, self.format
        self.open()
        if (self.display, self.format) != before:
            self.close()
            raise OpenXrError(
                f"{self.name} requires another size or format of pictures than before",
                hint="restart the game, or switch vr off and on",
            )

    # frames ---------------------------------------------------------------------------------------------------------

    def look(self, time: float) -> Look | None:
        """Predicted head and eyes at the display time of the current frame. Ignores the game time.

        The first call after ``end_frame`` waits for the runtime and begins the frame.
        """
        if self._error is not None:
            raise self._error
        if self._frame is None:
            self._frame = self._guarded(self._begin_frame)
        return self._frame.look if self._frame is not None else None

    def image(self, context: ExternalContext) -> PhysicalTexture:
        """Render target of an eye: the runtime's image, or a dummy texture of one texel while nothing is shown."""
        swapchains = self._session.swapchains if self._session is not None else []
        eye = context.index.get("eye", 0)
        shown = self._frame is not None and self._frame.look is not None and eye < len(swapchains)
        return (swapchains[eye].texture if shown else None) or self._dummy_texture()

    def _dummy_texture(self) -> PhysicalTexture:
        assert self._backend is not None
        info = TextureInfo(self.format, (1, 1), 1, 1, 1, frozenset({Usage.COLOR}))
        if self._nothing is None or self._nothing.info.format != info.format:
            if self._nothing is not None:
                self._backend.destroy(self._nothing)
            self._nothing = self._backend.create_texture(info, "no eye")
        return self._nothing

    def end_frame(self, *, rendered: bool) -> None:
        """Submit the frame that ``look`` began. Without ``rendered``, the headset shows nothing."""
        frame, self._frame = self._frame, None
        session = self._session
        if frame is not None and session is not None:
            self._guarded(lambda: session.end_frame(frame, rendered=rendered))

    def _begin_frame(self) -> SessionFrame | None:
        self._follow_states()
        if self._session is None and self._retry is not None and self._seconds() >= self._retry:
            self._reconnect()
        return self._session.begin_frame() if self._session is not None and self._session.running else None

    def _follow_states(self) -> None:
        for session, state in self._open_runtime().session_states():
            if self._session is None or session != self._session.handle:
                continue
            match state.name:
                case "READY":
                    self._session.begin()
                    _log.info("%s shows the game", self.name)
                case "STOPPING":
                    self._session.end()
                    _log.warning("%s no longer shows the game; the game continues in the window", self.name)
                case "EXITING":
                    self.close()
                    _log.warning(
                        "%s has ended the session; restart the game, or switch vr off and on, to resume", self.name
                    )
                case "LOSS_PENDING":
                    raise SessionLostError("the session is about to be lost", hint="connect the headset again")

    def _guarded(self, work: Callable[[], _T]) -> _T | None:
        """Result of ``work``; None if it loses the session, which is then recreated later.

        Raises ``InstanceLostError`` if the runtime is lost.
        """
        try:
            return work()
        except SessionLostError as error:
            self.close()
            self._retry = self._seconds() + RETRY_SECONDS
            _log.warning(
                "%s is lost; the game continues in the window and tries to reconnect: %s", self.name, error.message
            )
        except InstanceLostError as error:
            self.close()
            self._error = error
            raise
        return None

    def _reconnect(self) -> None:
        try:
            self._reopen()
        except OpenXrError as error:
            _log.debug("%s is not connected yet: %s", self.name, error)
            self._retry = self._seconds() + RETRY_SECONDS
        else:
            _log.warning("%s is connected again", self.name)
