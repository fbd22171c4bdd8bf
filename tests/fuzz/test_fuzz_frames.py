"""The fuzzing of whole frames notices what it is there for."""

from __future__ import annotations

import pytest
from fuzz_frames import frames_case, frames_of

from renderwright.render.backend.protocol import BoundBarrier
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder

pytestmark = pytest.mark.vulkan
SEED = 1003


@pytest.fixture
def own_devices(monkeypatch: pytest.MonkeyPatch):
    """Devices that what is wrong here is not held against."""
    import fuzz_frames

    made = fuzz_frames.Stage(fuzz_frames.stage().folder)
    monkeypatch.setattr(fuzz_frames, "stage", lambda: made)
    yield
    made.close()


def test_a_missing_barrier_is_noticed(monkeypatch: pytest.MonkeyPatch, own_devices: None) -> None:
    issue = VulkanRecorder.barriers

    def changes_layout(one):
        return isinstance(one, BoundBarrier) and one.barrier.old_layout != one.barrier.new_layout

    def only_layouts(self, barriers):
        issue(self, [one for one in barriers if changes_layout(one)])

    monkeypatch.setattr(VulkanRecorder, "barriers", only_layouts)
    with pytest.raises(AssertionError, match=r"(?i)hazard|write|contents"):
        frames_case(SEED)


def test_memory_that_two_have_at_once_is_noticed(monkeypatch: pytest.MonkeyPatch, own_devices: None) -> None:
    place = VulkanBackend.place_texture
    monkeypatch.setattr(
        VulkanBackend, "place_texture", lambda self, heap, offset, info, name: place(self, heap, 0, info, name)
    )
    with pytest.raises(AssertionError, match=r"(?i)hazard|write|contents"):
        frames_case(SEED)


def test_a_case_is_the_same_each_time() -> None:
    def told(graph):
        return [
            (node.name, [(one.verb, one.name, one.usage, one.desc, one.first, one.part) for one in node.requests])
            for node in graph.snapshot.nodes
        ]

    first, again = frames_of(SEED), frames_of(SEED)
    assert told(first[0]) == told(again[0])
    assert first[0].watched == again[0].watched
    assert first[1:] == again[1:]
