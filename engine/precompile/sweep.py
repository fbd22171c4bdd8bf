"""Plays a scene without a device and switches plugins, settings and players, so that nodes request their shaders."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from renderwright.engine.class_location import class_location
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.panel.node import NODE, PanelNode
from renderwright.engine.panel.shown_texture import ShownTexture, texture_names
from renderwright.engine.plugins import PluginState, Setting, describe_settings
from renderwright.engine.precompile.game_of_everything import MOST_PLAYERS, game_of_everything, spawn_surfaces
from renderwright.engine.precompile.game_surfaces import GameSurfaces
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.own_skeletons import own_skeletons
from renderwright.engine.scene.placements import Placed
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.session import Session
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError, UsageError
from renderwright.render.sync.queues import GRAPHICS

MAX_VALUES = 16
"""An integer setting with at most this many values is tried with each of them."""

_EXTENT = (256, 144)
_FRAME = 1.0 / 60.0
_log = logging.getLogger("renderwright.precompile")
_plugins_log = logging.getLogger("renderwright.plugins")
_played_logs = tuple([logging.getLogger(f"renderwright.{name}") for name in ("scene", "game")])
"""Some skeletons do not draw all of the scene, plugins are often off, and its lamps are many."""


def sweep(
    library: RecordingLibrary,
    plugins: Sequence[str],
    beside: Sequence[str] = (),
    progress: Callable[[float], None] = lambda done: None,
    games: Sequence[GameSurfaces] = (),
) -> None:
    """Load every shader that the engine and the plugins request on the shipped skeletons, in a scene without
    environment and in one with it and many lights.

    Each plugin is switched on alone, and off beside the others; each setting is changed for the plugin alone, and those
    that change its shaders beside the others, too. The plugins ``beside`` these are only among the others, with their
    default settings. Plugins in the package of a game are also played on the skeleton of that game, beside the game's
    plugins. The surface functions of ``games`` are drawn on the skeletons of these games, with their plugins and
    those ``beside``; without ``plugins`` nothing else is played. ``progress`` gets the finished share, 0 to 1. Raises
    ``PluginError`` if a plugin fails with its default settings.
    """
    changes: dict[_Change, None] = {}
    kinds = [(environment, skeleton) for environment in (False, True) for skeleton in shipped_skeletons()]
    plays = [_Play(*kind, plugins, beside, search=not kind[0]) for kind in (kinds if plugins or not games else ())]
    plays += [_Play(False, own.path, own.plugins, own.beside, search=True) for own in own_skeletons(plugins)]
    for game in games:
        plays += [_Play(each, game.skeleton, game.plugins, beside, game.surfaces) for each in (False, True)]
    for number, play in enumerate(plays):
        stage = _Stage(library, game_of_everything(play.skeleton, environment=play.environment))
        try:
            stage.draw(play.surfaces)
            for done in stage.sweep(play.plugins, play.beside, {} if play.surfaces else changes, search=play.search):
                progress((number + done) / len(plays))
        finally:
            stage.close()


@dataclass(frozen=True)
class _Play:
    """What is played on a skeleton; ``search`` tries the values of settings."""

    environment: bool
    skeleton: str
    plugins: Sequence[str]
    beside: Sequence[str]
    surfaces: Sequence[SurfaceShader] = ()
    search: bool = False


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
        # Nothing is executed, and neither the order of nodes nor queues and memory select shaders.
        runtime = self._session.runtime
        runtime.options = replace(runtime.options, executed=False, order="declared", queues=(GRAPHICS,), alias=False)
        self._plugins = self._session.plugins
        self._placed: set[type[Placed]] = set()
        self._surfaces: set[SurfaceShader] = set()

    def close(self) -> None:
        self._session.close()

    def sweep(
        self, plugins: Sequence[str], beside: Sequence[str], changes: dict[_Change, None], *, search: bool
    ) -> Iterator[float]:
        """Play everything; yields the finished share.

        ``changes`` are those of earlier stages; ``search`` tries all others and adds to them.
        """
        every = sorted({*plugins, *beside})
        self._frame()
        for number, name in enumerate(plugins):
            self._play_alone(name, changes, search=search)
            yield number / (len(plugins) + len(every))
        rivals = self._rivals(plugins, [name for name in beside if name not in plugins])
        every = [name for name in every if name not in rivals]
        effects = [name for name in every if not self._arranges_views(name)]
        self._enable(*effects)
        self._play_panel()
        for number, name in enumerate(effects):
            self._plugins.disable(name)
            self._frame()
            self._plugins.enable(name)
            yield (len(plugins) + number) / (len(plugins) + len(every))
        for together in _in_rounds(change for change in changes if change.plugin in effects):
            if not self._try(*together):
                for change in together:
                    self._try(change)
        for change in changes:
            if change.plugin not in effects:
                self._plugins.enable(change.plugin)
                self._try(change)
                self._plugins.disable(change.plugin)
        for name in every:
            if name not in effects:
                self._enable(name)
                self._play_views()
                self._plugins.disable(name)
        yield 1.0

    def _rivals(self, plugins: Sequence[str], others: Sequence[str]) -> frozenset[str]:
        """The other plugins that create what one of the plugins creates: only one of them can be in a frame."""
        if not others:
            return frozenset()
        made = {resource for name in plugins for resource in self._created(name)}
        rivals = {name: sorted(self._created(name) & made) for name in others}
        for name, shared in rivals.items():
            if shared:
                _log.info("%s is not played beside %s: both create %s", name, ", ".join(plugins), ", ".join(shared))
        return frozenset(name for name, shared in rivals.items() if shared)

    def _created(self, name: str) -> set[str]:
        """The resources that the nodes of a plugin create, which is off."""
        graph = self._session.graph
        self._plugins.enable(name)
        graph.declare()
        nodes = [node.declaration for node in graph.declared_nodes.values()]
        self._plugins.disable(name)
        return {
            request.creates for node in nodes if node.plugin == name for request in node.requests if request.creates
        }

    def _play_alone(self, name: str, changes: dict[_Change, None], *, search: bool) -> None:
        self._enable(name)
        for change in [change for change in changes if change.plugin == name]:
            self._try(change)
        if search:
            changes.update(dict.fromkeys(self._changes_of_shaders(name)))
        if self._arranges_views(name):
            self._play_views()
        self._plugins.disable(name)

    def _arranges_views(self, name: str) -> bool:
        """Whether a plugin arranges views. It is switched off afterwards unless it was on."""
        was_on = self._plugins.is_enabled(name)
        self._plugins.enable(name)
        found = all(status.name != name for status in self._plugins.enabled_without_views())
        if not was_on:
            self._plugins.disable(name)
        return found

    def _play_panel(self) -> None:
        """Draw the panel of a window, and show a texture with layers and one without on it."""
        graph = self._session.graph
        panel = PanelNode(lambda: self._session.backend, lambda: np.zeros((1, 1, 4), np.uint8))
        panel.join(graph)
        shown = ShownTexture()
        textures = {texture.layers > 1: texture for texture in texture_names(self._session.runtime.plan).values()}
        for texture in textures.values():
            shown.join(graph, texture)
            self._frame()
        shown.leave(graph)
        graph.remove_node(NODE)
        panel.close()

    def _play_views(self) -> None:
        for players in range(1, MOST_PLAYERS + 1):
            self._session.set_players(players)
            self._frame()
        self._session.set_players(1)

    def _enable(self, *names: str) -> None:
        for name in names:
            self._plugins.enable(name)
        self._frame()
        for name in names:
            status = self._plugins.status(name)
            if status.state is not PluginState.ENABLED:
                raise PluginError(f'plugin "{name}" cannot be played: {status.reason}')
            if status.info is not None:
                for kind in status.info.placed:
                    self._place(kind, name)
                self.draw(status.info.surfaces)

    def _place(self, kind: type[Placed], plugin: str) -> None:
        """Play things of a kind that a plugin draws: each alone, then all, which stay."""
        if kind in self._placed:
            return
        self._placed.add(kind)
        placed, things = self._session.context.scene.placed, kind.examples()
        if not isinstance(things, tuple | list):
            raise PluginError(
                f'plugin "{plugin}" cannot be played: {kind.__qualname__}.examples() returns {things!r}',
                hint="return a tuple of things that need all shaders",
                where=class_location(kind),
            )
        for thing in things:
            placed.add(thing)
            self._frame()
            placed.remove(thing)
        for thing in things:
            placed.add(thing)
        self._frame()

    def draw(self, surfaces: Iterable[SurfaceShader]) -> None:
        """Play surfaces of every kind with surface functions, which stay."""
        new = [surface for surface in surfaces if surface not in self._surfaces]
        for surface in new:
            self._surfaces.add(surface)
            spawn_surfaces(self._session.context.scene, surface)
        if new:
            self._frame()

    def _changes_of_shaders(self, name: str) -> list[_Change]:
        """The changes of single settings with which other shaders are requested; each is tried."""
        settings = self._plugins.status(name).settings
        found = []
        for setting in describe_settings(type(settings)) if settings is not None else ():
            default = getattr(settings, setting.key)
            for value in [value for value in _values(setting) if value != default]:
                change = _Change(name, setting.key, value, default)
                before = len(self._library.requests)
                self._try(change)
                if len(self._library.requests) > before:
                    found.append(change)
        return found

    def _try(self, *changes: _Change) -> bool:
        """Play a frame with settings; returns whether each plugin can be played with its own."""
        played = False
        with _without_warnings(_plugins_log):
            try:
                for change in changes:
                    self._plugins.set(change.plugin, change.key, change.value)
                self._frame()
                played = all(self._plugins.is_enabled(change.plugin) for change in changes)
            except UsageError as error:
                _log.info("%s is left out: %s", ", ".join(map(str, changes)), error)
        for change in changes:
            self._plugins.set(change.plugin, change.key, change.default)
            self._plugins.enable(change.plugin)
        return played

    def _frame(self) -> None:
        with _without_warnings(*_played_logs):
            self._session.step()
            self._session.prepare(self._target)
        self._session.plugins.end_frame(rendered=False)


def _in_rounds(changes: Iterable[_Change]) -> list[list[_Change]]:
    """The changes in as few rounds as possible, each with at most one change of each plugin.

    Plugins do not read each other's settings, but one setting of a plugin may do away with what another one changes.
    """
    rounds: list[list[_Change]] = []
    taken: Counter[str] = Counter()
    for change in changes:
        if taken[change.plugin] == len(rounds):
            rounds.append([])
        rounds[taken[change.plugin]].append(change)
        taken[change.plugin] += 1
    return rounds


@contextmanager
def _without_warnings(*logs: logging.Logger) -> Iterator[None]:
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


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
