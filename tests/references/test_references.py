"""Every effect and every way to show views looks as it did; see ``reference_shots`` for what there is.

A failure writes the rendered picture and a diff picture to ``out/reference-failures``. If the new picture is the better
one, ``make references`` makes it the reference.
"""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest
from reference_comparison import Comparison
from reference_driver import FOLDER, Driver
from reference_shots import MOMENTS, Moment
from reference_studio import take

from renderwright.render.backend.vulkan.backend import VulkanBackend

SHOTS = [shot for moment in MOMENTS for shot in moment.shots]
LARGEST_FOLDER = 1_500_000
"""Bytes: the pictures are in the history of the repository for good."""


@pytest.mark.vulkan
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
def test_pictures_are_as_they_were(backend: VulkanBackend, moment: Moment) -> None:
    comparison = Comparison(Driver.of(backend.capabilities), Driver.read())
    found = [comparison.complaint(shot.name, picture) for shot, picture in take(backend, moment, moment.shots)]
    assert len(found) == len(moment.shots)
    complaints = "\n".join(filter(None, found))
    if complaints:
        pytest.fail(f"{complaints}\nIf the new pictures are right, run `make references`.", pytrace=False)


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
