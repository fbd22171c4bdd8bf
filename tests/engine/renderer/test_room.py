"""Room for a number of things that changes."""

from __future__ import annotations

import random

from renderwright.engine.renderer.room import LEAST, Room


def test_it_grows_at_once_only_where_frames_lack_room() -> None:
    room = Room()
    assert not room.fit(300)
    assert room.size == 512
    assert room.fit(400)
    assert room.size == 1024, "a quarter of 512 is used up"
    assert room.fit(512), "frames have 512 at least"
    assert not room.fit(513)
    assert (room.size, room.certain) == (1024, 1024)


def test_it_shrinks_late_and_may_wait_for_that() -> None:
    room = Room()
    room.fit(3000)
    assert room.size == 4096
    assert room.fit(1000)
    assert room.size == 4096
    assert room.fit(300)
    assert (room.size, room.certain) == (1024, 1024)


def test_a_number_that_goes_up_and_down_by_half_does_not_change_it() -> None:
    room = Room()
    room.fit(700)
    sizes = set()
    for count in (350, 700, 400, 690) * 3:
        assert room.fit(count)
        sizes.add(room.size)
    assert sizes == {1024}


def test_frames_always_have_room() -> None:
    numbers = random.Random(3)
    for _ in range(300):
        room, frames = Room(), 0
        for _ in range(60):
            count = numbers.choice((1, 10, 250, 300, 900, 5000)) * numbers.randint(1, 3)
            waits = room.fit(count)
            if not waits or numbers.random() < 0.5:
                frames = room.size  # a plan of the latest size has taken over
            assert max(count, LEAST) <= frames
            assert room.certain <= frames
