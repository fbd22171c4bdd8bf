"""Notices of what a game asks for and does not get: input that it never declared, plugins that it never enabled, more
shadows than there are."""

from __future__ import annotations

import logging
from collections.abc import Collection

from renderwright.engine.game import Game, GameContext
from renderwright.engine.input.keys import BUTTONS, PAD_AXES
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.input.state import UnknownName
from renderwright.engine.mistyped_parts import mistyped_parts
from renderwright.engine.notices import Notice, Notices
from renderwright.engine.plugins.drawn_kinds import unused_plugin_of
from renderwright.engine.plugins.host import PluginHost
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED
from renderwright.engine.scene.light import DirectionalLight
from renderwright.engine.scene.scene import Scene
from renderwright.render.suggest import did_you_mean

_log = logging.getLogger("renderwright.game")


class GameNotices:
    """The notices of one session. With ``strict``, the first one raises ``UsageError``."""

    def __init__(self, game: type[Game], plugins: PluginHost, *, strict: bool = False) -> None:
        self._game = game
        self._plugins = plugins
        self._notices = Notices(_log, strict=strict)
        self._names = 0
        self._kinds = 0
        self._shadows: tuple[int, int | None] = (0, None)
        for notice in mistyped_parts(game):
            self._notices.give(notice)

    def follow(self, context: GameContext, coming: Collection[str] = ()) -> None:
        """Look at what the game has asked for in a frame, and give the notices that are new.

        ``coming`` are plugins that are being imported.
        """
        unknown, kinds = context.input.unknown, context.scene.placed.kinds
        new_names, self._names = unknown[self._names :], len(unknown)
        for one in new_names:
            self._notices.give(_name_notice(one, context.input.map, self._game))
        new_kinds, self._kinds = kinds[self._kinds :], len(kinds)
        for kind, where in new_kinds:
            plugin = unused_plugin_of(kind, self._plugins)
            if plugin and plugin not in coming:
                self._notices.give(
                    Notice(
                        kind,
                        f'things of the kind {kind.__name__} are placed, and not drawn: their plugin "{plugin}" is '
                        "not enabled",
                        f'add "{plugin}" to {self._game.__name__}.plugins, or play with --enable {plugin}',
                        where,
                    )
                )

    def follow_shadows(self, scene: Scene, wanting: int, most: int | None) -> None:
        """Look at how many local lights want shadows, and how many get them; None if no plugin makes any."""
        if (wanting, most) == self._shadows:
            return
        self._shadows = (wanting, most)
        if most and wanting > most:
            self._notices.give(_shadow_notice(scene, wanting, most, self._plugins))


def _name_notice(unknown: UnknownName, controls: InputMap, game: type[Game]) -> Notice:
    name, button = unknown.name, unknown.button
    if button:
        other, known, what = {*controls.axes, *PAD_AXES}, {*controls.actions, *BUTTONS}, "action or key"
        instead, never = f'it is an axis: write axis("{name}")', "never down"
    else:
        other, known, what = {*controls.actions, *BUTTONS}, {*controls.axes, *PAD_AXES}, "axis"
        instead, never = f'it is a button: write held("{name}") or pressed("{name}")', "always 0"
    hint = instead if name in other else f"{did_you_mean(name, known)}\n  or declare it in {game.__name__}.controls"
    return Notice(
        ("input", name, button),
        f'input.{unknown.method}("{name}") is {never}: there is no {what} of that name',
        hint,
        unknown.where,
    )


def _shadow_notice(scene: Scene, wanting: int, most: int, plugins: PluginHost) -> Notice:
    casting = [light for light in scene.lights if light.casts_shadow and not isinstance(light, DirectionalLight)]
    more = [one.name for one in plugins.plugins() if one.shadowed_lights == most < MOST_SHADOWED]
    allow = f", or allow more: `renderwright plugins info {more[0]}` lists the settings" if more else ""
    return Notice(
        "shadowed lights",
        f"{wanting} local lights have casts_shadow=True, and the {most} brightest where the cameras are cast shadows",
        f"let fewer cast shadows{allow}",
        casting[most].made_at,
    )
