"""The ring of staging memory against a plain model: what is handed out is nobody else's until it is read."""

from __future__ import annotations

import random

import pytest

from renderwright.render.backend.staging import Span, StagingRing


@pytest.mark.parametrize("seed", range(20))
def test_no_byte_is_handed_out_twice_before_it_is_read(seed: int) -> None:
    rng = random.Random(seed)
    ring = StagingRing(1024)
    held: list[tuple[int, Span]] = []
    taken = value = reached = 0
    for _ in range(400):
        least = rng.choice([1, 16, 48, 100, 1024])
        span = ring.take(least, least * rng.randint(1, 6))
        if span is not None:
            assert span.start % 16 == 0
            assert span.size % least == 0
            assert span.start + span.size <= ring.size
            assert not any(s.start < span.start + span.size and span.start < s.start + s.size for _, s in held)
            value += 1
            ring.mark(value)
            held.append((value, span))
            taken += 1
        elif not held:
            pytest.fail("a ring that nobody uses has nothing to give")
        if rng.random() < 0.4:
            reached = rng.randint(reached, value)
            ring.reached(reached)
            held = [(mark, span) for mark, span in held if mark > reached]
    assert taken > 50


def test_who_is_a_whole_ring_ahead_gets_nothing() -> None:
    ring = StagingRing(256)
    assert ring.take(64, 256) == Span(0, 256)
    ring.mark(1)
    assert ring.take(1, 256) is None
    ring.reached(1)
    assert ring.take(256, 256) == Span(0, 256)


def test_what_was_not_submitted_is_given_back() -> None:
    ring = StagingRing(256)
    ring.take(64, 64)
    ring.mark(1)
    position = ring.position
    assert ring.take(64, 192) == Span(64, 192)
    ring.rewind(position)
    assert ring.take(64, 192) == Span(64, 192)
    ring.rewind(position)
    ring.reached(1)
    assert ring.free == 256
