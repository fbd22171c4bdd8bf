"""Poses of many characters at once are those of the specification, one joint after the other."""

from __future__ import annotations

import numpy as np
import pytest
from plain_animation import blended, clip_values, palette, rest_values
from rigs_of_chance import random_clip, random_curve, random_rig

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.mixer import Mixer
from renderwright.engine.animation.player import Player
from renderwright.engine.animation.track import tracks_of

EVERY_WAY = tuple(Interpolation)


def close(ours: np.ndarray, plain: np.ndarray) -> None:
    np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=2e-4 * max(1.0, float(np.abs(plain).max())))


@pytest.mark.parametrize("way", Interpolation)
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_clip_at_any_time(way: Interpolation, alike: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    rig = random_rig(random, 9, still=2, morphs=3)
    clip, curves = random_clip(random, rig, "clip", alike=alike, ways=(way,))
    times = np.concatenate([random.uniform(-0.5, 2.5, 12), *(curve.times[:2] for curve in curves[:3])])
    pose = clip.sample(times, rig.rest)
    ours = rig.palettes(rig.matrices(pose, len(times)))
    for number, time in enumerate(times.tolist()):
        values = clip_values(rig, curves, time)
        close(ours[number], palette(rig, values))
        weights = [values[Path.WEIGHT, target][0] for target in range(3)]
        every = np.broadcast_to(pose[Path.WEIGHT], (len(times), 3, 1))
        close(every[number, :, 0], np.array(weights))


def test_a_random_mix_of_characters() -> None:
    random = np.random.default_rng(7)
    rig = random_rig(random, 12, still=3, morphs=2)
    pairs = [random_clip(random, rig, name, alike=name == "a", ways=EVERY_WAY) for name in "abc"]
    mixer = Mixer(rig, [clip for clip, _ in pairs])
    players = [Player(mixer, f"character {number}") for number in range(6)]
    for number, player in enumerate(players[1:], 1):
        player.play("abc"[number % 3])
        player.seek(0.1 * number)
    mixer.advance(0.0)
    for number, player in enumerate(players[2:], 2):
        player.play("abc"[(number + 1) % 3], fade=0.8)
    mixer.advance(0.2)
    poses = mixer.poses(1.0)
    for number in range(6):
        if number == 0:
            expected = rest_values(rig)
        else:
            (clip, curves), start = pairs[number % 3], 0.1 * number + 0.2
            expected = clip_values(rig, curves, start % clip.duration)
        if number > 1:
            clip, curves = pairs[(number + 1) % 3]
            expected = blended([(0.75, expected), (0.25, clip_values(rig, curves, 0.2 % clip.duration))])
        close(poses.palettes[number], palette(rig, expected))


def test_curves_with_other_times_become_one_track() -> None:
    random = np.random.default_rng(3)
    times = [np.array([0.0, 0.5, 2.0]), np.array([0.25, 1.0, 1.5, 1.75])]
    curves = [
        random_curve(random, target, Path.ROTATION, Interpolation.LINEAR, times[target % 2]) for target in range(6)
    ]
    (track,) = tracks_of(curves)
    assert len(track.times) == 7
    assert [len(found.times) for found in tracks_of(curves[:1])] == [3]


def test_times_that_would_grow_too_much_stay_apart() -> None:
    curves = [
        Curve(target, Path.SCALE, Interpolation.LINEAR, np.array([0.0, 1.0 + target]), np.ones((2, 3), np.float32))
        for target in range(100)
    ]
    assert len(tracks_of(curves)) == 100


def test_a_clip_with_one_keyframe() -> None:
    random = np.random.default_rng(2)
    rig = random_rig(random, 2)
    for way in EVERY_WAY:
        curve = random_curve(random, 0, Path.TRANSLATION, way, np.array([0.5]))
        pose = Clip.of("pose", [curve]).sample(np.array([0.0, 0.5, 3.0]), rig.rest)
        assert (pose[Path.TRANSLATION][:, 0] == curve.values[0]).all()
        assert (pose[Path.TRANSLATION][:, 1] == rig.rest[Path.TRANSLATION][0, 1]).all()


def test_a_clip_leaves_the_rest_pose_alone() -> None:
    random = np.random.default_rng(2)
    rig = random_rig(random, 4, morphs=1)
    before = {path: part.copy() for path, part in rig.rest.parts.items()}
    clip, _ = random_clip(random, rig, "clip", alike=False, ways=EVERY_WAY)
    clip.sample(np.array([0.3]), rig.rest)
    assert all((before[path] == part).all() for path, part in rig.rest.parts.items())
