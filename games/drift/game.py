"""The ``Game`` class: input to rules, rules to sprites and HUD."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera
from renderwright.engine.sprites import Text
from renderwright.games.drift.autopilot import fly
from renderwright.games.drift.backdrop import Backdrop, sway
from renderwright.games.drift.cameras import Chase
from renderwright.games.drift.controls import CONTROLS, MOST_PLAYERS, helms
from renderwright.games.drift.dust import Dust
from renderwright.games.drift.effects import Effects
from renderwright.games.drift.hud_view import draw_match, draw_title
from renderwright.games.drift.match import STEP, Match
from renderwright.games.drift.match_view import MatchView
from renderwright.games.drift.pixels import dot, sheet
from renderwright.games.drift.rule_files import load_rules, load_waves

_TITLE_COLOR = (1.2, 5.5, 9.0, 1.0)
_TITLE_LAYER = 20
_SETTLE = 0.7
"""Seconds after the end in which no key begins anew."""


class Drift(Game):
    """Break rocks that orbit a sun, before they break the ship; two players help each other."""

    title: ClassVar[str] = "Drift"
    skeleton: ClassVar[str] = "flat"
    plugins: ClassVar[tuple[str, ...]] = ("bloom", "tonemap")
    step: ClassVar[float] = STEP
    max_players: ClassVar[int] = MOST_PLAYERS
    controls: ClassVar[Mapping[str, Any]] = CONTROLS

    def setup(self, context: GameContext) -> None:
        """Make all sprites. Behind the title, the autopilot plays."""
        scene, seed = context.scene, context.seed
        self._rules = load_rules()
        self._waves = load_waves(self._rules)
        self._sheet, soft = sheet(), dot()
        self._backdrop = Backdrop(scene, self._sheet, soft, self._rules, seed)
        self._dust = Dust(scene, soft, self._rules, seed)
        self._effects = Effects(scene, self._sheet, soft, self._dust, seed)
        self._view = MatchView(scene, self._sheet, soft)
        self._name = scene.sprites.add(Text("DRIFT", (0.0, 6.6, 2.0), size=5.0, pixels=96, layer=_TITLE_LAYER))
        self._time, self._over_for, self.best, self.paused = 0.0, 0.0, 0, False
        self._show_title()

    @property
    def on_title(self) -> bool:
        """Whether the title is shown."""
        return self._on_title

    def update(self, dt: float) -> None:
        """Play one step."""
        context = self.context
        if context.players != len(self.match.ships):
            self._show_title()
        self._obey(context)
        if self.paused:
            return
        self._time += dt
        if self._on_title:
            self.match.step([fly(self.match, player) for player in range(context.players)])
            if self.match.over:
                self._show_title()
        else:
            self.match.step(helms(context.input, context.players))
            self.best = max(self.best, self.match.score)
            self._over_for = self._over_for + dt if self.match.over else 0.0
        self._show(dt)

    def draw(self, alpha: float) -> None:
        """Draw the HUDs."""
        for player, hud in enumerate(self.context.huds[: len(self.match.ships)]):
            if self._on_title:
                draw_title(hud, self.best, len(self.match.ships))
            else:
                draw_match(hud, self.match, player, self._sheet, best=self.best, paused=self.paused)

    def _obey(self, context: GameContext) -> None:
        pressed = context.input.pressed
        if pressed("quit"):
            context.request_quit()
        waits = self._on_title or self._over_for > _SETTLE
        if waits and pressed("start"):
            self._begin(Random(context.random.getrandbits(32)))
        elif not self._on_title and not self.match.over and pressed("pause"):
            self.paused = not self.paused

    def _show_title(self) -> None:
        self._begin(Random(self.context.seed))
        self._on_title = True
        self._name.color = _TITLE_COLOR

    def _begin(self, random: Random) -> None:
        """Begin a match for the current number of players."""
        self.match = Match(self._rules, self._waves, self.context.players, random)
        self._on_title, self._over_for, self.paused = False, 0.0, False
        self._name.color = (0.0, 0.0, 0.0, 0.0)
        cameras = self.context.scene.cameras
        if len(cameras) != self.context.players:
            cameras[:] = [Camera() for _ in range(self.context.players)]
        self._chases = [Chase(camera, self._rules.arena) for camera in cameras]
        self._show(0.0)
        self.context.scene.snap_cameras()

    def _show(self, dt: float) -> None:
        self._view.step(self.match)
        self._effects.step(self.match)
        self._dust.step(STEP)
        self._backdrop.step(dt)
        for ship, chase in zip(self.match.ships, self._chases, strict=True):
            if self._on_title:
                chase.look(sway(self._time, 1.4))
            else:
                chase.follow(ship, self._effects.shaking, self._time)
