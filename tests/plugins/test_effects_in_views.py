"""Every effect with two players, two eyes, and both: each view's picture is the one that it would have alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest
from effect_bench import validated_backend
from view_scenes import EYES, MovingCompany, Picture, cut, frames_of, session_of, show_only

from engine.session import Session
from engine.views import Rectangle, ViewSet
from plugins.vr.stereo import EYE, Eyes
from render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EFFECTS = (
    *("bloom", "depth_of_field", "fog", "fxaa", "motion_blur", "outline"),
    *("shadows", "ssao", "taa", "tonemap"),
)
SETTINGS = {**EYES, "tonemap.auto_exposure": "true", "split_screen.separator": "0"}
FRAMES = 2
Shown = tuple[Picture, ViewSet]


@pytest.fixture(scope="module")
def backend() -> Iterator[VulkanBackend]:
    with validated_backend() as backend:
        yield backend


def show(backend: VulkanBackend, extent: tuple[int, int], effects: tuple[str, ...], players: int, eyes: int) -> Shown:
    """The last frame and its views."""
    views = (*(["split_screen"] if players > 1 else []), *(["vr"] if eyes > 1 else []))
    session = session_of(backend, extent, game=MovingCompany, players=players, enable=(*effects, *views), **SETTINGS)
    return last_frame(session)


def last_frame(session: Session) -> Shown:
    try:
        picture = frames_of(session, FRAMES)[-1]
        return picture, session._input.views
    finally:
        session.close()


def alone(
    backend: VulkanBackend, effects: tuple[str, ...], players: int, views: ViewSet, index: Mapping[str, int]
) -> Picture:
    """The picture of one view, on an output of its size, in a session that makes no other."""
    one = single(views, index, pair="shadows" in effects)
    plugins = (*effects, *(["vr"] if EYE in views.counts else []))
    session = session_of(backend, one.output, game=MovingCompany, players=players, enable=plugins, **SETTINGS)
    show_only(session, one)
    picture, _ = last_frame(session)
    return picture[:, : views.viewport[0]]


def single(views: ViewSet, index: Mapping[str, int], *, pair: bool) -> ViewSet:
    """One instance of the views by itself. With ``pair`` the other eye is there too, beside it: shadow maps are made
    for both."""
    width, height = views.viewport
    place = Rectangle(0, 0, width, height)
    whole = replace(views.whole(index), rectangle=place)
    if EYE not in views.counts:
        return replace(views, output=(width, height), views=(whole,))
    split = dict(views.splits)[EYE]
    assert isinstance(split, Eyes)
    eye = index[EYE]
    eyes = Eyes(
        (split.eyes[eye], split.eyes[1 - eye]), (place, replace(place, x=width if pair else 0)), 2 if pair else 1
    )
    output = (2 * width if pair else width, height)
    splits = tuple((name, eyes if name == EYE else other) for name, other in views.splits)
    return replace(views, output=output, views=(whole,), splits=splits)


CASES = [*(((effect,), 2, 2) for effect in EFFECTS), (("ssaa",), 2, 2)]
"""Both at once holds whatever one of them does; two players alone and two eyes alone are tried with all effects."""


@pytest.mark.parametrize(
    ("effects", "players", "eyes"),
    [*CASES, (EFFECTS, 2, 1), (EFFECTS, 1, 2), (EFFECTS, 2, 2)],
    ids=lambda value: "all" if value == EFFECTS else value[0] if isinstance(value, tuple) else str(value),
)
def test_each_view_is_as_if_it_were_alone(
    backend: VulkanBackend, effects: tuple[str, ...], players: int, eyes: int
) -> None:
    extent = (64 * players if eyes == 1 else 112, 36 if eyes == 1 else 62 * players)
    picture, views = show(backend, extent, effects, players, eyes)
    shown_views = [(index, view) for index, view in views.instances() if not index.get("sample")]
    assert len(shown_views) == players * eyes
    pictures = []
    for index, view in shown_views:
        shown = cut(picture, view.rectangle)
        pictures.append(shown)
        assert shown.std() > 8, "there is something to see"
        if effects != EFFECTS and index["view"] == index[EYE]:
            continue  # of one effect by itself, two of the four are enough
        expected = alone(backend, effects, players, views, index)
        assert shown.shape == expected.shape
        assert np.array_equal(shown, expected), index
    for number, one in enumerate(pictures):
        assert all(not np.array_equal(one, other) for other in pictures[:number]), "no view shows what another does"


def test_split_screen_and_vr_change_nothing_for_one_player_without_a_headset(backend: VulkanBackend) -> None:
    plain, _ = show(backend, (64, 36), ("bloom",), 1, 1)
    session = session_of(backend, (64, 36), game=MovingCompany, enable=("bloom", "split_screen", "vr"), **SETTINGS)
    session.toggle("vr")
    picture, _ = last_frame(session)
    assert np.array_equal(picture, plain)
