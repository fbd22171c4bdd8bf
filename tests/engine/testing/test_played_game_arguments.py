"""Wrong arguments of what tests call are refused at the test's line, in its own words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from renderwright.engine.game import Game
from renderwright.engine.testing import PlayedGame, run_node
from renderwright.render import testing
from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import UsageError


class Still(Game):
    """A game in which nothing happens."""

    plugins = ("tonemap",)


@pytest.fixture(scope="module")
def played() -> Iterator[PlayedGame]:
    with PlayedGame(Still, backend=NullBackend()) as game:
        yield game


MADE = (
    (
        {"size": "64x36"},
        "the size of PlayedGame cannot be '64x36'",
        "give (width, height) in texels, such as (160, 90)",
    ),
    ({"size": (64, 0)}, "the size of PlayedGame cannot be (64, 0)", "give (width, height) in texels"),
    ({"size": (64.0, 36)}, "the size of PlayedGame cannot be (64.0, 36)", "give (width, height) in texels"),
    ({"size": 64}, "the size of PlayedGame cannot be 64", "give (width, height) in texels"),
    ({"enable": "meter"}, "enable of PlayedGame cannot be 'meter'", 'give names of plugins, such as ("meter",)'),
    ({"disable": "fog"}, "disable of PlayedGame cannot be 'fog'", 'give names of plugins, such as ("fog",)'),
    ({"enable": 3}, "enable of PlayedGame cannot be 3", 'give names of plugins, such as ("fog",)'),
    (
        {"settings": "fog.density=0.2"},
        "settings of PlayedGame cannot be 'fog.density=0.2'",
        'give values by "plugin.key", such as {"bloom.intensity": 0.5}',
    ),
    ({"players": 0}, "players of PlayedGame cannot be 0", "give a number of at least 1"),
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"enable": ("meterr",)}, 'unknown plugin "meterr"'),
        ({"settings": {"tonemap.exposur": 1}}, 'plugin "tonemap" has no setting "exposur"'),
        ({"settings": {"exposure": 1}}, '"exposure" names no setting'),
    ],
)
def test_a_mistyped_plugin_or_setting_is_told_at_the_line_of_the_test(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        PlayedGame(Still, backend=NullBackend(), **options)
    line = sys._getframe().f_lineno - 1
    assert refused.value.message == message
    assert str(refused.value.where) == f"{__file__}:{line}"


@pytest.mark.parametrize(("options", "message", "hint"), MADE, ids=[message for _, message, _ in MADE])
def test_a_played_game_refuses_them_when_it_is_made(options: dict[str, object], message: str, hint: str) -> None:
    _refused(lambda: PlayedGame(Still, backend=NullBackend(), **options), message, hint)  # type: ignore[arg-type]


CALLED: tuple[tuple[Callable[[PlayedGame], object], str, str], ...] = (
    (lambda game: game.picture(0), "PlayedGame.picture cannot play 0 frames", "give a whole number of at least 1"),
    (lambda game: game.picture(-1), "PlayedGame.picture cannot play -1 frames", "give a whole number of at least 1"),
    (lambda game: game.picture(0.5), "PlayedGame.picture cannot play 0.5 frames", "give a whole number"),  # type: ignore[arg-type]
    (lambda game: game.resize("64x36"), "the size of PlayedGame cannot be '64x36'", "give (width, height)"),  # type: ignore[arg-type]
)


@pytest.mark.parametrize(("call", "message", "hint"), CALLED, ids=[f"{m}-{n}" for n, (_, m, _) in enumerate(CALLED)])
def test_its_methods_refuse_them(
    played: PlayedGame, call: Callable[[PlayedGame], object], message: str, hint: str
) -> None:
    _refused(lambda: call(played), message, hint)


IN_FRAMES: tuple[tuple[Callable[[PlayedGame], object], str], ...] = (
    (lambda game: game.texture("hdrr"), 'the frame has no resource "hdrr"'),
    (lambda game: game.texture("hdr", mip=3), '"hdr" has 1 mip'),
    (lambda game: game.session.plugins.set("tonemap", "exposur", 1), 'plugin "tonemap" has no setting "exposur"'),
    (lambda game: game.session.plugins.set("tonemap", "exposure", "bright"), "tonemap.exposure cannot be 'bright'"),
    (lambda game: game.session.plugins.set("tonemapp", "exposure", 1), 'unknown plugin "tonemapp"'),
    (lambda game: game.session.plugins.set("fog", "density", 1), "the setting fog.density cannot be changed"),
    (lambda game: game.session.plugins.enable("fogg"), 'unknown plugin "fogg"'),
    (lambda game: game.session.plugins.disable("fogg"), 'unknown plugin "fogg"'),
    (lambda game: game.session.toggle("fogg"), 'unknown plugin "fogg"'),
)


@pytest.mark.parametrize(("call", "message"), IN_FRAMES, ids=[message for _, message in IN_FRAMES])
def test_a_mistake_between_frames_is_told_at_the_line_of_the_test(
    played: PlayedGame, call: Callable[[PlayedGame], object], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        call(played)
    assert refused.value.message.startswith(message)
    assert str(refused.value.where) == f"{__file__}:{call.__code__.co_firstlineno}"


CHOSEN = (
    ({"veiw": 1}, 'PlayedGame.texture has no dimension "veiw"', 'did you mean "view"?'),
    ({"mpi": 1}, 'PlayedGame.texture has no dimension "mpi"', 'did you mean "mip"?'),
    ({"view": "1"}, "PlayedGame.texture cannot read view '1'", "view is a number from 0 on"),
    ({"view": -1}, "PlayedGame.texture cannot read view -1", "view is a number from 0 on"),
    ({"eye": 0.5}, "PlayedGame.texture cannot read eye 0.5", "eye is a number from 0 on"),
    ({"mip": "1"}, "PlayedGame.texture cannot read mip '1'", "mip is a number from 0 on"),
    ({"layer": "1"}, "PlayedGame.texture cannot read layer '1'", "layer is a number from 0 on"),
)


@pytest.mark.parametrize(("index", "message", "hint"), CHOSEN, ids=[message for _, message, _ in CHOSEN])
def test_a_texture_is_chosen_by_numbers_of_known_dimensions(
    played: PlayedGame, index: dict[str, Any], message: str, hint: str
) -> None:
    _refused(lambda: played.texture("depth", **index), message, hint)


NODES = (
    ({"size": "64x36"}, "the size of run_node cannot be '64x36'", "give (width, height) in texels"),
    ({"outputs": "glow"}, "outputs of run_node cannot be 'glow'", 'give names of resources, such as ("glow",)'),
)


@pytest.mark.parametrize(("options", "message", "hint"), NODES, ids=[message for _, message, _ in NODES])
def test_run_node_refuses_them(options: dict[str, object], message: str, hint: str) -> None:
    _refused(lambda: run_node(lambda reg: None, backend=NullBackend(), **options), message, hint)  # type: ignore[arg-type]


BACKENDS = (
    ("metal", 'there is no backend "metal" for tests', "known: opengl, vulkan"),
    ("vulcan", 'there is no backend "vulcan" for tests', 'did you mean "vulkan"?'),
    ("null", 'there is no backend "null" for tests', "known: opengl, vulkan"),
    (3, "the backend of a test cannot be 3", 'give a device, such as NullBackend(), or "opengl" or "vulkan"'),
    (NullBackend, "the backend of a test cannot be the class NullBackend", "give a device: NullBackend()"),
)


@pytest.mark.parametrize(("backend", "message", "hint"), BACKENDS, ids=[str(backend) for backend, _, _ in BACKENDS])
@pytest.mark.parametrize(
    "run",
    [
        lambda backend: run_node(lambda reg: None, backend=backend),
        lambda backend: testing.run_node(lambda reg: None, backend=backend),
        lambda backend: PlayedGame(Still, backend=backend),
    ],
    ids=["engine", "render", "game"],
)
def test_an_unknown_backend_is_told_with_the_known_ones(
    run: Callable[[object], object], backend: object, message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        run(backend)
    assert (refused.value.message, refused.value.hint) == (message, hint)
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def _refused(call: Callable[[], object], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        call()
    assert refused.value.message == message
    assert refused.value.hint.startswith(hint)
    assert refused.value.where is None or refused.value.where.file == __file__
