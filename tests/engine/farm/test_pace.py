"""How many pieces a worker gets, and when it counts as hanging."""

from __future__ import annotations

from renderwright.engine.farm.pace import BATCH_SECONDS, LEAST_SECONDS, OPENING_SECONDS, PLAYED_SECONDS, SLOWER, Pace


def test_the_first_batch_is_one_piece() -> None:
    assert Pace(32).batch == 1


def test_batches_take_some_seconds_and_have_a_limit() -> None:
    pace = Pace(32)
    pace.note("a", (0, 1), (0.25, 0.25))
    assert pace.batch == round(BATCH_SECONDS / 0.25)
    pace.note("a", (2, 3, 4), (0.001, 0.001, 0.001))
    assert pace.batch == 32


def test_the_opening_of_further_workers_does_not_count_as_a_piece() -> None:
    pace = Pace(32)
    pace.note("a", (0,), (0.5,))
    pace.note("b", (1, 2), (60.0, 0.5))
    assert pace.median == 0.5


def test_a_new_worker_may_open_its_device_and_play_to_its_piece() -> None:
    assert Pace(32).limit("a", (100,), before=100) == OPENING_SECONDS + 100 * PLAYED_SECONDS + LEAST_SECONDS


def test_a_worker_that_goes_on_has_so_many_times_the_median() -> None:
    pace = Pace(32)
    pace.note("a", (0, 1), (2.0, 2.0))
    assert pace.limit("a", (2, 3), before=2) == 2 * SLOWER * 2.0
    assert pace.limit("a", (7,), before=7) == 5 * PLAYED_SECONDS + SLOWER * 2.0


def test_a_batch_of_fast_pieces_is_not_waited_for_piece_by_piece() -> None:
    """Twenty frames of a tenth of a second had 400 seconds."""
    pace = Pace(32)
    pace.note("a", (0, 1), (0.1, 0.1))
    assert pace.limit("a", tuple(range(2, 22)), before=2) == 20 * SLOWER * 0.1
    assert pace.limit("a", (2,), before=2) == LEAST_SECONDS


def test_a_worker_that_goes_back_begins_anew() -> None:
    pace = Pace(32)
    pace.note("a", (5,), (1.0,))
    assert pace.limit("a", (3,), before=3) > OPENING_SECONDS
    pace.forget("a")
    assert pace.limit("a", (6,), before=6) > OPENING_SECONDS
