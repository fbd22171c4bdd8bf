"""Every effect and every way to show views looks as it did; see ``reference_shots`` for what there is.

A failure writes the rendered picture and a diff picture to ``out/reference-failures``. If the new picture is the better
one, ``make references`` makes it the reference. With full-screen nodes as compute shaders each effect looks as it does
when it is drawn.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import Picture, flip
from reference_comparison import Comparison
from reference_driver import FOLDER, Driver
from reference_shots import MOMENTS, Moment
from reference_studio import take

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.fullscreen import Fullscreen

SHOTS = [shot for moment in MOMENTS for shot in moment.shots]
LARGEST_FOLDER = 1_500_000
"""Bytes: the pictures are in the history of the repository for good."""
MOST_VALUES_APART = 0.001
"""The share of values that may be one step apart: ``uv`` is interpolated in one way and computed in the other."""
STEPS_APART = {"taa": 2, "taa_in_motion": 5}
"""More than one step where a picture accumulates over frames: 2 on lavapipe, 5 on an NVIDIA H100."""
COMPARED = [
    *[moment for moment in MOMENTS if moment.players == 1],
    *[
        replace(moment, shots=tuple(shot for shot in moment.shots if shot.name == "split_screen_2_vr"))
        for moment in MOMENTS
        if moment.players == 2
    ],
]

Drawn = Callable[[str, Fullscreen], dict[str, Picture]]


def pictures(backend: VulkanBackend, moment: Moment, how: Fullscreen) -> dict[str, Picture]:
    options = CompileOptions(packing=PackPolicy.BALANCED, queues=ALL_QUEUES, fullscreen=how)
    return {shot.name: picture for shot, picture in take(backend, moment, moment.shots, options)}


@pytest.fixture(scope="module")
def drawn(backend: VulkanBackend) -> Drawn:
    """The pictures of a moment, by their names."""
    moments = {moment.name: moment for moment in MOMENTS}
    return functools.cache(lambda name, how: pictures(backend, moments[name], how))


def apart(one: Picture, other: Picture) -> NDArray[np.int64]:
    return np.abs(one.astype(np.int64) - other)


@pytest.mark.vulkan
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
def test_pictures_are_as_they_were(backend: VulkanBackend, drawn: Drawn, moment: Moment) -> None:
    able = backend.capabilities
    comparison = Comparison(Driver.of(able), Driver.read())
    found = [comparison.complaint(name, picture) for name, picture in drawn(moment.name, able.fullscreen).items()]
    assert len(found) == len(moment.shots)
    complaints = "\n".join(filter(None, found))
    if complaints:
        pytest.fail(f"{complaints}\nIf the new pictures are right, run `make references`.", pytrace=False)


@pytest.mark.vulkan
@pytest.mark.parametrize("moment", COMPARED, ids=lambda moment: moment.name)
def test_both_ways_draw_the_same_pictures(
    backend: VulkanBackend, drawn: Drawn, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored to sRGB textures is drawn: lavapipe encodes it for attachments by an approximation."""
    right, able = drawn(moment.name, Fullscreen.FRAGMENT), backend.capabilities
    monkeypatch.setattr(
        backend, "capabilities", replace(able, storage_formats=able.storage_formats - {"rgba8_srgb", "bgra8_srgb"})
    )
    for name, computed in pictures(backend, moment, Fullscreen.COMPUTE).items():
        off = apart(right[name], computed)
        assert off.max() <= STEPS_APART.get(name, 1), name
        assert np.count_nonzero(off) <= MOST_VALUES_APART * off.size, name


@pytest.mark.vulkan
def test_encoded_pictures_look_the_same(backend: VulkanBackend, drawn: Drawn) -> None:
    """Antialiasing of the encoded picture decides by thresholds, which a step may pass."""
    names = ("marbles", "fxaa", "tonemap_aces", "ssaa", "vr")
    moment = next(moment for moment in MOMENTS if moment.name == "game")
    chosen = replace(moment, shots=tuple(shot for shot in moment.shots if shot.name in names))
    computed = pictures(backend, chosen, Fullscreen.COMPUTE)
    assert set(computed) == set(names)
    for name, picture in computed.items():
        right = drawn(moment.name, Fullscreen.FRAGMENT)[name]
        assert np.count_nonzero(apart(right, picture) > 1) <= 0.003 * picture.size, name
        assert flip(right, picture) < 0.02, name


def test_every_plugin_has_a_picture() -> None:
    points = entry_points(group="renderwright")
    own = {point.name for point in points if point.value.startswith("renderwright.plugins.")}
    switched = {name for shot in SHOTS for name in (*shot.on, *shot.off)}
    changed = {setting.partition(".")[0] for shot in SHOTS for setting in shot.settings}
    assert own <= switched | changed


def test_there_is_a_file_for_each_picture_and_no_other() -> None:
    names = [shot.name for shot in SHOTS]
    assert len(set(names)) == len(names)
    assert {path.stem for path in FOLDER.glob("*.png")} == set(names)


def test_the_folder_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST_FOLDER
