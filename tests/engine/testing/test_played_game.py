"""Games that tests play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.plugins.status import PluginState
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.testing import PlayedGame, assert_alike
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError, UsageError

SIZE = (96, 54)


class Turning(Game):
    """A box that turns, for two players."""

    plugins = ("tonemap",)
    max_players = 2

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(plane(20, 20), Material())
        self.box = context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(0, 0.5, 0)))

    def update(self, dt: float) -> None:
        self.box.transform.rotation = glm.angleAxis(dt, glm.vec3(0, 1, 0)) * self.box.transform.rotation

    def draw(self, alpha: float) -> None:
        places = [glm.vec3(2, 2, 3), glm.vec3(-3, 1, 1)]
        self.context.scene.cameras = [Camera(place) for place in places[: self.context.players]]


@pytest.mark.vulkan
def test_plugins_are_in_its_frames(backend: VulkanBackend) -> None:
    with PlayedGame(Turning, size=SIZE, backend=backend) as plain:
        before = plain.picture(2)
        assert not any(node.startswith("fog/") for node in plain.nodes)
    with PlayedGame(Turning, enable=["fog"], settings={"fog.density": 0.2}, size=SIZE, backend=backend) as foggy:
        shown = foggy.picture(2)
        assert any(node.startswith("fog/") for node in foggy.nodes)
        assert foggy.session.plugins.status("fog").settings.density == 0.2  # type: ignore[union-attr]
    assert before.shape == (54, 96, 3)
    assert np.abs(shown.astype(int) - before.astype(int)).mean() > 5


@pytest.mark.vulkan
def test_time_goes_on_from_picture_to_picture(backend: VulkanBackend) -> None:
    with PlayedGame(Turning, size=SIZE, backend=backend) as game:
        first, later = game.picture(), game.picture(5)
        assert not np.array_equal(first, later)


@pytest.mark.vulkan
def test_a_texture_has_the_values_that_shaders_see(backend: VulkanBackend) -> None:
    with PlayedGame(Turning, enable=["split_screen"], players=2, size=SIZE, backend=backend) as game:
        game.picture()
        steps = game.session.runner.clock.steps
        left, right = game.texture("depth"), game.texture("depth", view=1)
        assert game.session.runner.clock.steps == steps
        assert left.dtype == np.float32
        assert left.shape == right.shape == (54, 47, 1)  # beside the line between them
        assert 0.0 < left.max() < 1.0
        assert not np.array_equal(left, right)
        assert not any(node.startswith("dump") for node in game.nodes | set(game.session.graph.node_names))
        with pytest.raises(UsageError, match=r'the frame has no resource "dept"\n.*did you mean "depth"'):
            game.texture("dept")
        with pytest.raises(UsageError, match="view 7"):
            game.texture("depth", view=7)
        game.picture()


def test_a_plugin_that_fails_raises_unless_failures_are_the_subject() -> None:
    for strict in (True, False):
        backend = NullBackend()
        with PlayedGame(Turning, size=SIZE, strict=strict, backend=backend) as game:
            game.picture()
            if strict:
                with pytest.raises(PluginError, match="on purpose"):
                    game.session.plugins.quarantine("tonemap", ValueError("on purpose"))
            else:
                game.session.plugins.quarantine("tonemap", ValueError("on purpose"))
                game.picture()
                assert game.session.plugins.status("tonemap").state is PluginState.QUARANTINED


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        (Turning(), "PlayedGame cannot play an instance of Turning", "give the class: PlayedGame(Turning)"),
        (Camera, "PlayedGame cannot play <class", "a subclass of renderwright.engine.Game, or a name such as"),
        (None, "PlayedGame cannot play None", "a subclass of renderwright.engine.Game, or a name such as"),
    ],
)
def test_it_takes_the_class_of_a_game(given: object, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        PlayedGame(given, backend=NullBackend())  # type: ignore[arg-type]
    assert refused.value.message.startswith(message)
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_a_setting_names_its_plugin() -> None:
    with pytest.raises(UsageError, match='"density" names no setting'):
        PlayedGame(Turning, settings={"density": 1.0}, backend=NullBackend())


@pytest.mark.vulkan
def test_a_texture_of_srgb_is_decoded_as_in_shaders(backend: VulkanBackend) -> None:
    class Grey(Game):
        def setup(self, context: GameContext) -> None:
            context.scene.camera = Camera(glm.vec3(0, 0, 2), glm.vec3(0))
            context.scene.spawn(box(1.0), Material((0.5, 0.25, 0.0, 1.0)))

    with PlayedGame(Grey, size=SIZE, backend=backend) as game:
        assert game.texture("albedo")[27, 48, :3] == pytest.approx([0.5, 0.25, 0.0], abs=0.004)


@pytest.mark.vulkan
def test_it_finds_games_and_brings_a_device(tmp_path: Path) -> None:
    file = tmp_path / "tiny.py"
    file.write_text(
        "from renderwright.engine import Game\n\n\nclass Tiny(Game):\n    def setup(self, context):\n        pass\n"
    )
    with PlayedGame(str(file), size=(16, 16)) as game:
        assert game.picture().shape == (16, 16, 3)


@pytest.mark.vulkan
def test_it_has_another_size_from_the_next_frame_on(backend: VulkanBackend) -> None:
    with PlayedGame(Turning, size=SIZE, backend=backend) as game:
        assert game.picture(2).shape == (54, 96, 3)
        game.resize((48, 32))
        assert game.picture().shape == (32, 48, 3)
        assert game.session.extent == (48, 32)
        assert game.texture("depth").shape == (32, 48, 1)
        with pytest.raises(AttributeError, match="extent"):
            game.session.extent = SIZE  # type: ignore[misc]
        assert game.picture().shape == (32, 48, 3)


@pytest.mark.vulkan
def test_a_texture_before_the_first_picture_is_that_of_the_first_frame(backend: VulkanBackend) -> None:
    with PlayedGame(Turning, size=SIZE, backend=backend) as game:
        first = game.texture("depth")
        assert first.max() > 0.0
        assert np.array_equal(game.texture("depth"), first)
    with PlayedGame(Turning, size=SIZE, backend=backend) as game:
        game.picture()
        assert np.array_equal(game.texture("depth"), first)


@pytest.mark.vulkan
def test_it_plays_on_the_backend_of_a_name(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENDERWRIGHT_BACKEND", "null")
    with PlayedGame(Turning, size=SIZE, backend=backend) as game:
        expected = game.picture(2)
    for name in ("vulkan", "opengl"):
        with PlayedGame(Turning, size=SIZE, backend=name) as game:
            assert game.session.backend.capabilities.backend == name
            assert_alike(game.picture(2), expected)


def test_an_unknown_backend_is_refused_with_a_hint() -> None:
    with pytest.raises(UsageError, match='no backend "open_gl" for tests') as refused:
        PlayedGame(Turning, backend="open_gl")
    assert 'did you mean "opengl"' in refused.value.hint


def test_the_views_of_players_that_nothing_shows_are_told() -> None:
    with PlayedGame(Turning, players=2, size=SIZE, backend=NullBackend()) as game:
        with pytest.raises(UsageError, match='"depth" has not been read') as refused:
            game.texture("depth", view=1)
        assert refused.value.hint == (
            'the frame has no view 1; PlayedGame(..., enable=["split_screen"]) has a view for each player'
        )
        assert refused.value.where is not None
        assert refused.value.where.file == __file__
        with pytest.raises(UsageError, match='"depth" has not been read') as refused:
            game.texture("depth", eye=1)
        assert refused.value.hint == "the frame has no eye 1"
