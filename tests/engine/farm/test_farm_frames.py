"""Frames of jobs, rendered by this process."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playing import frames_of

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.farm import Farm, Frame, RenderJob
from renderwright.engine.farm.frames import FrameWork
from renderwright.engine.farm.work import CarriedError
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError

pytestmark = pytest.mark.vulkan
SIZE = (64, 36)


def rendered(job: RenderJob) -> list[Frame]:
    with Farm() as farm:
        return list(farm.render(job))


def digests(job: RenderJob) -> dict[int, str]:
    return {frame.number: frame.digest for frame in rendered(job)}


def test_frames_are_those_of_play(game: str, backend: VulkanBackend) -> None:
    found = find_game(game)
    clock = FixedStepClock(found.step, frame=1 / 60)
    with closing(Session(found, backend, SIZE, clock=clock)) as session:
        played = frames_of(session, 4)
    frames = rendered(RenderJob(game, range(4), SIZE))
    assert [frame.number for frame in frames] == [0, 1, 2, 3]
    for frame, picture in zip(frames, played, strict=True):
        np.testing.assert_array_equal(frame.texels(), picture[..., :3])


def test_frames_that_begin_late_are_those_of_the_whole_run(game: str, replay: Path) -> None:
    whole = digests(RenderJob(game, range(12), SIZE, replay))
    assert len(set(whole.values())) == 12
    assert digests(RenderJob(game, range(9, 12), SIZE, replay)) == {number: whole[number] for number in range(9, 12)}
    maker = FrameWork(RenderJob(game, range(12), SIZE, replay), replay.read_text()).open()
    with closing(maker):
        for number in (3, 10, 4, 11, 0):
            assert maker.make(number).digest == whole[number], number


def test_motion_looks_back_at_the_frame_before_also_behind_a_gap(game: str) -> None:
    job = RenderJob(game, range(10), SIZE, plugins=PluginChoice(enable=("motion_blur",)))
    assert digests(replace(job, frames=range(8, 10))).items() <= digests(job).items()


def test_frames_that_take_over_textures_are_rendered_from_the_start(game: str, taa: PluginChoice) -> None:
    job = RenderJob(game, range(6), SIZE, plugins=taa)
    whole = digests(job)
    with Farm() as farm:
        late = {frame.number: frame.digest for frame in farm.render(replace(job, frames=range(4, 6)))}
        assert "depth" in farm.report.carried
    assert late == {4: whole[4], 5: whole[5]}


def test_a_worker_in_the_middle_says_that_it_needs_the_frames_before(game: str, taa: PluginChoice) -> None:
    with closing(FrameWork(RenderJob(game, range(6), SIZE, plugins=taa)).open()) as maker, pytest.raises(CarriedError):
        maker.make(4)


def test_a_warm_up_does_with_fewer_frames(game: str, taa: PluginChoice) -> None:
    job = RenderJob(game, range(4, 6), SIZE, plugins=taa, warm_up=2)
    with Farm() as farm:
        assert [frame.number for frame in farm.render(job)] == [4, 5]
        assert farm.report.carried == ()


def test_an_exposure_that_adapts_is_found_from_the_start(game: str) -> None:
    adapting = PluginChoice(settings=(SettingChange("tonemap", "auto_exposure", True),))
    job = RenderJob(game, range(8), SIZE, plugins=adapting)
    assert digests(replace(job, frames=range(7, 8))).items() <= digests(job).items()


def test_a_resource_is_the_values_before_the_tone_mapper(game: str) -> None:
    frames = rendered(RenderJob(game, range(2, 4), SIZE, resource="hdr_final"))
    values = [frame.texels() for frame in frames]
    assert values[0].shape == (36, 64, 4)
    assert values[0].dtype == np.float16
    assert (values[0] != values[1]).any()


def test_an_unknown_resource_is_refused(game: str) -> None:
    with pytest.raises(UsageError, match='no resource "hdr_fina'):
        rendered(RenderJob(game, range(1), SIZE, resource="hdr_fina"))


ENDING = """\
from renderwright.engine import Game


class Ending(Game):
    skeleton = "forward"
    plugins = ()
    frames = 0

    def draw(self, alpha):
        self.frames += 1
        if self.frames == 3:
            END
"""


def ending(folder: Path, statement: str) -> RenderJob:
    """Frames of a game that ends with frame 2."""
    path = folder / "ending.py"
    path.write_text(ENDING.replace("END", statement))
    return RenderJob(str(path), range(5), SIZE)


def test_a_game_that_raises_costs_the_frames_from_there_on(tmp_path: Path) -> None:
    with Farm() as farm:
        assert [frame.number for frame in farm.render(ending(tmp_path, "1 / 0"))] == [0, 1]
    assert sorted(farm.report.given_up) == [2, 3, 4]
    assert len(farm.report.events) == 3
    reason = farm.report.given_up[2]
    assert reason.startswith("frame 2 cannot be played: ")
    assert reason.endswith("ending.py:12: ZeroDivisionError: division by zero")


def test_a_game_that_cannot_begin_costs_all_frames(tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(
        ENDING.replace("draw(self, alpha)", "setup(self, context)").replace("== 3", "== 1").replace("END", "1 / 0")
    )
    with Farm() as farm:
        assert list(farm.render(RenderJob(str(path), range(5), SIZE))) == []
    assert sorted(farm.report.given_up) == [0, 1, 2, 3, 4]
    assert len(farm.report.events) == 3
    assert farm.report.given_up[4].startswith("the game cannot begin: ")
    assert farm.report.given_up[4].endswith("failing.py:12: ZeroDivisionError: division by zero")


def test_a_game_that_quits_has_no_more_frames(tmp_path: Path) -> None:
    with Farm() as farm:
        assert [frame.number for frame in farm.render(ending(tmp_path, "self.context.request_quit()"))] == [0, 1, 2]
    assert farm.report.given_up == {3: "the game ended at frame 2", 4: "the game ended at frame 2"}
