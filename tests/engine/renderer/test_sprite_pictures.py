"""Pictures of sprites: what the rules of blending say, in every kind of view and on both backends."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import Picture, frames_of
from sprite_scenes import (
    CARDS,
    EXTENT,
    Bare,
    Flat,
    ForwardBare,
    ForwardFlat,
    ForwardFull,
    Full,
    MovingFull,
    composed,
    covered_by_the_box,
)

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.sprites.switch import KEPT_FRAMES
from renderwright.engine.screenshot.grid import TileGrid
from renderwright.engine.screenshot.tiled import TiledScreenshot
from renderwright.engine.session import Session
from renderwright.engine.sprites import Sprite
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.inspect.plan_text import plan_to_text

pytestmark = pytest.mark.vulkan


def session_of(
    game: type[Game], backend: Backend, *enable: str, players: int = 1, extent: tuple[int, int] = EXTENT
) -> Session:
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=enable)
    return Session(
        game, backend, extent, choice=choice, clock=clock, verify=True, strict=game.skeleton != "flat", players=players
    )


def shown(game: type[Game], backend: Backend, *enable: str, frames: int = 2, **options: object) -> Picture:
    with closing(session_of(game, backend, *enable, **options)) as session:  # type: ignore[arg-type]
        return frames_of(session, frames)[-1][..., :3]


@pytest.mark.parametrize(("game", "bare"), [(Flat, Bare), (ForwardFlat, ForwardBare)])
def test_they_are_blended_by_layer_and_hidden_by_depth(
    backend: VulkanBackend, game: type[Game], bare: type[Game]
) -> None:
    background = shown(bare, backend)
    hidden = covered_by_the_box()
    right = composed(background, CARDS, hidden, behind=2.25)
    inner = ~(np.roll(hidden, 1, 0) ^ hidden | np.roll(hidden, 1, 1) ^ hidden | np.roll(hidden, -1, 0) ^ hidden)
    error = np.abs(shown(game, backend) - right)[inner]
    assert error.max() <= 3.0
    assert (error <= 1.5).mean() > 0.98
    changed = np.abs(right - background).max(axis=-1) > 30
    assert (changed & hidden).sum() > 30
    assert (changed & ~hidden).sum() > 500


@pytest.mark.parametrize("enable", [(), ("split_screen",), ("ssaa",), ("vr",), ("shadows", "taa", "bloom")])
def test_both_skeletons_and_backends_show_the_same(backend: VulkanBackend, enable: tuple[str, ...]) -> None:
    players = 2 if "split_screen" in enable else 1
    right = shown(Full, backend, *enable, players=players)
    assert right.std() > 15
    forward = shown(ForwardFull, backend, *enable, players=players)
    assert (np.abs(right.astype(int) - forward) <= 2).mean() > 0.98
    with closing(OpenGLBackend(validate=True)) as other:
        ours = shown(Full, other, *enable, players=players)
        assert other.validation_messages == []
    assert (np.abs(right.astype(int) - ours) <= 2).mean() > 0.98


def test_a_player_s_sprites_are_over_that_player_s_picture_alone(backend: VulkanBackend) -> None:
    with closing(session_of(Full, backend, "split_screen", players=2)) as session:
        both = frames_of(session, 2)[-1].astype(int)
        session.runner.game.own.visible = False  # type: ignore[attr-defined]
        without = frames_of(session, 1, still=True)[-1].astype(int)
    changed = np.abs(both - without).max(axis=-1) > 8
    assert changed[:, EXTENT[0] // 2 :].any()
    assert not changed[:, : EXTENT[0] // 2].any()


def test_tiles_of_a_screenshot_show_the_whole(backend: VulkanBackend) -> None:
    with closing(session_of(Full, backend, extent=(48, 32))) as session:
        frames_of(session, 1)
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 3, 2, 4)).rows()))
    whole = shown(Full, backend, frames=1).astype(int)
    assert (np.abs(tiled - whole) <= 2).mean() > 0.99


def test_moving_ones_are_drawn_by_kept_commands(backend: VulkanBackend) -> None:
    with closing(session_of(MovingFull, backend)) as session:
        pictures = frames_of(session, 4)
        runs = session.base.switches._sprites._runs
        pictures += frames_of(session, 2)
        assert session.base.switches._sprites._runs is runs
    assert len({picture.tobytes() for picture in pictures}) == 6
    still = np.abs(pictures[0].astype(int) - pictures[-1]).max(axis=-1) == 0
    assert still.mean() > 0.5, "the others stay where they are"


def test_there_is_nothing_of_them_in_the_plan_of_a_scene_without(backend: VulkanBackend) -> None:
    with closing(session_of(Bare, backend)) as session:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        before = plan_to_text(session.runtime.plan)
        assert "sprite" not in before
        sprites = session.context.scene.sprites
        card = sprites.add(CARDS[0].sprite())
        frames_of(session, 1)
        names = {node.declaration.name for node in session.runtime.plan.graph.nodes}
        assert {"sprite_data", "world_sprites"} <= names
        assert "screen_sprites" not in names
        sprites.remove(card)
        label = sprites.add(Sprite(CARDS[0].image, (10, 10), space="screen"))
        frames_of(session, 1)
        names = {node.declaration.name for node in session.runtime.plan.graph.nodes}
        assert {"sprite_data", "world_sprites", "screen_sprites"} <= names, "a node stays for a while"
        sprites.remove(label)
        for _ in range(KEPT_FRAMES):
            session.base.switches._sprites.follow(sprites.drawn())
        frames_of(session, 2)
        assert plan_to_text(session.runtime.plan) == before


def test_textures_are_released_when_nothing_shows_them(backend: VulkanBackend) -> None:
    with closing(session_of(Flat, backend)) as session:
        frames_of(session, 1)
        textures = session._scene.sprites.textures
        assert len(textures._textures) == len(CARDS)
        cards = session.runner.game.shown[:3]  # type: ignore[attr-defined]
        for card in cards:
            card.visible = False
        frames_of(session, 1)
        assert len(textures._textures) == len(CARDS), "they may come back"
        for _ in range(KEPT_FRAMES):
            session._scene.sprites.update(0)
        frames_of(session, 1)
        assert len(textures._textures) == len(CARDS) - 3
        for card in cards:
            card.visible = True
        assert np.array_equal(frames_of(session, 1)[-1][..., :3], shown(Flat, backend))
