"""The ``Game`` class: input to the match, the match to scene, effects and HUD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera
from renderwright.games.duel.arena import SEATS, load_arenas
from renderwright.games.duel.cameras import ChaseCamera, circle
from renderwright.games.duel.controls import CONTROLS, hand
from renderwright.games.duel.effects import Effects
from renderwright.games.duel.fleet import Fleet
from renderwright.games.duel.hud_view import draw_hud
from renderwright.games.duel.looks import make_looks
from renderwright.games.duel.match import Match, Phase, What
from renderwright.games.duel.stage import Stage
from renderwright.games.duel.tanks import ARMOUR, STEP
from renderwright.games.duel.visor import Visor


class Duel(Game):
    """Hover tanks in an arena that comes apart; bots take the seats that players leave empty."""

    title: ClassVar[str] = "Duel"
    skeleton: ClassVar[str] = "duel.yaml"
    plugins: ClassVar[tuple[str, ...]] = ("shadows", "bloom", "tonemap", "particles", "decals", "visor", "taa")
    step: ClassVar[float] = STEP
    max_players: ClassVar[int] = SEATS
    controls: ClassVar[Mapping[str, Any]] = CONTROLS

    def setup(self, context: GameContext) -> None:
        """Load the arenas and show the title."""
        looks = make_looks()
        self.paused = False
        self.match = Match(load_arenas(), context.players, context.random)
        self._stage = Stage(context.scene, looks)
        self._fleet = Fleet(context.scene, looks)
        self._effects = Effects(context.scene, self._stage, self._fleet, looks.scorch)
        self._visors = [context.scene.placed.add(Visor(player)) for player in range(SEATS)]
        self._chasers: list[ChaseCamera] = []
        self._shown: object = None
        self._follow(0.0)
        self._seat(context)
        self._follow(0.0)

    def update(self, dt: float) -> None:
        """Play one step."""
        context = self.context
        if context.players != self.match.humans:
            self.match.humans = context.players
            self._seat(context)
        self._obey(context)
        if not self.paused:
            players = self.match.humans
            self.match.step([hand(context.input, player, players) for player in range(players)])
        self._follow(0.0 if self.paused else dt)

    def draw(self, alpha: float) -> None:
        """Draw the HUD of each player."""
        for player, hud in enumerate(self.context.huds[: self.match.humans]):
            draw_hud(hud, self.match, player, paused=self.paused)

    def _obey(self, context: GameContext) -> None:
        pressed, match = context.input.pressed, self.match
        resting = match.phase in (Phase.TITLE, Phase.MATCH_END)
        if pressed("leave"):
            self.paused = False
            if match.phase is Phase.TITLE:
                context.request_quit()
            else:
                match.show_title()
        elif resting and pressed("start"):
            match.start()
        elif not resting and pressed("pause"):
            self.paused = not self.paused

    def _seat(self, context: GameContext) -> None:
        """Have a camera for each player."""
        cameras = context.scene.cameras
        cameras[:] = [*cameras, *(Camera() for _ in range(context.players))][: context.players]
        self._chasers = [
            ChaseCamera(camera, tank, self._stage.inside)
            for camera, tank in zip(cameras, self.match.tanks, strict=False)
        ]
        context.scene.snap_cameras()

    def _follow(self, dt: float) -> None:
        """Show the state of the match, ``dt`` seconds later."""
        match, context = self.match, self.context
        if match.ground is not self._shown:
            self._shown = match.ground
            self._stage.build(match.arena)
            self._effects.clear()
            self._fleet.hide()
            self._fleet.sync(match, 0.0)
            for chaser, tank in zip(self._chasers, match.tanks, strict=False):
                chaser.inside = self._stage.inside
                chaser.jump(tank)
            context.scene.snap()
        if dt:
            self._effects.sync(match, dt)
            self._fleet.sync(match, dt)
            self._stage.sync(match, dt)
        for player, (chaser, tank, visor) in enumerate(zip(self._chasers, match.tanks, self._visors, strict=False)):
            if match.phase is Phase.TITLE:
                circle(chaser.camera, self._stage.inside, match.phase_time, player, match.humans)
                visor.hurt = visor.shock = visor.static = 0.0
                continue
            if any(event.what is What.APPEARED and event.number == player for event in match.events):
                chaser.jump(tank)
                context.scene.snap_cameras()
            chaser.follow(tank, dt)
            visor.hurt = 1.0 - tank.armour / ARMOUR
            visor.shock = tank.shock if tank.alive else 0.0
            visor.static = 0.0 if tank.alive else min(1.0, 0.2 + 0.25 * tank.wait)
