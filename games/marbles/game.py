"""The game as the engine runs it: input to rules, rules to scene and HUD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.game import Game, GameContext
from games.marbles.board import Board, board_corners
from games.marbles.hud_view import BAR_HEIGHT, HudOptions, draw_hud
from games.marbles.level_file import load_levels
from games.marbles.looks import make_looks
from games.marbles.physics import STEP
from games.marbles.rules import Hand, Phase, Rules
from games.marbles.stage import build_stage, frame_board


class Marbles(Game):
    """Tilt a wooden labyrinth and bring every marble home."""

    title: ClassVar[str] = "Marbles"
    step: ClassVar[float] = STEP
    controls: ClassVar[Mapping[str, Any]] = {
        "actions": {
            "restart": ["r", "pad_y"],
            "next": ["n", "pad_x"],
            "go_on": ["enter", "space", "pad_a"],
            "pause": ["p", "pad_start"],
            "help": ["h"],
            "quit": ["escape", "pad_back"],
        },
        "axes": {
            "tilt_right": {
                "negative": ["left", "a", "pad_left"],
                "positive": ["right", "d", "pad_right"],
                "axes": ["pad_left_x"],
            },
            "tilt_away": {
                "negative": ["down", "s", "pad_down"],
                "positive": ["up", "w", "pad_up"],
                "axes": ["pad_left_y"],
            },
        },
    }

    def setup(self, context: GameContext) -> None:
        """Load the levels and build the first one."""
        self.rules = Rules(load_levels())
        self.help = False
        self.paused = False
        self._looks = make_looks()
        build_stage(context.scene, self._looks)
        self._build_board(context)

    def update(self, dt: float) -> None:
        """Play one step."""
        context = self.context
        self._obey(context)
        if not self.paused:
            away = context.input.axis("tilt_away")
            self.rules.step(Hand(context.input.axis("tilt_right"), -away))
        if self.rules.level_index != self._built_level:
            self._board.remove()
            self._build_board(context)
        else:
            self._board.sync(self.rules, 0.0 if self.paused else dt)

    def draw(self, alpha: float) -> None:
        """Write the HUD, and frame the board anew when the picture's shape changed."""
        hud = self.context.hud
        if (hud.width, hud.height) != self._framed:
            self._frame_camera(self.context)
        draw_hud(hud, self.rules, HudOptions(self.help, self.paused))

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

    def _build_board(self, context: GameContext) -> None:
        self._built_level = self.rules.level_index
        self._board = Board(context.scene, self._looks, self.rules)
        self._frame_camera(context)

    def _frame_camera(self, context: GameContext) -> None:
        width, height = context.hud.width, context.hud.height
        self._framed = (width, height)
        frame_board(context.scene.camera, board_corners(self.rules.course), width / height, BAR_HEIGHT / height)
        context.scene.snap_camera()
