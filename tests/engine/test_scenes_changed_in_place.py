"""What a game changes in place in its scene is checked behind its hook, and told at the line of that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyglm import glm

from renderwright.engine import Game, GameContext
from renderwright.engine.game import GameRunner
from renderwright.engine.scene import Scene
from renderwright.render.errors import SourceLocation, UsageError

MISTAKES: dict[str, Callable[[Scene], object]] = {
    "scene.cameras is empty": lambda scene: scene.cameras.clear(),
    "scene.cameras[1] cannot be None": lambda scene: scene.cameras.append(None),  # type: ignore[arg-type]
    "scene.cameras[0] cannot be a vec3": lambda scene: scene.cameras.__setitem__(0, glm.vec3()),  # type: ignore[call-overload]
}


def line_of(hook: Callable[..., object]) -> SourceLocation:
    return SourceLocation(__file__, hook.__code__.co_firstlineno)


@pytest.mark.parametrize("message", MISTAKES)
def test_a_camera_that_is_changed_in_place_is_told_at_the_line_of_setup(message: str) -> None:
    class Wrong(Game):
        def setup(self, context: GameContext) -> None:
            MISTAKES[message](context.scene)

    with pytest.raises(UsageError) as caught:
        GameRunner(Wrong(), GameContext()).start()
    assert caught.value.message == message
    assert caught.value.where == line_of(Wrong.setup)
    assert caught.value.hint.endswith("; look in `setup`, which begins at this line, and in what it calls")


@pytest.mark.parametrize("message", MISTAKES)
def test_a_camera_that_is_changed_in_place_is_told_at_the_line_of_update(message: str) -> None:
    class Wrong(Game):
        def update(self, dt: float) -> None:
            MISTAKES[message](self.context.scene)

    runner = GameRunner(Wrong(), GameContext())
    runner.start()
    with pytest.raises(UsageError) as caught:
        runner.frame(1.0 / 60.0)
    assert caught.value.message == message
    assert caught.value.where == line_of(Wrong.update)


def test_a_value_with_a_line_of_its_own_keeps_it() -> None:
    class Wrong(Game):
        def setup(self, context: GameContext) -> None:
            context.scene.cameras = [None]  # type: ignore[list-item]

    with pytest.raises(UsageError) as caught:
        GameRunner(Wrong(), GameContext()).start()
    assert caught.value.where == SourceLocation(__file__, line_of(Wrong.setup).line + 1)
