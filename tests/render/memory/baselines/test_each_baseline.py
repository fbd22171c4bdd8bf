"""Small cases worked by hand, one or more for each method. A frame has 5 moments, the circle 10."""

from __future__ import annotations

import pytest
from baseline_cases import copies

from renderwright.render.memory.baselines import BASELINES, BaselineItem, BaselineProblem, Layout

FRAME = 5


def resources(*lives: tuple[int, int, int, str]) -> BaselineProblem:
    """Both copies of resources given as first moment in the frame, length, size, description."""
    items: list[BaselineItem] = []
    for start, length, size, name in lives:
        items += copies(start, length, size, FRAME, name=name, number=len(items))
    return BaselineProblem(tuple(items), 2 * FRAME)


def layout_of(name: str, problem: BaselineProblem) -> Layout:
    return BASELINES[name](problem)


SIMPLE = resources((0, 2, 4, "a"), (2, 2, 4, "a"), (1, 2, 2, "b"), (3, 4, 1, "c"))
"""Two images described alike one after the other, one that overlaps both, and a history of one byte."""


def test_two_copies_each_sums_all_copies() -> None:
    assert layout_of("two_copies_each", SIMPLE).total == 2 * (4 + 4 + 2 + 1)


def test_no_aliasing_has_one_texture_for_all_frames_and_two_with_a_history() -> None:
    layout = layout_of("no_aliasing", SIMPLE)
    assert layout.total == 4 + 4 + 2 + 2 * 1
    assert layout.offsets[0] == layout.offsets[1]
    assert layout.offsets[6] != layout.offsets[7]


def test_whole_images_are_taken_over_when_they_are_alike_and_free() -> None:
    layout = layout_of("whole_image_reuse", SIMPLE)
    assert layout.total == 4 + 2 + 2 * 1
    assert layout.offsets[0] == layout.offsets[1] == layout.offsets[2] == layout.offsets[3]


def test_whole_images_with_a_history_or_without_a_description_are_not_shared() -> None:
    assert layout_of("whole_image_reuse", resources((0, 1, 4, ""), (2, 1, 4, ""))).total == 8
    assert layout_of("whole_image_reuse", resources((0, 1, 4, "a"), (2, 4, 4, "a"))).total == 12


def test_an_image_is_taken_over_only_if_no_earlier_taker_needs_it() -> None:
    # The second takes over the first's image; the third is apart from the first but not from the second.
    assert layout_of("whole_image_reuse", resources((0, 1, 4, "a"), (1, 3, 4, "a"), (2, 2, 4, "a"))).total == 8


def test_an_image_is_aligned_for_all_its_takers() -> None:
    first, second = BaselineItem(0, 1, 1, 3, "a"), BaselineItem(2, 3, 1, 4, "a")
    below = BaselineItem(0, 10, 1, 24)
    layout = layout_of("whole_image_reuse", BaselineProblem((first, second, below), 10))
    assert layout == Layout((12, 12, 0), 13)


def test_online_first_fit_takes_the_lowest_hole_without_looking_ahead() -> None:
    # 3 bytes end and leave a hole, the small one takes it, so that the large one must go on top.
    problem = resources((0, 1, 3, ""), (0, 4, 2, ""), (1, 2, 1, ""), (2, 2, 3, ""))
    layout = layout_of("linear_online_first_fit", problem)
    assert layout.offsets[::2] == (0, 3, 0, 5)
    assert layout.offsets[::2] == layout.offsets[1::2]
    assert layout.total == 8


def test_online_first_fit_keeps_histories_above_the_frame() -> None:
    layout = layout_of("linear_online_first_fit", SIMPLE)
    # 4 bytes, 2 above them, and the second image in the bytes of the first; then both copies of the history.
    assert layout.offsets == (0, 0, 0, 0, 4, 4, 6, 7)
    assert layout.total == 8


def test_best_fit_by_size_takes_the_tightest_hole() -> None:
    # Beneath the long one at the top of the stack, the first and the second leave holes of 6 and 4 bytes at the end.
    problem = resources((0, 2, 6, ""), (0, 5, 5, ""), (0, 2, 4, ""), (0, 5, 3, ""), (3, 1, 2, ""))
    layout = layout_of("decreasing_size_best_fit", problem)
    assert layout.offsets[::2] == (0, 6, 11, 15, 11)
    assert layout.total == 18


def test_best_fit_by_size_shares_a_history_with_nobody() -> None:
    # The history lives in the last moment of its frame and the first of the next one, and has its bytes for all of it.
    problem = resources((4, 2, 8, ""), (2, 1, 4, ""))
    assert layout_of("decreasing_size_best_fit", problem).total == 8 + 8 + 4
    assert layout_of("cyclic_scanline", problem).total == 8


def test_cyclic_scanline_by_hand() -> None:
    # Load by moment: 0..1 -> 4, 2..7 -> 3, 8 -> 5, 9 -> 4: the cut is at 2, where b is alive.
    a = BaselineItem(8, 12, 4)
    b = BaselineItem(2, 9, 1)
    c = BaselineItem(2, 5, 2)
    d = BaselineItem(5, 8, 2)
    problem = BaselineProblem((a, b, c, d), 10)
    # What begins at the cut is alive there: c and b are stacked, the larger below. At 5 c ends; its bytes are due again
    # at 2, and d takes them. At 8 d ends; a needs 4 bytes, finds 2, and grows the heap from its top: above b.
    assert layout_of("cyclic_scanline", problem) == Layout((3, 2, 0, 0), 7)


def test_cyclic_scanline_gives_a_block_only_until_its_owner_returns() -> None:
    # The cut is at 0, where the first is alive. Its bytes are free from 2 until 8: the second fits, the third does not.
    crossing, fits, too_long, late = (
        BaselineItem(8, 12, 4),
        BaselineItem(2, 8, 4),
        BaselineItem(2, 9, 4),
        BaselineItem(9, 10, 3),
    )
    problem = BaselineProblem((crossing, fits, too_long), 10)
    assert layout_of("cyclic_scanline", problem) == Layout((0, 0, 4), 8)
    # The bytes keep their term when the second gives them back: at 9 only those of the third are free.
    assert layout_of("cyclic_scanline", BaselineProblem((*problem.items, late), 10)).offsets == (0, 0, 4, 4)


def test_cyclic_scanline_grows_by_what_the_top_lacks() -> None:
    problem = BaselineProblem((BaselineItem(0, 9, 2), BaselineItem(1, 3, 3), BaselineItem(4, 6, 5)), 10)
    assert layout_of("cyclic_scanline", problem) == Layout((0, 2, 2), 7)


def test_greedy_scanline_stacks_wrapped_arcs_by_their_start() -> None:
    problem = BaselineProblem((BaselineItem(6, 12, 1), BaselineItem(8, 11, 2), BaselineItem(3, 3, 4)), 10)
    assert layout_of("greedy_scanline", problem) == Layout((2, 0, 3), 7)


def test_greedy_scanline_splits_blocks_only_for_a_rest_of_4096_bytes() -> None:
    for rest, second in ((4095, 8000 + 4095 + 10), (4096, 8000)):
        problem = BaselineProblem(
            (
                BaselineItem(0, 1, 8000 + rest),
                BaselineItem(0, 9, 10),
                BaselineItem(1, 5, 8000),
                BaselineItem(2, 5, 100),
            ),
            10,
        )
        assert layout_of("greedy_scanline", problem).offsets == (0, 8000 + rest, 0, second)


def test_greedy_scanline_respects_the_return_of_a_wrapped_arc() -> None:
    problem = BaselineProblem((BaselineItem(8, 12, 4), BaselineItem(2, 8, 4), BaselineItem(2, 9, 4)), 10)
    assert layout_of("greedy_scanline", problem) == Layout((0, 0, 4), 8)


def test_greedy_scanline_cuts_the_top_off() -> None:
    # The second ends at 3 with nothing above it; the fourth, too large for the first's bytes, begins where it began.
    problem = BaselineProblem((BaselineItem(0, 9, 4), BaselineItem(1, 3, 2), BaselineItem(3, 5, 6)), 10)
    assert layout_of("greedy_scanline", problem) == Layout((0, 4, 4), 10)


SHIPPED_CASES = (
    (300, (BaselineItem(281, 100, 2**25),), 2**25),
    (300, (BaselineItem(100, 200, 2**25, 8), BaselineItem(200, 100, 2**25, 8)), 2**25),
    (10, (BaselineItem(0, 0, 1),) * 10, 10),
)


@pytest.mark.parametrize("name", ["cyclic_scanline", "greedy_scanline"])
def test_both_scanlines_solve_the_cases_that_dagors_packers_are_tested_with(name: str) -> None:
    for period, items, total in SHIPPED_CASES:
        assert layout_of(name, BaselineProblem(items, period)).total == total
