"""Players, eyes and sizes come and go in one run: every frame is that of a run which began so; validation is silent."""

from __future__ import annotations

import numpy as np
import pytest
from playing import Picture, frames_of
from view_scenes import EYES, session_of

from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SETTINGS = {**EYES, "ssr.roughness": "1"}
PLUGINS = ("bloom", "shadows", "split_screen", "ssao", "vr")
EXTENT, OTHER = (112, 64), (90, 75)
FRAMES = 2


def fresh(
    backend: VulkanBackend, plugins: tuple[str, ...], players: int, extent: tuple[int, int], *, vr: bool
) -> list[Picture]:
    """The first frames of a run that begins so."""
    chosen = tuple(plugin for plugin in plugins if vr or plugin != "vr")
    session = session_of(backend, extent, players=players, enable=chosen, **SETTINGS)
    try:
        return frames_of(session, FRAMES)
    finally:
        session.close()


def declared(session: Session) -> dict[str, object]:
    return {name: session.graph.declared(name) for name in session.graph.node_names}


CHANGES = (
    *((2, False, EXTENT), (1, False, EXTENT), (4, False, EXTENT), (4, True, OTHER)),
    *((1, True, EXTENT), (1, False, EXTENT), (2, True, OTHER)),
)
"""Players, whether in VR, size of the output."""
RESIZES = ((1, False, OTHER), (2, False, EXTENT), (2, False, OTHER), (2, True, OTHER), (2, True, EXTENT))
"""Where only the size changes, TAA does not begin anew with the order of its jitter, nor SSR with that of its rays, so
they are left out."""


@pytest.mark.parametrize(("plugins", "steps"), [((*PLUGINS, "ssr", "taa"), CHANGES), (PLUGINS, RESIZES)])
def test_players_eyes_and_sizes_change_in_one_run(
    backend: VulkanBackend, plugins: tuple[str, ...], steps: tuple[tuple[int, bool, tuple[int, int]], ...]
) -> None:
    session = session_of(backend, EXTENT, enable=plugins, **SETTINGS)
    session.toggle("vr")
    frames_of(session, 1)
    nodes = declared(session)
    try:
        for players, vr, extent in steps:
            session.set_players(players)
            if session.plugins.is_enabled("vr") is not vr:
                session.toggle("vr")
            pictures = frames_of(session, FRAMES, extent)
            for frame, (now, then) in enumerate(
                zip(pictures, fresh(backend, plugins, players, extent, vr=vr), strict=True)
            ):
                assert now.std() > 8
                assert np.array_equal(now, then), (players, vr, extent, frame)
            after = declared(session)
            assert all(after[name] is node for name, node in nodes.items()), "a node was declared anew"
    finally:
        session.close()


def test_no_frame_is_without_its_hud_when_the_output_changes(backend: VulkanBackend) -> None:
    session = session_of(backend, EXTENT, players=2, enable=("split_screen",))
    try:
        frames_of(session, 1)
        session.step()  # the game writes its HUDs for the old size
        target = backend.create_target((80, 48))
        session.render(target)
        shown = session.picture()
        target.close()
        begun = session_of(backend, (80, 48), players=2, enable=("split_screen",))
        assert np.array_equal(shown, frames_of(begun, 2)[-1])
        begun.close()
    finally:
        session.close()
