"""The ``Game`` class: input to rules, rules to scene and HUD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera
from renderwright.games.marbles.board import Board, board_corners
from renderwright.games.marbles.controls import CONTROLS, hand, race_hand
from renderwright.games.marbles.follow import FollowCamera
from renderwright.games.marbles.hud_view import BAR_HEIGHT, HudOptions, draw_hud
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.looks import make_looks
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.race import MOST_PLAYERS, Race
from renderwright.games.marbles.race_hud import draw_race_hud
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.stage import build_stage, frame_board


class Marbles(Game):
    """Tilt a wooden labyrinth and bring every marble home; several players race for it."""

    title: ClassVar[str] = "Marbles"
    step: ClassVar[float] = STEP
    max_players: ClassVar[int] = MOST_PLAYERS
    controls: ClassVar[Mapping[str, Any]] = CONTROLS

    def setup(self, context: GameContext) -> None:
        """Load the levels and build the first one."""
        self._levels = load_levels()
        self.help = False
        self.paused = False
        self._looks = make_looks()
        build_stage(context.scene, self._looks)
        self._begin(context, 0)
        self._build_board(context)

    def _begin(self, context: GameContext, level: int) -> None:
        """Start a game for the current number of players."""
        self._players = context.players
        self.rules: Rules | Race = Rules(self._levels, level)
        if self._players > 1:
            self.rules = Race(self._levels, self._players, level)

    def update(self, dt: float) -> None:
        """Play one step."""
        context = self.context
        if context.players != self._players:
            self._begin(context, self.rules.level_index)
            self._rebuild(context)
        self._obey(context)
        if not self.paused:
            self._step(context)
        if self.rules.level_index != self._built_level:
            self._rebuild(context)
            return
        self._board.sync(self.rules, 0.0 if self.paused else dt)
        for player, camera in enumerate(self._followers):
            camera.follow(self._board.marble_place(player), 0.0 if self.paused else dt)

    def draw(self, alpha: float) -> None:
        """Draw the HUDs, and refit the cameras when a picture's aspect ratio changes."""
        options = HudOptions(self.help, self.paused)
        if isinstance(self.rules, Race):
            for player, hud in enumerate(self.context.huds[: self.rules.players]):
                self._followers[player].shape(hud.width / hud.height)
                draw_race_hud(hud, self.rules, player, options)
            return
        hud = self.context.hud
        if (hud.width, hud.height) != self._framed:
            self._frame_camera(self.context)
        draw_hud(hud, self.rules, options)

    def _step(self, context: GameContext) -> None:
        if isinstance(self.rules, Race):
            self.rules.step([race_hand(context.input, player) for player in range(self.rules.players)])
        else:
            self.rules.step(hand(context.input))

    def _obey(self, context: GameContext) -> None:
        pressed = context.input.pressed
        if pressed("quit"):
            context.request_quit()
        if pressed("help"):
            self.help = not self.help
        if pressed("pause") and self.rules.phase is Phase.PLAYING:
            self.paused = not self.paused
        if pressed("restart"):
            self.paused = False
            self.rules.restart()
        if pressed("next"):
            self.paused = False
            self.rules.next_level()
        if pressed("go_on"):
            self._go_on()

    def _go_on(self) -> None:
        if self.rules.phase is Phase.CLEARED:
            self.rules.next_level()
        elif self.rules.phase is not Phase.PLAYING:
            self.rules.restart()

    def _rebuild(self, context: GameContext) -> None:
        self._board.remove()
        self._build_board(context)

    def _build_board(self, context: GameContext) -> None:
        self._built_level = self.rules.level_index
        self._board = Board(context.scene, self._looks, self.rules)
        self._point_cameras(context)

    def _point_cameras(self, context: GameContext) -> None:
        """One camera that sees the whole board, or one that follows each player's marble."""
        cameras = context.scene.cameras
        cameras[:] = [*cameras, *(Camera() for _ in range(self._players))][: self._players]
        self._followers: tuple[FollowCamera, ...] = ()
        if isinstance(self.rules, Race):
            self._followers = tuple(
                FollowCamera(camera, self._board.marble_place(player), self.rules.course)
                for player, camera in enumerate(cameras)
            )
            context.scene.snap_cameras()
        else:
            self._frame_camera(context)

    def _frame_camera(self, context: GameContext) -> None:
        width, height = context.hud.width, context.hud.height
        self._framed = (width, height)
        frame_board(context.scene.camera, board_corners(self.rules.course), width / height, BAR_HEIGHT / height)
        context.scene.snap_cameras()
