"""Pictures that a game asks for: their size and names, and what is said when there can be none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext, PictureWish
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.engine.wished_pictures import take_wished
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (48, 27)


class Box(Game):
    """A red box before the camera."""

    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera = Camera((0.0, 0.5, 2.0), (0.0, 0.0, 0.0))
        context.scene.spawn(box(0.8), Material((0.9, 0.1, 0.1, 1.0)), Transform())


@pytest.fixture
def show() -> Iterator[Show]:
    backend = VulkanBackend(validate=True)
    clock = FixedStepClock(Box.step, frame=Box.step)
    opening = Opening(
        lambda: backend,
        lambda backend: backend.create_target(EXTENT),
        lambda backend, target: Session(Box, backend, EXTENT, clock=clock, strict=True),
    )
    with closing(Show(opening)) as show:
        frame(show)
        yield show
    assert backend.validation_messages == []


def frame(show: Show) -> None:
    show.session.step()
    assert show.render() is not None


def wish(show: Show, beside: Path, extent: tuple[int, int], tiles: tuple[int, int] = (1, 1), border: int = 0) -> None:
    show.session.context.request_picture(PictureWish(extent, tiles, border))
    take_wished(show, beside)
    assert show.session.context.picture_wish is None


def picture(path: Path) -> np.ndarray:
    with PIL.Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_a_frame_without_a_wish_saves_nothing(show: Show, tmp_path: Path) -> None:
    take_wished(show, tmp_path / "box.png")
    assert list(tmp_path.iterdir()) == []


def test_it_has_the_size_that_was_asked_for_and_a_number(
    show: Show, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pictures"
    wish(show, folder / "box.png", EXTENT)
    wish(show, folder / "box.png", (96, 54), (2, 3), 8)
    small, large = (picture(folder / f"box-{number}.png") for number in (1, 2))
    assert small.shape == (27, 48, 3)
    assert large.shape == (54, 96, 3)
    shrunk = large.reshape(27, 2, 48, 2, 3).mean(axis=(1, 3))
    assert np.abs(shrunk - small).mean() < 4.0, "tiles show the same moment"
    assert np.ptp(small, axis=(0, 1)).max() > 60, "there is something to see"
    assert f"96 x 54: {folder / 'box-2.png'}" in capsys.readouterr().err
    frame(show)
    assert show.picture().shape[:2] == (27, 48), "frames go on in their own size"


def test_what_cannot_be_saved_is_said_and_the_game_goes_on(
    show: Show, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    wish(show, tmp_path / "file" / "box.png", EXTENT)
    wish(show, tmp_path / "box.png", EXTENT, (1000, 1))
    said = capsys.readouterr().err
    assert said.count("No picture of 48 x 27: ") == 2
    assert "give at least one tile" in said
    frame(show)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
