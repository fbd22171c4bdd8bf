"""Every effect with two players, two eyes, and both: each view's picture is the one that it would have alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import numpy as np
import pytest
from playing import Picture, frames_of
from view_scenes import (
    EYES,
    VISIBLE,
    MovingCompany,
    change_settings,
    cut,
    session_of,
    show_only,
    single,
)

from renderwright.engine.views import ViewSet
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

pytestmark = pytest.mark.vulkan

EFFECTS = (
    *("bloom", "depth_of_field", "fog", "fxaa", "motion_blur", "outline"),
    *("shadows", "ssao", "taa", "tonemap"),
)
SETTINGS = {**VISIBLE, "tonemap.auto_exposure": "true"}
SHARED = frozenset({"shadows", "tonemap"})
"""Effects that do something once for both eyes of a player: shadow maps, one exposure."""
STEPS = (*((effect,) for effect in (*EFFECTS, "ssaa")), EFFECTS)
"""What is on at once: each effect by itself, then all but the one that repeats everything for its samples."""
FRAMES = 2


class Run:
    """A session in which effects come and go.

    Runs with the same effects one after another have the same frames, to the time and to TAA's jitter, whatever they
    show of them.
    """

    def __init__(self, backend: VulkanBackend, extent: Extent, players: int, views: Sequence[str]) -> None:
        self.session = session_of(
            backend,
            extent,
            game=MovingCompany,
            players=players,
            enable=views,
            disable=MovingCompany.plugins,
            **EYES,
            **{"split_screen.separator": "0"},
        )
        change_settings(self.session, SETTINGS)

    def picture(self, effects: Sequence[str], extent: Extent | None = None) -> Picture:
        """The last of the next frames, with these effects."""
        for effect in effects:
            self.session.toggle(effect)
        try:
            return frames_of(self.session, FRAMES, extent)[-1]
        finally:
            for effect in effects:
                self.session.toggle(effect)

    def picture_of(self, effects: Sequence[str], views: ViewSet, index: Mapping[str, int]) -> Picture:
        """The same of one of the views, on an output of its size, without the others."""
        one = single(views, index, pair=not SHARED.isdisjoint(effects))
        show_only(self.session, one)
        return self.picture(effects, one.output)[:, : views.viewport[0]]

    @property
    def views(self) -> ViewSet:
        """What the last frame showed."""
        return self.session._input.views

    def close(self) -> None:
        self.session.close()


@pytest.mark.parametrize(
    ("players", "eyes", "extent"),
    [(2, 1, (128, 36)), (1, 2, (112, 62)), (2, 2, (112, 124))],
    ids=["2 views", "stereo", "2 views x 2 eyes"],
)
def test_each_view_is_as_if_it_were_alone(backend: VulkanBackend, players: int, eyes: int, extent: Extent) -> None:
    headset = ["vr"] if eyes > 1 else []
    with ExitStack() as runs:

        def start(*views: str) -> Run:
            run = Run(backend, extent, players, (*views, *headset))
            runs.callback(run.close)
            return run

        together = start("split_screen")
        alone = [start() for _ in range(players * eyes)]
        for effects in STEPS:
            picture = together.picture(effects)
            instances = [(index, view) for index, view in together.views.instances() if not index.get("sample")]
            shown = [cut(picture, view.rectangle) for _, view in instances]
            for (index, _), run, seen in zip(instances, alone, shown, strict=True):
                assert seen.std() > 8, "there is something to see"
                same = np.array_equal(seen, run.picture_of(effects, together.views, index))
                assert same, (effects, index)
            assert len({seen.tobytes() for seen in shown}) == len(shown), "no view shows what another does"


def test_split_screen_and_vr_change_nothing_for_one_player_without_a_headset(backend: VulkanBackend) -> None:
    extent = (64, 36)
    with ExitStack() as runs:
        plain, installed = (Run(backend, extent, 1, views) for views in ((), ("split_screen", "vr")))
        for run in (plain, installed):
            runs.callback(run.close)
        installed.session.toggle("vr")
        for effects in STEPS:
            same = np.array_equal(installed.picture(effects), plain.picture(effects))
            assert same, effects
