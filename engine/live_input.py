"""The input of a window, and its recording."""

from __future__ import annotations

from pathlib import Path

from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.input.pyglet_source import PygletSource
from renderwright.engine.input.recorder import Recorder
from renderwright.engine.input.state import InputState
from renderwright.engine.session import Session
from renderwright.engine.window import GameWindow
from renderwright.render.errors import UsageError


class LiveInput:
    """Keyboard, mouse and gamepads of a window as the input of a session, and the recording of it since the game began.

    ``gamepads`` are those of the players.
    """

    def __init__(self, window: GameWindow, session: Session) -> None:
        self.gamepads = Gamepads()
        self._context = session.context
        self._recorder = Recorder(session.runner.clock.step, self._context.seed, self._context.players)
        self._source = PygletSource(window.window, session.context.input, self.gamepads)
        session.runner.source = self._source
        session.runner.watcher = self

    def close(self) -> None:
        """Stop listening."""
        self._source.close()

    def watch(self, state: InputState, step: int) -> None:
        """Record the input of a step."""
        self._recorder.watch(state, step, self._context.players)

    def save(self, path: Path) -> str:
        """Write the recording to a file, and return in words what is in it. Raises ``UsageError``."""
        recorder = self._recorder
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            recorder.save(path)
        except OSError as error:
            raise UsageError(
                f"the replay cannot be written to {path}: {error.strerror}", hint="choose a folder with room to write"
            ) from error
        return f"the first {recorder.seconds:.0f} s: more has no room" if recorder.full else "all since the game began"
