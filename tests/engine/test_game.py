from __future__ import annotations

import pytest
from pyglm import glm

from renderwright.engine import Game, GameContext, GameRunner, Material
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import NoHud
from renderwright.engine.input import InputState
from renderwright.engine.input.recorder import Recorder
from renderwright.engine.input.replay import ReplaySource, parse_replay
from renderwright.engine.scene.primitives import box
from renderwright.render.errors import UsageError

SCRIPT = """\
version: 1
steps:
  - {step: 3, press: [right]}
  - {step: 40, release: [right]}
  - {step: 50, press: [escape]}
"""


class Slider(Game):
    """A cube that slides to the right while the key is held, with a little chance."""

    title = "Slider"
    step = 0.01
    controls = {"axes": {"move": {"negative": ["left"], "positive": ["right"]}}, "actions": {"leave": ["escape"]}}  # noqa: RUF012

    def setup(self, context: GameContext) -> None:
        self.calls: list[str] = []
        self.cube = context.scene.spawn(box(), Material())
        self.cube.transform.position.y = 5.0

    def update(self, dt: float) -> None:
        self.calls.append("update")
        noise = self.context.random.random()
        self.cube.transform.position.x += self.context.input.axis("move") * dt * (1.0 + noise)
        if self.context.input.pressed("leave"):
            self.context.request_quit()

    def draw(self, alpha: float) -> None:
        self.calls.append("draw")
        self.context.hud.text(10, 10, f"{self.cube.transform.position.x:.2f}")

    def close(self) -> None:
        self.calls.append("close")


def test_a_frame_is_steps_then_draw() -> None:
    game = Slider()
    runner = GameRunner(game, GameContext())
    runner.start()
    assert runner.frame(0.025) == pytest.approx(0.5)
    assert game.calls == ["update", "update", "draw"]
    assert runner.frame(0.001) == pytest.approx(0.6)
    assert game.calls[3:] == ["draw"]
    runner.close()
    runner.close()
    assert game.calls[4:] == ["close"]


def test_the_scene_is_drawn_between_the_last_two_steps() -> None:
    game, context = Slider(), GameContext()
    runner = GameRunner(game, context)
    runner.start()
    assert context.scene.draw_list(0.0).models[0, 3, 1] == 5.0, "what setup placed did not fly there"
    context.input.press("right")
    alpha = runner.frame(0.015)
    here, before = game.cube.transform.position.x, game.cube.previous.position.x
    assert (before, here > 0.0) == (0.0, True)
    assert context.scene.draw_list(alpha).models[0, 3, 0] == pytest.approx(here * 0.5)


def _play(frame: float, seed: int = 1) -> tuple[glm.vec3, int]:
    game, context = Slider(), GameContext(seed=seed)
    source = ReplaySource(parse_replay(SCRIPT), game.step)
    runner = GameRunner(game, context, clock=FixedStepClock(game.step, frame=frame), source=source)
    while not context.quit_requested:
        runner.frame()
    return game.cube.transform.position, runner.clock.steps


def test_a_replay_plays_the_same_whatever_the_frame_rate() -> None:
    position, steps = _play(0.01)
    assert position.x > 37 * 0.01
    assert steps == 51
    assert _play(0.01) == (position, 51)
    assert _play(0.03)[0] == position
    assert _play(0.004)[0] == position
    assert _play(0.01, seed=2)[0] != position


def test_watcher_sees_the_input_of_every_step() -> None:
    game = Slider()
    recorder = Recorder(game.step)
    runner = GameRunner(game, GameContext(), source=ReplaySource(parse_replay(SCRIPT), game.step), watcher=recorder)
    for _ in range(60):
        runner.frame(game.step)
    assert [(event.step, event.press) for event in parse_replay(recorder.text()).events] == [
        (3, ("right",)),
        (40, ()),
        (50, ("escape",)),
    ]


def test_a_failing_setup_closes_the_game() -> None:
    class Broken(Slider):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            raise RuntimeError("no level")

    game = Broken()
    with pytest.raises(RuntimeError, match="no level"):
        GameRunner(game, GameContext()).frame(0.1)
    assert game.calls == ["close"]


def test_chance_comes_from_the_seed() -> None:
    assert GameContext(seed=5).random.random() == GameContext(seed=5).random.random()
    assert GameContext(seed=5).random.random() != GameContext(seed=6).random.random()


def test_a_clock_of_another_step_is_refused() -> None:
    with pytest.raises(UsageError, match=r"0\.02"):
        GameRunner(Slider(), GameContext(), clock=FixedStepClock(0.02))


def test_defaults_of_a_game() -> None:
    assert (Game.skeleton, Game.plugins, Game.step) == ("deferred", ("shadows", "bloom", "tonemap"), 1.0 / 120.0)
    context = GameContext()
    assert isinstance(context.input, InputState)
    assert isinstance(context.hud, NoHud)
    runner = GameRunner(Game(), context)
    assert runner.frame(1.0 / 60.0) == pytest.approx(0.0, abs=1e-6)
