"""The panel: one window of the user interface over the picture, with tabs."""

from __future__ import annotations

from collections.abc import Sequence

from slimgui import imgui

from renderwright.engine.panel.frame_tab import FrameTab, PlayersTools
from renderwright.engine.panel.gui import Gui
from renderwright.engine.panel.messages_tab import MessagesTab
from renderwright.engine.panel.node import NODE, PanelNode
from renderwright.engine.panel.plugins_tab import PluginsTab, Remember
from renderwright.engine.panel.tab import Edit, Tab
from renderwright.engine.panel.texts import alarm
from renderwright.engine.panel.textures_tab import TexturesTab
from renderwright.engine.panel.times_tab import TimesTab
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.session import Session
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.types.resources import Extent

_WIDTH = 420.0
_MARGIN = 12.0
_OPACITY = 0.92


class Panel:
    """The panel of a session, open or closed. While it is closed, nothing of it is in the graph.

    ``gui`` takes the events of the window. ``messages`` are what was said since the game began. ``players`` is what the
    players can do with their input; None for a replay.
    Call ``update`` before and ``see`` behind each frame.
    """

    def __init__(
        self, session: Session, remember: Remember, messages: RecentMessages, players: PlayersTools | None = None
    ) -> None:
        self._session = session
        self.gui = Gui()
        self._node = PanelNode(lambda: session.backend, lambda: self.gui.font)
        self._times, self._textures = TimesTab(), TexturesTab()
        self._tabs: Sequence[Tab] = (
            PluginsTab(remember),
            self._times,
            FrameTab(players),
            self._textures,
            MessagesTab(messages),
        )
        self._errors: dict[str, str] = {}
        self._declared: tuple[int, ...] | None = None
        self._sampled: int | None = None
        self._rectangle = (0.0, 0.0, 0.0, 0.0)
        self._extent: Extent | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self._declared is not None

    def switch(self, extent: Extent) -> None:
        """Open or close it, in a window of that size."""
        if self.is_open:
            self._leave()
        else:
            self._lay_out(extent, 0.0)
            self._add_node()
            self._times.forget()
            self._sampled = self._session.runtime.times.every

    def update(self, extent: Extent, seconds: float) -> None:
        """Draw the widgets of a frame and do what the user has asked for, if it is open."""
        if not self.is_open:
            return
        if min(extent) > 0:
            self._lay_out(extent, seconds)
        if self._node.font_size != self._declared:
            self._add_node()
        self._session.runtime.times.every = 1  # there is another runtime after a device loss

    def see(self, report: FrameReport) -> None:
        """Collect what a frame has taken, if it is open."""
        if self.is_open:
            self._times.see(report)

    def covers(self, x: float, y: float) -> bool:
        """Whether it is open and lay there in the last frame, in pixels from the top left of the window."""
        left, top, right, bottom = self._rectangle
        return self.is_open and left <= x < right and top <= y < bottom

    def close(self) -> None:
        """Release everything."""
        if self.is_open:
            self._leave()
        self._node.close()
        self.gui.close()

    def _leave(self) -> None:
        self._textures.leave(self._session)
        self.gui.lose_focus()
        self._session.graph.remove_node(NODE)
        self._declared = None
        if self._sampled is not None:
            self._session.runtime.times.every = self._sampled

    def _add_node(self) -> None:
        self._declared = self._node.font_size
        self._node.join(self._session.graph)

    def _lay_out(self, extent: Extent, seconds: float) -> None:
        self.gui.begin(extent, seconds)
        self._keep_within(extent)
        imgui.set_next_window_bg_alpha(_OPACITY)
        asked: list[tuple[Tab, Edit]] = []
        if imgui.begin(f"{self._session.runner.game.title}###panel")[0] and imgui.begin_tab_bar("tabs"):
            asked = [(tab, edit) for tab in self._tabs for edit in self._lay_out_tab(tab)]
            imgui.end_tab_bar()
        (left, top), (width, height) = imgui.get_window_pos(), imgui.get_window_size()
        self._rectangle = (left, top, left + width, top + height)
        imgui.end()
        self._node.lists = self.gui.finish()
        for tab, edit in asked:
            self._errors.pop(tab.name, None)
            try:
                edit()
            except UsageError as error:
                self._errors[tab.name] = str(error)

    def _keep_within(self, extent: Extent) -> None:
        """Begin on the right of the window, as high as it is, and follow its edges when it becomes smaller."""
        widest, highest = extent[0] - 2 * _MARGIN, extent[1] - 2 * _MARGIN
        imgui.set_next_window_size_constraints((0.0, 0.0), (max(1.0, widest), max(1.0, highest)))
        if self._extent is None:
            width = min(_WIDTH, widest)
            imgui.set_next_window_size((width, highest))
            imgui.set_next_window_pos((extent[0] - width - _MARGIN, _MARGIN))
        elif self._extent != extent:
            left, top, right, bottom = self._rectangle
            across, down = _MARGIN + min(right - left, widest), _MARGIN + min(bottom - top, highest)
            imgui.set_next_window_pos((min(left, extent[0] - across), min(top, extent[1] - down)))
        self._extent = extent

    def _lay_out_tab(self, tab: Tab) -> Sequence[Edit]:
        if not imgui.begin_tab_item(tab.name)[0]:
            return ()
        if tab.name in self._errors:
            alarm(self._errors[tab.name])
        imgui.begin_child("contents")
        edits = list(tab.draw(self._session))
        imgui.end_child()
        imgui.end_tab_item()
        return edits
