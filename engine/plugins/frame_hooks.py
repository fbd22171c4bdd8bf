"""The hooks that are called while a game runs. Those that nobody implements cost nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from pydantic import BaseModel

from renderwright.engine.plugins.loading import LoadedPlugin
from renderwright.engine.plugins.scene_change import SceneWatch
from renderwright.engine.scene import Scene
from renderwright.render.backend.interop import Interop
from renderwright.render.errors import CODE_FAILURES

if TYPE_CHECKING:
    from renderwright.engine.hud.layout import Hud

BEGIN_FRAME = "renderwright_begin_frame"
SCENE_CHANGED = "renderwright_scene_changed"
HUD = "renderwright_hud"
SETTING_CHANGED = "renderwright_setting_changed"


class EnabledPlugin(NamedTuple):
    """A plugin that is enabled, with what its hooks are given."""

    plugin: LoadedPlugin
    settings: BaseModel | None
    interop: Interop | None


class FrameHooks:
    """Calls the hooks of a frame, in the order of their turns and names.

    ``enabled`` lists the enabled plugins; call ``forget`` when it may list others. ``failed`` is told of a plugin that
    raises.
    """

    def __init__(
        self, enabled: Callable[[], Iterable[EnabledPlugin]], failed: Callable[[str, BaseException], None]
    ) -> None:
        self._enabled = enabled
        self._failed = failed
        self._listening: dict[str, tuple[EnabledPlugin, ...]] = {}
        self._watching: tuple[EnabledPlugin, ...] = ()
        self._watches: dict[LoadedPlugin, SceneWatch] = {}

    def forget(self) -> None:
        """Look anew which plugins implement which hook."""
        self._listening.clear()

    def begin_frame(self, time: float, scene: Scene) -> None:
        """A frame of the game begins, which has played ``time`` seconds, and tell of the entities of its scene."""
        for one in self._of(BEGIN_FRAME):
            self._call(one, BEGIN_FRAME, time=time)
        listening = self._of(SCENE_CHANGED)
        if listening is not self._watching:
            # A plugin that was off meanwhile is told of everything once more.
            self._watching = listening
            self._watches = {one.plugin: self._watches.get(one.plugin) or SceneWatch() for one in listening}
        for one in listening:
            change = self._watches[one.plugin].change(scene)
            if change is not None:
                self._call(one, SCENE_CHANGED, change=change)

    def draw_hud(self, huds: tuple[Hud, ...]) -> None:
        """The game has drawn its HUDs, one for each player. What a plugin has drawn until it raises is discarded."""
        for one in self._of(HUD):
            before = [hud.drawn for hud in huds]
            for player, hud in enumerate(huds):
                if not self._call(one, HUD, hud=hud, player=player):
                    for drawn_on, drawn in zip(huds, before, strict=True):
                        drawn_on.discard_from(drawn)
                    break

    def setting_changed(self, plugin: str, key: str) -> None:
        """A setting of an enabled plugin has another value."""
        for one in self._of(SETTING_CHANGED):
            if one.plugin.info.name == plugin:
                self._call(one, SETTING_CHANGED, key=key)

    def _of(self, hook: str) -> tuple[EnabledPlugin, ...]:
        listening = self._listening.get(hook)
        if listening is None:
            found = [one for one in self._enabled() if hook in one.plugin.hooks]
            found.sort(key=lambda one: (one.plugin.hooks[hook].turn, one.plugin.info.name))
            listening = self._listening[hook] = tuple(found)
        return listening

    def _call(self, one: EnabledPlugin, hook: str, **arguments: object) -> bool:
        """Call a hook. Returns whether it came back."""
        try:
            one.plugin.call(hook, settings=one.settings, interop=one.interop, **arguments)
        except CODE_FAILURES as error:
            self._failed(one.plugin.info.name, error)
            return False
        return True
