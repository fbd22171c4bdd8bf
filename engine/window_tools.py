"""What a window offers beside the game: the panel, pause, the whole screen, pictures, replays, gamepads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renderwright.engine.messages import say
from renderwright.engine.picture import numbered, save_png
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.session import Session
from renderwright.engine.show import Show
from renderwright.engine.window import GameWindow
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_report import FrameReport

if TYPE_CHECKING:
    from renderwright.engine.capture.window_capture import WindowCapture
    from renderwright.engine.live_input import LiveInput
    from renderwright.engine.panel.events import PanelEvents
    from renderwright.engine.panel.panel import Panel

KEYS_IN_WORDS = (
    "Ctrl+P opens the panel, Ctrl+Space pauses, Ctrl+Right plays one step, Ctrl+F fills the screen, "
    "Ctrl+S saves a picture, Ctrl+R a replay, Ctrl+K captures a frame, Ctrl+G hands the gamepads on."
)
_PANEL_MISSING = "The panel needs the extra `panel`: pip install 'renderwright[panel]'"


class WindowTools:
    """Acts on keys with Ctrl, which do not reach the game.

    ``game`` is the game's identity. Screenshots and replays are numbered files beside ``picture``. ``live`` is the
    input; None for a replay, which is not paused, and whose number of players stays. The panel shows the ``messages``.
    """

    def __init__(
        self,
        window: GameWindow,
        show: Show,
        game: str,
        picture: Path,
        live: LiveInput | None,
        messages: RecentMessages,
    ) -> None:
        from pyglet.window import key

        self._window: Any = window.window
        self._show = show
        self._game = game
        self._picture = picture
        self._live = live
        self._messages = messages
        self._panel: Panel | None = None
        self._events: PanelEvents | None = None
        self._captured: WindowCapture | None = None
        self._paused = False
        self._single = False
        self._commands: dict[int, Callable[[], None]] = {
            key.P: self._switch_panel,
            key.SPACE: self._pause,
            key.RIGHT: self._step,
            key.F: self._fill_screen,
            key.S: self._save_picture,
            key.R: lambda: say(self._save_replay()),
            key.G: self._hand_gamepads_on,
            key.K: self._capture,
        }
        self._pressed: list[Callable[[], None]] = []
        self._ctrl = key.MOD_CTRL
        self._window.push_handlers(on_key_press=self._key_press)

    def seconds(self, elapsed: float) -> float:
        """How far the game goes in a frame that comes ``elapsed`` seconds after the last one."""
        if not self._paused:
            return elapsed
        single, self._single = self._single, False
        return self._show.session.runner.clock.step if single else 0.0

    def update(self, elapsed: float) -> None:
        """Do what was asked for, and lay the panel out. Call it before each frame."""
        pressed, self._pressed = self._pressed, []
        for command in pressed:
            try:
                command()
            except UsageError as error:
                say(f"{error}")
        if self._panel is not None:
            self._panel.update(self._extent, elapsed)
        if self._events is not None:
            self._events.update()

    def see(self, report: FrameReport) -> None:
        """Look at a frame that was shown."""
        if self._panel is not None:
            self._panel.see(report)
        if self._captured is not None:
            self._follow_capture(self._captured, report)

    def close(self) -> None:
        """Stop listening, and release the panel."""
        self._window.remove_handlers(on_key_press=self._key_press)
        if self._events is not None:
            self._events.close()
        if self._panel is not None:
            self._panel.close()

    @property
    def _extent(self) -> tuple[int, int]:
        return self._show.target.extent

    @property
    def _session(self) -> Session:
        return self._show.session

    def _key_press(self, symbol: int, modifiers: int) -> bool:
        command = self._commands.get(symbol) if modifiers & self._ctrl else None
        if command is not None:
            self._pressed.append(command)
        return command is not None

    def _switch_panel(self) -> None:
        if self._panel is None:
            self._panel = self._opened()
        if self._panel is not None:
            self._panel.switch(self._extent)

    def _opened(self) -> Panel | None:
        try:
            from renderwright.engine.panel.events import PanelEvents
            from renderwright.engine.panel.frame_tab import PlayersTools
            from renderwright.engine.panel.panel import Panel
        except ModuleNotFoundError as error:
            if error.name != "slimgui":
                raise
            say(_PANEL_MISSING)
            return None
        from renderwright.engine.preferences import remember_plugin

        live = self._live
        tools = PlayersTools(live.gamepads, self._save_replay) if live is not None else None
        panel = Panel(self._session, lambda status: remember_plugin(self._game, status), self._messages, tools)
        self._events = PanelEvents(self._window, panel)
        # The commands come first: they are no text.
        self._window.remove_handlers(on_key_press=self._key_press)
        self._window.push_handlers(on_key_press=self._key_press)
        return panel

    def _pause(self) -> None:
        if self._live is None:
            say("A replay cannot be paused.")
            return
        self._paused = not self._paused
        say("The game is paused." if self._paused else "The game goes on.")

    def _step(self) -> None:
        self._single = self._paused

    def _fill_screen(self) -> None:
        self._window.set_fullscreen(not self._window.fullscreen)

    def _save_picture(self) -> None:
        path = numbered(self._picture, self._picture.suffix)
        save_png(path, self._show.picture())
        say(f"The picture is in {path}")

    def _save_replay(self) -> str:
        if self._live is None:
            raise UsageError("This is a replay.", hint="its file has what it would save")
        path = numbered(self._picture, ".yaml")
        return f"The replay is in {path}: {self._live.save(path)}."

    def _hand_gamepads_on(self) -> None:
        if self._live is None:
            raise UsageError("A replay has no gamepads.", hint="play without --replay")
        self._live.gamepads.hand_on(self._session.context.players)

    def _capture(self) -> None:
        from renderwright.engine.capture.window_capture import WindowCapture

        if self._captured is None:
            self._captured = WindowCapture(self._session, numbered(self._picture, ".html"))

    def _follow_capture(self, capture: WindowCapture, report: FrameReport) -> None:
        try:
            capture.see(self._session, report)
        except UsageError as error:
            say(f"{error}")
            self._captured = None
        if capture.done:
            self._captured = None
