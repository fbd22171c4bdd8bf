"""Pictures that differ are told from pictures that do not, and shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from reference_comparison import ENLARGED, Comparison
from reference_driver import Driver, processor

HERE = Driver("llvmpipe Mesa 1.2.3", "llvmpipe (256 bits)", "Maker 6 85")
ELSEWHERE = replace(HERE, driver="llvmpipe Mesa 1.2.4")


@pytest.fixture
def right() -> np.ndarray:
    rows, columns = np.mgrid[0:36, 0:64]
    return np.stack([4 * columns, 7 * rows, 255 - 3 * columns], axis=2).astype(np.uint8)


@pytest.fixture
def comparison(tmp_path: Path, right: np.ndarray) -> Comparison:
    PIL.Image.fromarray(right).save(tmp_path / "ramp.png")
    return Comparison(HERE, HERE, tmp_path, tmp_path / "failures")


def test_the_same_picture_passes_on_any_driver(comparison: Comparison, right: np.ndarray) -> None:
    for running in (HERE, ELSEWHERE):
        assert replace(comparison, running=running).complaint("ramp", right) == ""
    assert not comparison.failures.exists()


def test_on_the_same_driver_one_byte_is_too_much(comparison: Comparison, right: np.ndarray) -> None:
    shown = right.copy()
    shown[20, 30, 1] += 1
    found = comparison.complaint("ramp", shown)
    seen, diff = (comparison.failures / f"ramp{end}.png" for end in ("", "-diff"))
    assert "1 of 2304 texels" in found
    assert "by up to 1 of 255" in found
    assert str(seen) in found
    assert str(diff) in found
    assert np.array_equal(np.asarray(PIL.Image.open(seen)), shown)
    sheet = np.asarray(PIL.Image.open(diff))
    height, width = (ENLARGED * side for side in right.shape[:2])
    assert sheet.shape == (2 * height, 2 * width, 3)
    mask = sheet[height:, width:, 0] > 0
    assert np.array_equal(np.argwhere(mask).min(axis=0), (20 * ENLARGED, 30 * ENLARGED))
    assert np.count_nonzero(mask) == ENLARGED**2


def test_on_another_driver_what_nobody_sees_passes_and_what_is_seen_does_not(
    comparison: Comparison, right: np.ndarray
) -> None:
    comparison = replace(comparison, running=ELSEWHERE)
    rounded, torn = right.copy(), right.copy()
    rounded[::4, ::4] ^= 1
    torn[10:26, 20:44] = 255 - torn[10:26, 20:44]
    assert comparison.complaint("ramp", rounded) == ""
    assert "made with llvmpipe Mesa 1.2.3" in comparison.complaint("ramp", torn)
    height, width = (ENLARGED * side for side in right.shape[:2])
    heat = np.asarray(PIL.Image.open(comparison.failures / "ramp-diff.png"))[height:, :width].astype(int).sum(axis=2)
    middle = heat[15 * ENLARGED : 20 * ENLARGED, 26 * ENLARGED : 38 * ENLARGED]
    assert middle.min() > heat[: 3 * ENLARGED].max()


def test_what_failed_before_is_taken_away_when_it_passes(comparison: Comparison, right: np.ndarray) -> None:
    comparison.complaint("ramp", 255 - right)
    assert len(list(comparison.failures.iterdir())) == 2
    assert comparison.complaint("ramp", right) == ""
    assert not list(comparison.failures.iterdir())


def test_a_picture_without_a_reference_or_of_another_size_is_told(comparison: Comparison, right: np.ndarray) -> None:
    assert "there is no" in comparison.complaint("new", right)
    assert (comparison.failures / "new.png").exists()
    assert "63x36 but 64x36" in comparison.complaint("ramp", right[:, 1:])


def test_the_driver_is_kept_beside_the_pictures(tmp_path: Path) -> None:
    path = tmp_path / "made_with.yaml"
    HERE.write(path)
    assert "make references" in path.read_text()
    assert Driver.read(path) == HERE


def test_processors_are_told_by_maker_family_and_model(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    one = "processor\t: {}\nvendor_id\t: Maker\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Fast (tm)\n\n"
    cpuinfo.write_text(one.format(0) + one.format(1).replace("85", "86"))
    assert processor(cpuinfo) == "Maker 6 85"
    assert processor(tmp_path / "none")
    cpuinfo.write_text("Features\t: fp asimd\n")
    assert processor(cpuinfo)
