"""A headset that an OpenXR runtime drives: tracked by it, and shown what the game draws for its eyes."""

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
"""After a session is lost the headset is looked for so often."""

_log = logging.getLogger("renderwright.vr")
_T = TypeVar("_T")


class OpenXrHeadset:
    """The runtime's headset, for one player, and the interop that brings it to the device.

    ``display`` and ``format`` are those of the eyes' pictures. Frames go on whatever the headset does: ``look`` is None
    while it shows nothing, because the runtime has not begun yet, has paused the game, or has lost the headset. A lost
    one is looked for again; ``close`` ends the session, ``open`` makes one.
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
            "OpenXR has to be asked for before the graphics card is opened",
            hint="start the game with --vr --set vr.device=openxr",
        )

    # the device (renderwright.render.backend.interop) ----------------------------------------------------------------

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        """What the runtime wants; this is where it is found."""
        if self._runtime is None:
            self._runtime = Runtime(self._binding())
        self.name = f"the headset {self._runtime.name}"
        return self._runtime.instance_extensions()

    def physical_device(self, instance: int) -> int:
        """The graphics card that the headset is connected to."""
        return self._open_runtime().physical_device(instance)

    def device_extensions(self) -> Sequence[str]:
        """What the runtime wants."""
        return self._open_runtime().device_extensions()

    def opened(self, backend: SharingBackend) -> None:
        """Go on with the session that there was on the device before, if there was one."""
        self._backend = backend
        self._error = None
        if self._resume:
            self._reopen()

    def closing(self) -> None:
        """End the session and leave the runtime."""
        resume = self._session is not None or self._retry is not None
        self.close()
        self._resume = resume
        if self._nothing is not None and self._backend is not None:
            self._backend.destroy(self._nothing)
        self._nothing = self._backend = None
        self._leave()

    def refused(self, error: Exception) -> None:
        """There will be no headset, because of that."""
        self._error = error
        self._backend = None
        self._leave()

    def _open_runtime(self) -> Runtime:
        assert self._runtime is not None, "asked out of order"
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
        """Begin a session, unless there is one; raises why there can be none."""
        if self._error is not None:
            raise self._error
        self._retry, self._resume = None, False
        if self._session is not None:
            return
        assert self._backend is not None
        session = Session(self._open_runtime(), self._backend)
        extents = {swapchain.extent for swapchain in session.swapchains}
        # Of eyes with displays of different sizes, the smaller one is drawn with more texels than it asks for.
        self.display = (max(width for width, _ in extents), max(height for _, height in extents))
        self.format = session.format
        self._session = session

    def close(self) -> None:
        """End the session, if there is one."""
        self._frame, self._retry, self._resume = None, None, False
        if self._session is not None:
            session, self._session = self._session, None
            session.close()

    def _reopen(self) -> None:
        """Begin a session for the nodes that were declared for the last one."""
        before = self.display, self.format
        self.open()
        if (self.display, self.format) != before:
            self.close()
            raise OpenXrError(
                f"{self.name} wants other pictures than before",
                hint="start the game again, or switch vr off and on",
            )

    # frames ---------------------------------------------------------------------------------------------------------

    def look(self, time: float) -> Look | None:
        """Where head and eyes are when the frame is seen that begins now, whatever the game's time.

        Begins the frame, and waits until it is time for that, at the first call after ``end_frame``.
        """
        if self._error is not None:
            raise self._error
        if self._frame is None:
            self._frame = self._while_it_lasts(self._begin_frame)
        return self._frame.look if self._frame is not None else None

    def image(self, context: ExternalContext) -> PhysicalTexture:
        """What an eye's picture is drawn to: the runtime's image, or a texel that nobody sees."""
        swapchains = self._session.swapchains if self._session is not None else []
        eye = context.index.get("eye", 0)
        shown = self._frame is not None and self._frame.look is not None and eye < len(swapchains)
        return (swapchains[eye].texture if shown else None) or self._texel()

    def _texel(self) -> PhysicalTexture:
        assert self._backend is not None
        info = TextureInfo(self.format, (1, 1), 1, 1, 1, frozenset({Usage.COLOR}))
        if self._nothing is None or self._nothing.info.format != info.format:
            if self._nothing is not None:
                self._backend.destroy(self._nothing)
            self._nothing = self._backend.create_texture(info, "no eye")
        return self._nothing

    def end_frame(self, *, rendered: bool) -> None:
        """Show what has been drawn since ``look``, if it has been ``rendered``."""
        frame, self._frame = self._frame, None
        session = self._session
        if frame is not None and session is not None:
            self._while_it_lasts(lambda: session.end_frame(frame, rendered=rendered))

    def _begin_frame(self) -> SessionFrame | None:
        self._follow_states()
        if self._session is None and self._retry is not None and self._seconds() >= self._retry:
            self._look_for_it()
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
                    _log.warning("%s shows the game no longer; it goes on in the window", self.name)
                case "EXITING":
                    self.close()
                    _log.warning(
                        "%s has been left; start the game again, or switch vr off and on, to enter again", self.name
                    )
                case "LOSS_PENDING":
                    raise SessionLostError("its session is about to be lost", hint="connect the headset again")

    def _while_it_lasts(self, work: Callable[[], _T]) -> _T | None:
        """What ``work`` gives; None when the session or the runtime is lost over it."""
        try:
            return work()
        except SessionLostError as error:
            self.close()
            self._retry = self._seconds() + RETRY_SECONDS
            _log.warning(
                "%s is lost; the game goes on in the window and looks for it again: %s", self.name, error.message
            )
        except InstanceLostError as error:
            self.close()
            self._error = error
            raise
        return None

    def _look_for_it(self) -> None:
        try:
            self._reopen()
        except OpenXrError as error:
            _log.debug("%s is not there yet: %s", self.name, error)
            self._retry = self._seconds() + RETRY_SECONDS
        else:
            _log.warning("%s is there again", self.name)
