"""Each tutorial works for who does what it says in an empty folder, and shows what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from playing import Picture
from tutorial_reader import PAGES, Reader, blocks, with_members


@pytest.fixture
def reader(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Reader:
    caplog.set_level("WARNING")
    return Reader(tmp_path, monkeypatch, capsys, caplog)


def seen(reader: Reader, name: str) -> Picture:
    """A picture that the reader has saved."""
    with PIL.Image.open(reader.folder / name) as picture:
        return np.asarray(picture.convert("RGB"))


def test_members_take_the_places_of_those_of_the_same_names() -> None:
    source = "class A:\n    one = 1\n\n    def f(self):\n        return 1\n\n\nB = 2\n"
    members = "class A:\n    one = 3\n    two = {\n        2: 2,\n    }\n\n"
    members += "    def f(self):\n        return 2\n\n    def g(self):\n        pass\n"
    names: dict[str, type] = {}
    exec(with_members(source, members), names)
    assert (names["A"].one, names["A"].two, names["A"]().f(), names["A"]().g()) == (3, {2: 2}, 2, None)
    assert names["B"] == 2


def test_every_page_has_its_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    pages = sorted(page.name for page in PAGES.glob("*.md") if blocks(page.name))
    assert pages
    assert all(f'"{page}"' in source for page in pages)


@pytest.mark.vulkan
def test_the_first_game(reader: Reader) -> None:
    reader.follow("first-game.md", smaller=5, fewer=5)
    both = seen(reader, "race.png").astype(int)
    width = both.shape[1] // 2
    assert np.abs(both[:, : width - 2] - both[:, -width + 2 :]).mean() > 3.0, "two views"


@pytest.mark.vulkan
def test_the_first_plugin(reader: Reader) -> None:
    reader.follow("first-plugin.md", smaller=3)
    painted, plain = (seen(reader, name).astype(int) for name in ("with.png", "without.png"))
    assert np.abs(painted - plain).mean() > 10.0
    red, green, blue = (painted[..., channel].ravel() for channel in range(3))
    assert np.corrcoef(red, green)[0, 1] > 0.9, "all on a line between two colours"
    assert np.corrcoef(red, blue)[0, 1] > np.corrcoef(*plain[..., ::2].reshape(-1, 2).T)[0, 1]


@pytest.mark.vulkan
def test_an_effect_with_a_history(reader: Reader) -> None:
    reader.follow("effect-with-history.md", fewer=2)
    shown = seen(reader, "trail.png").astype(int)
    warm = shown[..., 0] > shown[..., 2] + 5
    trail = (shown[..., 0] > 180) & warm
    assert trail[:, :238].sum() > 600, "more than the lamp, which has 15 pixels across"
    reader.types("renderwright play sparkler.py --views 2 --headless --frames 60 --size 480x200 --screenshot plain.png")
    smeared = (np.abs(shown - seen(reader, "plain.png")).max(axis=2) > 20) & ~warm
    assert smeared[:, 242:].mean() < 0.015, "0.009; without motion vectors 0.036"


@pytest.mark.vulkan
def test_geometry(reader: Reader) -> None:
    reader.follow("geometry.md", smaller=3, fewer=4)
    deferred, forward = (seen(reader, name).astype(int) for name in ("flag.png", "forward.png"))
    red = deferred[..., 0] > 3 * deferred[..., 1]
    assert red[17:41, 65:100].mean() > 0.7, "the cloth"
    assert red.mean() < 0.1, "and nothing else"
    assert np.abs(deferred - forward).mean() < 1.0


@pytest.mark.vulkan
def test_an_own_skeleton(reader: Reader) -> None:
    reader.follow("own-skeleton.md")
    lamps = seen(reader, "board.png").astype(int).sum(axis=2)
    middles, corners = lamps[4::8, 4:312:8], lamps[0::8, 0:312:8]
    assert (middles > 3 * corners).mean() > 0.9


@pytest.mark.vulkan
def test_split_screen_and_vr(reader: Reader) -> None:
    reader.follow("split-screen-and-vr.md", smaller=2)
    whole, tiles = (seen(reader, name).astype(int) for name in ("whole.png", "tiles.png"))
    assert np.abs(whole - tiles).mean() < 0.5
    assert whole[0, 0].mean() < 0.9 * whole[0, 120].mean()
