"""A session with its backend and target, which are recreated together when the device is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.losses import Losses
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.errors import BackendError, DeviceHungError, DeviceLostError
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.types.resources import Extent

_T = TypeVar("_T")


@dataclass(frozen=True)
class Opening:
    """Factories of a show's parts; ``backend`` and ``target`` are called again after a device loss."""

    backend: Callable[[], Backend]
    target: Callable[[Backend], Target]
    session: Callable[[Backend, Target], Session]


class Show:
    """Renders the frames of a game and recovers from device loss.

    A lost device is closed, and the frame is rendered again on a newly opened one. The session survives: the game, the
    graph and the plugins continue, histories are initialised. Raises ``DeviceLostError`` if losses are too frequent
    (``renderwright.engine.losses``), ``BackendError`` if no device can be opened any more, and ``DeviceHungError`` for
    a device that does not answer but is not lost: it may still use its memory and the window.
    """

    def __init__(self, opening: Opening, losses: Losses | None = None) -> None:
        self._opening = opening
        self._losses = losses or Losses()
        self._backend = opening.backend()
        self._target: Target | None = None
        self._unseen: Target | None = None
        self._extent: Extent | None = None
        self._session: Session | None = None
        try:
            self._on_a_device(self._settle)
        except BaseException:
            self.close()
            raise

    @property
    def session(self) -> Session:
        """The session, the same one for the lifetime of the show."""
        assert self._session is not None
        return self._session

    @property
    def backend(self) -> Backend:
        """The session's current backend."""
        return self._backend

    @property
    def target(self) -> Target:
        """The current target."""
        assert self._target is not None
        return self._target

    def render(self) -> FrameReport | None:
        """Render the current state of the game; None if nothing can be shown now."""
        return self._on_a_device(lambda: self.session.render(self.target))

    def render_unseen(self) -> FrameReport | None:
        """Like ``render`` without the window, for plugins that show the views elsewhere (a headset)."""
        return self._on_a_device(lambda: self.session.render(self._nowhere()))

    def follow(self, extent: Extent) -> None:
        """Follow the size of the window."""
        self._on_a_device(lambda: self.target.resize(extent) if extent != self.target.extent else None)

    def picture(self) -> NDArray[np.uint8]:
        """A picture, uint8 (height, width, 4), sRGB-encoded: the last frame, or for a window a new offscreen frame."""
        return self._on_a_device(self._windowed_picture if self.target.windowed else self._last_picture)

    def on_a_device(self, work: Callable[[Session], _T]) -> _T:
        """Call ``work`` with the session; if the device is lost, call it again on another device."""
        return self._on_a_device(lambda: work(self.session))

    def close(self) -> None:
        """End the game and release everything."""
        try:
            if self._session is not None:
                self._session.close()
        finally:
            self._backend.close()

    def _last_picture(self) -> NDArray[np.uint8]:
        if self.session.runtime.target_texture is None:
            # The picture was lost with its device.
            self.session.render(self.target)
        return self.session.picture()

    def _windowed_picture(self) -> NDArray[np.uint8]:
        target = self._backend.create_target(self.target.extent)
        self.session.render(target)
        picture = self.session.picture()
        target.close()
        return picture

    def _nowhere(self) -> Target:
        if self._unseen is None:
            self._unseen = self._backend.create_target((1, 1))
        return self._unseen

    def _on_a_device(self, attempt: Callable[[], _T]) -> _T:
        lost = False
        while True:
            try:
                if lost:
                    self._reopen()
                return attempt()
            except DeviceHungError as error:
                raise self._with_nodes(error) from error
            except DeviceLostError as error:
                frame = self._session.runtime.frame if self._session is not None else 0
                self._losses.note(error, frame)
                if self._session is not None:
                    self._session.abandon()
                if self._target is not None:
                    self._extent, self._target = self._target.extent, None
                self._unseen = None
                self._backend.close()
                lost = True

    def _with_nodes(self, error: DeviceHungError) -> DeviceHungError:
        """The error with the nodes that the device is working on, where it tells."""
        nodes = self._session.runtime.unfinished() if self._session is not None else ()
        words = dict.fromkeys(node_in_words(node.declaration.name, node.declaration.plugin) for node in nodes)
        plugins = sorted({node.declaration.plugin for node in nodes} - {""})
        hints = [f"switch {' or '.join(plugins)} off"] if plugins else []
        hints.append("allow for more with --hang-after SECONDS")
        at = f" in {' or '.join(words)}" if words else ""
        return DeviceHungError(f"{error.message}{at}", hint=f"{error.hint}; {', or '.join(hints)}")

    def _reopen(self) -> None:
        try:
            self._backend = self._opening.backend()
        except DeviceLostError:
            raise
        except BackendError as error:
            raise BackendError(
                f"the device was lost and cannot be opened again: {error.message}", hint=error.hint
            ) from error
        if self._session is not None:
            self._settle()

    def _settle(self) -> None:
        self._target = self._opening.target(self._backend)
        if self._extent is not None and not self._target.windowed:
            # A window reports its own size.
            self._target.resize(self._extent)
        if self._session is None:
            self._session = self._opening.session(self._backend, self._target)
        else:
            self._session.move_to(self._backend)
