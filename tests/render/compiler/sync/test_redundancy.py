"""Chains of barriers: what several of them order together."""

from __future__ import annotations

from renderwright.render.compiler.sync.redundancy import Masks, Ordering, implying, ordering_of
from renderwright.render.sync.flags import Access, Stage

COMPUTE, FRAGMENT, COPY = Stage.COMPUTE_SHADER, Stage.FRAGMENT_SHADER, Stage.COPY
LATE, COLOR = Stage.LATE_FRAGMENT_TESTS, Stage.COLOR_ATTACHMENT_OUTPUT
STORE, SAMPLE, DRAW = Access.SHADER_STORAGE_WRITE, Access.SHADER_SAMPLED_READ, Access.COLOR_ATTACHMENT_WRITE
READ, DEPTH, NONE = Access.TRANSFER_READ, Access.DEPTH_STENCIL_ATTACHMENT_WRITE, Access.NONE

WRITTEN_THEN_SAMPLED = (COMPUTE, STORE, FRAGMENT, SAMPLE)


def masks(sources: Stage, written: Access, targets: Stage, read: Access) -> Masks:
    return Masks(int(sources), int(written), int(targets), int(read))


def ordering(name: str | None, point: int, *of: Stage | Access, begins: int | None = None) -> Ordering[str]:
    return ordering_of(point if begins is None else begins, point, masks(*of), name)


def found(
    *orderings: Ordering[str], wanted: tuple[Stage | Access, ...], since: int = 0, point: int = 9
) -> list[str] | None:
    return implying(orderings, masks(*wanted), since, point)


def test_one_barrier_that_holds_all_of_it() -> None:
    one = ordering("one", 1, COMPUTE | COPY, STORE, FRAGMENT, SAMPLE | READ)
    assert found(one, wanted=WRITTEN_THEN_SAMPLED) == ["one"]
    assert found(one, wanted=(COMPUTE | LATE, STORE, FRAGMENT, SAMPLE)) is None
    assert found(one, wanted=(COMPUTE, STORE | DRAW, FRAGMENT, SAMPLE)) is None
    assert found(one, wanted=(COMPUTE, STORE, FRAGMENT | COPY, SAMPLE)) is None
    assert found(one, wanted=(COMPUTE, STORE, FRAGMENT, SAMPLE | STORE)) is None


def test_it_stands_behind_what_is_waited_for_and_in_front_of_who_waits() -> None:
    one = ordering("one", 4, *WRITTEN_THEN_SAMPLED)
    assert found(one, wanted=WRITTEN_THEN_SAMPLED, since=3, point=4) == ["one"]
    assert found(one, wanted=WRITTEN_THEN_SAMPLED, since=4) is None
    assert found(one, wanted=WRITTEN_THEN_SAMPLED, point=3) is None


def test_one_goes_on_where_another_ends() -> None:
    """The copy waits for the dispatch, which is available then, and the shader for the copy."""
    orderings = ordering("one", 1, COMPUTE, STORE, COPY, READ), ordering("two", 2, COPY, NONE, FRAGMENT, SAMPLE)
    assert found(*orderings, wanted=WRITTEN_THEN_SAMPLED) == ["one", "two"]


def test_the_last_one_in_execution_comes_last_whichever_stage_it_waits_for() -> None:
    late = ordering("late", 9, COMPUTE, NONE, FRAGMENT, NONE)
    early = ordering("early", 3, COPY, NONE, FRAGMENT, NONE)
    assert found(early, late, wanted=(COMPUTE | COPY, NONE, FRAGMENT, NONE)) == ["early", "late"]
    assert found(late._replace(point=3), early._replace(point=9), wanted=(COMPUTE | COPY, NONE, FRAGMENT, NONE)) == [
        "late",
        "early",
    ]


def test_what_is_issued_together_does_not_go_on() -> None:
    orderings = ordering("one", 1, COMPUTE, STORE, COPY, READ), ordering("two", 1, COPY, NONE, FRAGMENT, SAMPLE)
    assert found(*orderings, wanted=WRITTEN_THEN_SAMPLED) is None


def test_what_is_not_available_is_not_seen_further_on() -> None:
    orderings = ordering("one", 1, COMPUTE, NONE, COPY, READ), ordering("two", 2, COPY, NONE, FRAGMENT, SAMPLE)
    assert found(*orderings, wanted=WRITTEN_THEN_SAMPLED) is None


def test_it_is_seen_only_behind_what_made_it_available() -> None:
    """The second one waits for the tests as a stage in front of its own, but not for the copy, and so not for what made
    them available."""
    orderings = ordering("one", 1, LATE, DEPTH, COPY, READ), ordering("two", 2, COLOR, DRAW, FRAGMENT, SAMPLE)
    assert found(*orderings, wanted=(LATE, DEPTH, FRAGMENT, SAMPLE)) is None


def test_what_was_only_read_is_over_with_the_stages_behind_it() -> None:
    one = ordering("one", 1, COLOR, DRAW, COPY, READ)
    assert found(one, wanted=(FRAGMENT, NONE, COPY, NONE)) == ["one"]
    assert found(one, wanted=(FRAGMENT, NONE, COPY, READ)) == ["one"]
    assert found(one, wanted=(COPY, NONE, COPY, NONE)) is None


def test_each_stage_may_have_a_way_of_its_own() -> None:
    orderings = ordering("one", 1, COPY, NONE, FRAGMENT, NONE), ordering("two", 2, COMPUTE, NONE, FRAGMENT, NONE)
    assert found(*orderings, wanted=(COMPUTE | COPY, NONE, FRAGMENT, NONE)) in (["one", "two"], ["two", "one"])
    assert found(*orderings[:1], wanted=(COMPUTE | COPY, NONE, FRAGMENT, NONE)) is None


def test_a_change_of_layout_orders_execution_alone() -> None:
    """The layout of some image is changed between the dispatch and the copy."""
    orderings = ordering(None, 1, COMPUTE, STORE, COPY, READ), ordering("two", 2, COPY, NONE, FRAGMENT, SAMPLE)
    assert found(*orderings, wanted=(COMPUTE, NONE, FRAGMENT, NONE)) == ["two"]
    assert found(*orderings, wanted=WRITTEN_THEN_SAMPLED) is None
    assert found(*orderings[:1], wanted=(COMPUTE, NONE, COPY, NONE)) is None


def test_an_event_waits_for_what_came_before_it_was_set() -> None:
    event = ordering("event", 5, *WRITTEN_THEN_SAMPLED, begins=2)
    assert found(event, wanted=WRITTEN_THEN_SAMPLED, since=1) == ["event"]
    assert found(event, wanted=WRITTEN_THEN_SAMPLED, since=2) is None
    late = ordering("one", 3, COPY, NONE, COMPUTE, NONE)
    assert found(late, event, wanted=(COPY, NONE, FRAGMENT, NONE)) is None
    soon = ordering("one", 1, COPY, NONE, COMPUTE, NONE)
    assert found(soon, event, wanted=(COPY, NONE, FRAGMENT, NONE)) == ["one", "event"]


def test_one_is_left_out() -> None:
    orderings = ordering("one", 1, *WRITTEN_THEN_SAMPLED), ordering("two", 2, *WRITTEN_THEN_SAMPLED)
    assert implying(orderings, masks(*WRITTEN_THEN_SAMPLED), 0, 9, "one") == ["two"]
