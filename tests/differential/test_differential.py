"""The oracle beside the validation layer on a real device: a few random streams, and what each of them alone sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from cell_states import ALL, ANY
from fuzz_differential import NoLayerError, differential_case, player, random_case, verdict
from stream_changes import LAYER_SEES, ORACLE_SEES
from stream_script import DST, GENERAL, UNDEFINED, Script, dependency, use
from verdicts import Difference

from renderwright.render.sync.oracle import Kind, check
from renderwright.render.sync.oracle.stream import Dependency

pytestmark = pytest.mark.vulkan
CLEAR, COMPUTE = "CLEAR", "COMPUTE_SHADER"
WRITE, LOAD, STORE = "TRANSFER_WRITE", "SHADER_STORAGE_READ", "SHADER_STORAGE_WRITE"


@pytest.fixture(autouse=True)
def _layer() -> None:
    try:
        player()
    except NoLayerError as reason:
        pytest.skip(str(reason))


def newest() -> None:
    if not player().judge.layer.newest:
        pytest.skip(f"the layer {player().judge.layer} is an old one")


def cleared(*uses: object) -> Script:
    return Script().buffer("b").buffer("c").work(use("b", CLEAR, WRITE), *uses, name="clear")


def test_a_slice_of_random_streams() -> None:
    endings = [differential_case(seed) for seed in range(500, 650)]
    assert endings.count("both content") + endings.count("both object") > (120 if player().judge.layer.newest else 20)


def test_most_mistakes_are_seen_by_both_at_the_same_command() -> None:
    newest()
    verdicts = [verdict(random_case(seed)[1]) for seed in range(100)]
    both = [one for one in verdicts if one.findings and one.objections]
    assert len(both) > 20
    assert sum(one.same_command for one in both) > 0.7 * len(both)


def test_both_see_a_missing_barrier_and_the_barrier() -> None:
    newest()  # older ones take a fill for a copy
    reads = use("b", COMPUTE, LOAD)
    missing = verdict(cleared().work(reads).stream())
    assert {one.rule for one in missing.objections} == {"SYNC-HAZARD-READ-AFTER-WRITE"}
    assert (missing.differences, missing.same_command) == ((), True)
    assert verdict(cleared().barrier(dependency(CLEAR, WRITE, COMPUTE, LOAD, "b")).work(reads).stream()).sound


def test_both_see_a_wrong_layout() -> None:
    script = Script().image("i").work(use("i", CLEAR, WRITE, DST), name="clear")
    found = verdict(script.stream())
    assert found.findings[0].kind is Kind.WRONG_LAYOUT
    assert found.differences == ()
    assert found.objections


def test_both_look_at_several_submissions() -> None:
    script = cleared().submit().work(use("b", CLEAR, WRITE), name="clear").submit()
    found = verdict(script.stream())
    assert (found.differences, found.same_command) == ((), player().judge.layer.newest)


def test_only_the_oracle_sees_contents() -> None:
    found = verdict(Script().buffer("b").work(use("b", COMPUTE, LOAD)).stream())
    assert [(one.side, one.family) for one in found.differences] == [("oracle", "content")]


def test_only_the_oracle_sees_an_image_and_a_buffer_in_one_memory() -> None:
    newest()
    script = (
        Script().buffer("b", 4096, at=(0, 4096)).image("i", at=(0, 4096)).work(use("b", CLEAR, WRITE), name="clear")
    )
    script.barrier(dependency(COMPUTE, "", CLEAR, WRITE, "i", UNDEFINED, DST))
    found = verdict(script.work(use("i", CLEAR, WRITE, DST), name="clear").stream())
    assert found.differences == (Difference("oracle", "hazard", "different resources in one memory"),)


def test_only_the_oracle_asks_for_visibility_after_a_read() -> None:
    newest()
    script = cleared().barrier(dependency(CLEAR, WRITE, COMPUTE, LOAD, "b")).work(use("b", COMPUTE, LOAD))
    script.barrier(dependency(COMPUTE, "", CLEAR, "")).work(use("b", CLEAR, WRITE), name="clear")
    assert verdict(script.stream()).differences == (Difference("oracle", "hazard", "a read since the write"),)


def test_a_barrier_of_an_alias_says_nothing_of_what_goes_through_the_resource_itself() -> None:
    """Found by the newest layer: the barrier of "a" makes no write through "b" visible to "b"."""
    script = Script().buffer("a", at=(0, 256)).buffer("b", at=(0, 256)).work(use("b", CLEAR, WRITE), name="clear")
    script.barrier(dependency(CLEAR, WRITE, CLEAR, WRITE, "a")).work(use("b", CLEAR, WRITE), name="clear")
    assert {one.kind for one in check(script.stream()).findings} == {Kind.NOT_VISIBLE}


def test_layout_changes_follow_one_another_without_a_barrier() -> None:
    """Found to be stricter than the specification: "Image Layout Transitions" orders them."""
    first = dependency("", "", COMPUTE, STORE, "i", UNDEFINED, GENERAL)
    second = dependency("COPY", "", CLEAR, WRITE, "i", GENERAL, DST)
    script = Script().image("i").barrier(first).barrier(second)
    assert verdict(script.work(use("i", CLEAR, WRITE, DST), name="clear").stream()).sound
    script = Script().image("i").begin().set("e", second).barrier(first).wait_event("e", second)
    assert Kind.WRITE_AFTER_WRITE in {one.kind for one in check(script.stream()).findings}


def test_a_full_barrier_makes_any_stream_sound() -> None:
    full = Dependency(ALL, ANY, ALL, ANY)
    script = cleared()
    for one in (use("b", COMPUTE, LOAD), use("c", COMPUTE, STORE), use("b", COMPUTE, f"{LOAD}|{STORE}")):
        script.barrier(full).work(one)
    found = verdict(script.stream())
    assert found.objections == ()
    assert {one.family for one in found.differences} <= {"content"}


def test_every_reason_is_told_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "oracle.md").read_text(encoding="utf-8")
    for table in (ORACLE_SEES, LAYER_SEES):
        for reasons in table.values():
            for reason in reasons:
                assert reason in text, reason
