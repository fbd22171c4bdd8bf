"""Hot reload of a game that is played."""

from __future__ import annotations

from renderwright.engine.reload.preferences_edit import PreferencesPlace
from renderwright.engine.reload.reloader import Reloader
from renderwright.engine.reload.watcher import FileWatcher, Watcher
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.shaders.source_files import HeldFiles


class LiveFiles:
    """The files of one session. It has to be made with ``library``.

    ``preferences`` says which ones are in use (None: none). ``watcher`` is what watches files (None: a ``FileWatcher``,
    which raises ``UsageError`` if its package is missing).
    """

    def __init__(self, preferences: PreferencesPlace | None = None, watcher: Watcher | None = None) -> None:
        self._preferences = preferences
        self._watcher = watcher if watcher is not None else FileWatcher()
        self._files = HeldFiles()
        self.library = ShaderLibrary([GLSL], files=self._files)
        self._reloader: Reloader | None = None

    def update(self, session: Session) -> None:
        """Take changes into the session; call it between frames."""
        if self._reloader is None:
            self._reloader = Reloader(session, self._watcher, self._files, preferences=self._preferences)
        self._reloader.update()

    def close(self) -> None:
        """End."""
        self._watcher.close()
