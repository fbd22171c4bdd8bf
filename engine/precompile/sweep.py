"""Plays a scene without a device and switches plugins, settings and players, so that nodes request their shaders."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import PluginState, Setting, describe_settings
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.sky import Sky
from renderwright.engine.session import Session
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError, UsageError

MAX_VALUES = 16
"""An integer setting with at most this many values is tried with each of them."""

_EXTENT = (256, 144)
_PLAYERS = 4
_FRAME = 1.0 / 60.0
_log = logging.getLogger("renderwright.precompile")
_plugins_log = logging.getLogger("renderwright.plugins")


def sweep(library: RecordingLibrary, plugins: Sequence[str]) -> None:
    """Load every shader that the engine and the plugins request on the shipped skeletons, with or without environment.

    Each plugin is switched on alone, and off beside the others; each setting is changed for the plugin alone, and those
    that change its shaders beside the others, too. Raises ``PluginError`` if a plugin fails with its default settings.
    """
    changes: dict[_Change, None] = {}
    for environment in (False, True):
        for skeleton in shipped_skeletons():
            stage = _Stage(library, _game(skeleton, environment))
            try:
                stage.sweep(plugins, changes, search=not environment)
            finally:
                stage.close()


def _game(skeleton_name: str, environment: bool) -> type[Game]:
    class Stage(Game):
        """An empty scene for several players."""

        title = "precompile"
        skeleton = skeleton_name
        plugins = ()
        max_players = _PLAYERS

        def setup(self, context: GameContext) -> None:
            context.scene.cameras = [Camera(glm.vec3(0, 2, 5), glm.vec3(0)) for _ in range(_PLAYERS)]
            if environment:
                context.scene.environment = Environment(Panorama.of_sky(Sky(), height=8))

    return Stage


@dataclass(frozen=True)
class _Change:
    """A setting of a plugin with another value than its default."""

    plugin: str
    key: str
    value: object
    default: object


class _Stage:
    """A session without a device."""

    def __init__(self, library: RecordingLibrary, game: type[Game]) -> None:
        self._library = library
        backend = NullBackend()
        self._target = backend.create_target(_EXTENT)
        clock = FixedStepClock(game.step, frame=_FRAME)
        self._session = Session(game, backend, _EXTENT, choice=PluginChoice(), clock=clock, shaders=library)
        self._plugins = self._session.plugins

    def close(self) -> None:
        self._session.close()

    def sweep(self, plugins: Sequence[str], changes: dict[_Change, None], *, search: bool) -> None:
        """Play everything. ``changes`` are those of earlier stages; ``search`` tries all others and adds to them."""
        self._frame()
        effects = []
        for name in plugins:
            self._enable(name)
            for change in [change for change in changes if change.plugin == name]:
                self._try(change)
            if search:
                changes.update(dict.fromkeys(self._changes_of_shaders(name)))
            if any(status.name == name for status in self._plugins.enabled_without_views()):
                effects.append(name)
            else:
                self._play_views()
            self._plugins.disable(name)

        for name in effects:
            self._enable(name)
        for name in effects:
            self._plugins.disable(name)
            self._frame()
            self._plugins.enable(name)
        for change in changes:
            self._enable(change.plugin)
            self._try(change)
        for name in plugins:
            if name not in effects:
                self._enable(name)
                self._play_views()
                self._plugins.disable(name)

    def _play_views(self) -> None:
        for players in range(1, _PLAYERS + 1):
            self._session.set_players(players)
            self._frame()
        self._session.set_players(1)

    def _enable(self, name: str) -> None:
        self._plugins.enable(name)
        self._frame()
        status = self._plugins.status(name)
        if status.state is not PluginState.ENABLED:
            raise PluginError(f'plugin "{name}" cannot be played: {status.reason}')

    def _changes_of_shaders(self, name: str) -> list[_Change]:
        """The changes of single settings with which other shaders are requested; each is tried."""
        settings = self._plugins.status(name).settings
        found = []
        for setting in describe_settings(type(settings)) if settings is not None else ():
            default = getattr(settings, setting.key)
            for value in _values(setting):
                change = _Change(name, setting.key, value, default)
                before = len(self._library.requests)
                self._try(change)
                if len(self._library.requests) > before:
                    found.append(change)
        return found

    def _try(self, change: _Change) -> None:
        """Play a frame with a setting, if the plugin can be played with it."""
        level = _plugins_log.level
        _plugins_log.setLevel(logging.ERROR)
        try:
            self._plugins.set(change.plugin, change.key, change.value)
            self._frame()
        except UsageError as error:
            _log.info("%s is left out: %s", change, error)
        finally:
            _plugins_log.setLevel(level)
        self._plugins.set(change.plugin, change.key, change.default)
        self._plugins.enable(change.plugin)

    def _frame(self) -> None:
        self._session.step()
        self._session.render(self._target)


def _values(setting: Setting) -> Sequence[object]:
    """The values of a setting that may select shaders. Numbers with many values are uniforms."""
    if setting.choices:
        return setting.choices
    if setting.type == "boolean":
        return (False, True)
    if setting.type == "integer" and setting.minimum is not None and setting.maximum is not None:
        values = range(int(setting.minimum), int(setting.maximum) + 1)
        return values if len(values) <= MAX_VALUES else ()
    return ()
