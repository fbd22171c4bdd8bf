"""The ``Game`` class: input to rules, rules to scene and HUD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from renderwright.engine.game import Game, GameContext, Hud
from renderwright.engine.scene import Camera
from renderwright.games.marbles.attempt import Attempt
from renderwright.games.marbles.board import Board, board_corners
from renderwright.games.marbles.controls import CONTROLS, MOST_KEYS, hand, race_hand
from renderwright.games.marbles.ghost_view import GhostView
from renderwright.games.marbles.hud_style import BAR_HEIGHT
from renderwright.games.marbles.hud_view import HudOptions, draw_hud
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.looks import make_looks
from renderwright.games.marbles.menu import LevelMenu
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.race import MOST_PLAYERS, Race
from renderwright.games.marbles.records import Records
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.stage import build_stage, frame_board

# A game begins sooner without the modules that its first frames may not need: those are imported where they are used.
if TYPE_CHECKING:
    from renderwright.games.marbles.follow import FollowCamera


class Marbles(Game):
    """Tilt a wooden labyrinth and bring every marble home; several players race for it."""

    title: ClassVar[str] = "Marbles"
    step: ClassVar[float] = STEP
    max_players: ClassVar[int] = MOST_PLAYERS
    controls: ClassVar[Mapping[str, Any]] = CONTROLS

    def setup(self, context: GameContext) -> None:
        """Load the levels and build the first one."""
        self._levels = load_levels()
        self.records = Records(self._levels, context.user_files)
        self.menu = LevelMenu(len(self._levels))
        self.help = False
        self.paused = False
        self.ghost = True
        self._looks = make_looks()
        build_stage(context.scene, self._looks)
        self._ghost_view = GhostView(context.scene, self._looks)
        self._begin(context, 0)
        self._build_board(context)

    def _begin(self, context: GameContext, level: int) -> None:
        """Start a game for the current number of players."""
        self._players = context.players
        self.rules: Rules | Race = Rules(self._levels, level)
        self._attempt: Attempt | None = None
        if self._players > 1:
            self.rules = Race(self._levels, self._players, level)

    def update(self, dt: float) -> None:
        """Play one step."""
        context = self.context
        if context.players != self._players:
            self._begin(context, self.rules.level_index)
            self._rebuild(context)
        self._obey(context)
        still = self.paused or self.menu.open
        if not still:
            self._step(context)
        if self.rules.level_index != self._built_level:
            self._rebuild(context)
            self._sync_ghost()
            return
        self._board.sync(self.rules, 0.0 if still else dt)
        self._sync_ghost()
        for player, camera in enumerate(self._followers):
            camera.follow(self._board.marble_place(player), 0.0 if still else dt)

    def draw(self, alpha: float) -> None:
        """Draw the HUDs, and refit the cameras when a picture's aspect ratio changes."""
        if isinstance(self.rules, Race):
            for player, hud in enumerate(self.context.huds[: self.rules.players]):
                self._followers[player].shape(hud.width / hud.height)
                self._draw_hud(hud, player)
            return
        hud = self.context.hud
        if (hud.width, hud.height) != self._framed:
            self._frame_camera(self.context)
        self._draw_hud(hud, 0)

    def _draw_hud(self, hud: Hud, player: int) -> None:
        options = HudOptions(self.help, self.paused)
        if self.menu.open:
            from renderwright.games.marbles.menu_view import draw_menu

            draw_menu(hud, self.menu, self._levels, self.records.times)
        elif isinstance(self.rules, Race):
            from renderwright.games.marbles.race_hud import draw_race_hud

            draw_race_hud(hud, self.rules, player, options)
        else:
            draw_hud(hud, self.rules, self.records.times, options)

    def _step(self, context: GameContext) -> None:
        if isinstance(self.rules, Race):
            self.rules.step([race_hand(context.input, player) for player in range(self.rules.players)])
            return
        level = self.rules.level_index
        if self._attempt is None or self.rules.starting:
            self._attempt = Attempt(self.rules, self.records.run(level))
        run = self._attempt.step(hand(context.input))
        ghost = self._attempt.ghost
        if ghost is not None and ghost.astray:
            self._attempt.ghost = None
            self.records.disown(level)
        if run is not None:
            self.records.add(level, run)

    def _sync_ghost(self) -> None:
        ghost = self._attempt.ghost if self._attempt is not None and self.ghost else None
        self._ghost_view.sync(ghost.marbles if ghost is not None else (), self.rules.tilt)

    def _obey(self, context: GameContext) -> None:
        if not context.input.pressed_keys:
            return
        pressed = context.input.pressed
        if pressed("levels"):
            self.menu.toggle(self.rules.level_index)
        for number in range(min(len(self._levels), MOST_KEYS)):
            if pressed(f"level_{number + 1}"):
                self._choose(number)
        if self.menu.open:
            self._obey_in_menu(context)
        else:
            self._obey_in_play(context)

    def _obey_in_menu(self, context: GameContext) -> None:
        pressed = context.input.pressed
        self.menu.move(int(pressed("menu_down")) - int(pressed("menu_up")))
        if pressed("go_on"):
            self._choose(self.menu.cursor)
        elif pressed("quit"):
            self.menu.open = False

    def _choose(self, level: int) -> None:
        self.menu.open = self.paused = False
        self.rules.choose_level(level)

    def _obey_in_play(self, context: GameContext) -> None:
        pressed = context.input.pressed
        if pressed("quit"):
            context.request_quit()
        if pressed("ghost"):
            self.ghost = not self.ghost
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
            from renderwright.games.marbles.follow import FollowCamera

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
