"""What a game asks for and does not get is told once, with the line of the game; with --strict it is an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from renderwright.engine import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import PointLight
from renderwright.engine.session import Session
from renderwright.plugins.particles import Emitter
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError

EXTENT = (64, 64)


class Bare(Game):
    plugins = ()


class Misspelt(Bare):
    controls = {"axes": {"move": {"negative": ["left"]}}, "actions": {"jump": ["space"]}}  # noqa: RUF012

    def update(self, dt: float) -> None:
        self.context.input.pressed("jmup")


class Undrawn(Bare):
    def setup(self, context: GameContext) -> None:
        for _ in range(2):
            context.scene.placed.add(Emitter())


class Lamps(Bare):
    plugins = ("shadows",)

    def setup(self, context: GameContext) -> None:
        for _ in range(9):
            context.scene.add_light(PointLight(casts_shadow=True))


NOTICES = {
    Misspelt: (
        'input.pressed("jmup") is never down: there is no action or key of that name\n'
        '  did you mean "jump"?\n  or declare it in Misspelt.controls'
    ),
    Undrawn: (
        'things of the kind Emitter are placed, and not drawn: their plugin "particles" is not enabled\n'
        '  add "particles" to Undrawn.plugins, or play with --enable particles'
    ),
    Lamps: (
        "9 local lights have casts_shadow=True, and the 8 brightest where the cameras are cast shadows\n"
        "  let fewer cast shadows, or allow more: `renderwright plugins info shadows` lists the settings"
    ),
}


@contextmanager
def playing(game: type[Game], choice: PluginChoice | None = None, *, strict: bool = False) -> Iterator[Session]:
    with closing(Session(game, NullBackend(), EXTENT, choice=choice, strict=strict)) as session:
        yield session


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "renderwright.game"]


@pytest.mark.parametrize("game", NOTICES)
def test_it_is_told_once_with_the_line(game: type[Game], caplog: pytest.LogCaptureFixture) -> None:
    with playing(game) as session:
        for _ in range(3):
            session.step(1 / 60)
    (message,) = told(caplog)
    assert message.startswith(f"{__file__}:")
    assert message.endswith(NOTICES[game])


@pytest.mark.parametrize("game", NOTICES)
def test_it_is_an_error_if_strict(game: type[Game]) -> None:
    with playing(game, strict=True) as session, pytest.raises(UsageError) as error:
        session.step(1 / 60)
    assert NOTICES[game] in str(error.value)


@pytest.mark.parametrize("choice", [PluginChoice(enable=("particles",)), PluginChoice(disable=("particles",))])
def test_who_switches_a_plugin_on_or_off_is_not_told_that_it_is(
    choice: PluginChoice, caplog: pytest.LogCaptureFixture
) -> None:
    with playing(Undrawn, choice) as session:
        session.step(1 / 60)
    assert not told(caplog)


def test_a_plugin_that_comes_later_tells_of_its_shadows(caplog: pytest.LogCaptureFixture) -> None:
    with playing(Lamps, PluginChoice(disable=("shadows",))) as session:
        session.step(1 / 60)
        assert not told(caplog)
        session.plugins.enable("shadows")
        session.step(1 / 60)
    (message,) = told(caplog)
    assert NOTICES[Lamps] in message


@pytest.mark.parametrize(
    ("ask", "message", "hint"),
    [
        ("held", 'input.held("move") is never down', 'it is an axis: write axis("move")'),
        ("axis", 'input.axis("jump") is always 0', 'it is a button: write held("jump") or pressed("jump")'),
    ],
)
def test_an_axis_and_a_button_are_told_apart(
    ask: str, message: str, hint: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Confused(Misspelt):
        def update(self, dt: float) -> None:
            getattr(self.context.input, ask)("move" if ask == "held" else "jump")

    with playing(Confused) as session:
        session.step(1 / 60)
    (text,) = told(caplog)
    assert message in text
    assert hint in text
