"""Plugins on and off, and their settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from slimgui import imgui

from renderwright.engine.panel.form import arguments, changed_by_user
from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import alarm, note
from renderwright.engine.plugin_keys import shown_key
from renderwright.engine.plugins.settings import describe_settings
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.engine.session import Session

Remember = Callable[[PluginStatus], str]
"""Keeps a plugin's state and settings for the next run of the game; returns what is to be said about it."""


class PluginsTab:
    """All installed plugins. A check box switches a plugin, a click on its name opens its settings."""

    name = "plugins"

    def __init__(self, remember: Remember) -> None:
        self._remember = remember
        self._told: dict[str, str] = {}

    def draw(self, session: Session) -> Iterator[Edit]:
        """See ``Tab``."""
        keys = {plugin: key for key, plugin in session.context.plugin_keys.items()}
        arriving = session.arrivals.names if session.arrivals is not None else ()
        for status in session.plugins.plugins():
            imgui.push_id(status.name)
            on = status.state is PluginState.ENABLED or status.name in arriving
            switched = imgui.checkbox("##on", on)[0]
            imgui.same_line()
            key = f"   [{shown_key(keys[status.name])}]" if status.name in keys else ""
            opened = imgui.tree_node(f"{status.name}{key}")
            if not opened:  # what opens is below the mouse
                imgui.set_item_tooltip("\n".join(_description(status)))
            if status.reason and status.failed:
                imgui.same_line()
                alarm(str(status.state))
            if opened:
                yield from self._details(session, status)
                imgui.tree_pop()
            imgui.pop_id()
            if switched:
                yield partial(session.toggle, status.name)

    def _details(self, session: Session, status: PluginStatus) -> Iterator[Edit]:
        note(_description(status)[0])
        if status.failed:
            imgui.text_wrapped(status.reason)
            if imgui.button("retry"):
                yield partial(session.plugins.retry, status.name)
            if status.traceback and imgui.tree_node("traceback"):
                imgui.text_wrapped(status.traceback)
                imgui.tree_pop()
        if status.settings is None:
            note("no settings" if status.info is not None else "switch it on to see its settings")
        else:
            for key, value in changed_by_user(status.settings, describe_settings(type(status.settings))).items():
                yield partial(session.plugins.set, status.name, key, value)
            chosen = arguments(status.name, status.settings)
            if chosen:
                if imgui.small_button("copy"):
                    imgui.set_clipboard_text(chosen)
                imgui.same_line()
                note(chosen)
        if imgui.small_button("remember for this game"):
            yield partial(self._keep, status)
        if status.name in self._told:
            note(self._told[status.name])

    def _keep(self, status: PluginStatus) -> None:
        self._told[status.name] = self._remember(status)


def _description(status: PluginStatus) -> Sequence[str]:
    """What a plugin is for, where it comes from, and whether it is on; a line each."""
    lines = [status.info.summary] if status.info is not None else []
    if status.distribution:
        lines.append(f"{status.distribution} {status.version}")
    lines.append(f"{status.state}{f': {status.reason}' if status.reason else ''}")
    return lines
