from __future__ import annotations

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend, Recorder
from tests.on_devices import run_frame


def with_three_times(recorder: Recorder) -> None:
    recorder.timestamp(0)
    recorder.timestamp(1)
    recorder.timestamp(3)


def test_times_grow_within_a_frame_and_from_frame_to_frame(device: Backend) -> None:
    assert device.capabilities.timestamps
    assert list(device.timestamps(0)) == []
    run_frame(device, with_three_times)
    device.wait_idle()
    first = list(device.timestamps(0))
    assert len(first) == 4
    assert 0 < first[0] <= first[1] <= first[3]
    assert first[2] == 0
    run_frame(device, with_three_times)
    device.wait_idle()
    assert device.timestamps(0)[0] >= first[3]


def test_times_stay_until_the_next_frame_of_the_slot_is_submitted(device: Backend) -> None:
    for slot in range(FRAMES_IN_FLIGHT):
        run_frame(device, with_three_times, slot)
    device.wait_idle()
    times, passed = list(device.timestamps(0)), [True, True, False, True]
    assert list(device.passed(0)) == passed
    device.begin_frame(0)
    try:
        assert list(device.timestamps(0)) == times
        assert list(device.passed(0)) == passed
    finally:
        device.end_frame(0, [], None)
    assert not any(device.timestamps(0))
    assert not any(device.passed(0))


def test_a_frame_without_times_has_none(device: Backend) -> None:
    run_frame(device, with_three_times)
    run_frame(device, lambda recorder: recorder.timestamp(0))
    device.wait_idle()
    times = list(device.timestamps(0))
    assert times[0] > 0
    assert times[1:] == [0, 0, 0]
    assert list(device.passed(0)) == [True, False, False, False]
