"""Commands that are recorded behind earlier frames, before the first frame that runs them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from beside_frames import SLOTS, Running

from renderwright.render.errors import GraphError
from renderwright.render.graph.revision import Revision
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.recording import Recording
from renderwright.render.runtime.verification.recordings import Recordings
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

Declare = Callable[[Any], Callable[[Any], None]]


def draws(
    running: Running,
    name: str,
    also: Callable[[Any], Any] = lambda reg: None,
    see: Callable[[Any], None] = lambda requested: None,
) -> Declare:
    """Declares a stable node that draws and notes that it has run; what it ``also`` requests is what its execute
    function shows to ``see``."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create(name, Texture("rgba8_unorm", reg.resolution("size"))).color()
        requested = also(reg)
        reg.side_effects()
        reg.stable()
        pipeline = reg.graphics("fill.frag")

        def execute(cmd: Any) -> None:
            running.ran.append(name)
            see(requested)
            cmd.draw(pipeline)

        return execute

    running.shader("fill")
    return declare


def comes(running: Running, **nodes: Declare) -> list[list[str]]:
    """What the frames run, from those with the old plan to the third of the new one."""
    for name, declare in nodes.items():
        running.graph.add_node(name, declare)
    running.make_plan()
    frames = []
    while running.runtime.behind:
        frames.append(running.frame())
    return [*frames, running.frame(), running.frame()]


def test_a_stable_node_is_recorded_before_its_plan_takes_over(slowly: Running) -> None:
    slowly.frame()  # in the second slot
    *old, first, second, third = comes(slowly, b=draws(slowly, "b"))
    assert [names.count("b") for names in old if "b" in names] == [1, 1]
    assert (first, second, third) == (["a"], ["a"], ["a"])
    assert not slowly.failures


def test_what_is_not_stable_runs_in_its_frames_alone(slowly: Running) -> None:
    slowly.frame()
    slowly.add("b")
    slowly.frame()
    slowly.worker.work()
    while slowly.runtime.behind:
        names = slowly.frame()
        assert names == ["a", "b"] or "b" not in names
    assert slowly.frame() == ["a", "b"]


def test_a_node_whose_blob_gets_its_value_in_the_frame_is_recorded_with_it(slowly: Running) -> None:
    values: list[Any] = []

    def sets(reg: Any) -> Callable[[Any], None]:
        blob = reg.create("number", int)

        def execute(cmd: Any) -> None:
            blob.value = 7

        return execute

    def see(number: Any) -> None:
        values.append(number.value)

    slowly.frame()
    draw = draws(slowly, "b", lambda reg: reg.read("number", int), see)
    *_, first, second, third = comes(slowly, sets=sets, b=draw)
    assert ("b" in first, "b" in second, third) == (True, True, ["a"])
    assert values[-2:] == [7, 7]


@pytest.mark.parametrize(("first", "now"), [(7, 7), (7, 8)], ids=["equal", "another"])
def test_nodes_are_recorded_ahead_with_the_values_of_the_plan_before(slowly: Running, first: int, now: int) -> None:
    number, values = [first], []

    def sets(reg: Any) -> Callable[[Any], None]:
        blob = reg.create("number", int)

        def execute(cmd: Any) -> None:
            blob.value = number[-1]

        return execute

    def see(blob: Any) -> None:
        values.append(blob.value)

    slowly.graph.add_node("sets", sets)
    slowly.graph.add_node("b", draws(slowly, "b", lambda reg: reg.read("number", int), see))
    slowly.make_plan()
    while slowly.runtime.behind:
        slowly.frame()
    slowly.frame()
    slowly.add("c")
    slowly.frame()
    slowly.worker.work()
    values.clear()
    while slowly.runtime.behind:
        if len(values) == SLOTS:
            number.append(now)
        names = slowly.frame()
    assert values[:SLOTS] == [first] * SLOTS
    assert ("b" in names) == (now != first)
    assert values[-1] == now


def test_a_blob_that_the_new_plan_does_not_set_has_no_value_in_its_first_frame(slowly: Running) -> None:
    values: list[Any] = []

    def sets(number: Any) -> Declare:
        def declare(reg: Any) -> Callable[[Any], None]:
            blob = reg.create("number", int)

            def execute(cmd: Any) -> None:
                if number is not None:
                    blob.value = number

            return execute

        return declare

    def see(blob: Any) -> None:
        values.append(blob.value)

    slowly.frame()
    comes(slowly, sets=sets(7), b=draws(slowly, "b", lambda reg: reg.read("number", int), see))
    values.clear()
    comes(slowly, sets=sets(None), c=draws(slowly, "c"))
    assert values == [7, 7, None], "the frame before the first one is that of the other slot, whose value stays"


def test_a_node_that_raises_ahead_is_left_to_the_frame(slowly: Running) -> None:
    def fails(requested: object) -> None:
        raise ValueError("on purpose")

    slowly.frame()
    frames = comes(slowly, b=draws(slowly, "b", see=fails))
    assert [str(failure.error) for failure in slowly.failures] == ["on purpose"]
    assert frames[-1] == ["a"]


def test_the_first_frames_of_a_history_are_not_known_ahead(slowly: Running) -> None:
    valid: list[bool] = []

    def keeps(reg: Any) -> Callable[[Any], None]:
        reg.create("past", Texture("rgba8_unorm", reg.resolution("size"))).color(clear=(0.0, 0.0, 0.0, 0.0))
        return lambda cmd: None

    def see(past: Any) -> None:
        valid.append(past.valid)

    slowly.frame()
    comes(slowly, keeps=keeps, b=draws(slowly, "b", lambda reg: reg.history("past").sampled().bind("past"), see))
    assert valid == [False, True, True]


def test_a_check_sees_what_was_recorded_ahead(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    check = FrameCheck(slowly.failures.append)
    monkeypatch.setattr(check, "judge", lambda record: judged.append(record.instance.id))
    monkeypatch.setattr(slowly.runtime, "_check", check)
    slowly.frame()
    comes(slowly, b=draws(slowly, "b"))
    assert judged.count("b") == 2


def test_verified_frames_begin_with_their_own_recording(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[NodeFailure] = []
    monkeypatch.setattr(slowly.runtime, "recordings", Recordings(Recording.VERIFIED, found.append))
    slowly.frame()
    *_, first, second, third = comes(slowly, b=draws(slowly, "b"))
    assert (first, second, third) == (["a", "b"], ["a", "b"], ["a", "b"])
    assert (slowly.failures, found) == ([], [])


def test_a_node_that_asks_for_the_slot_is_left_to_the_frame_whatever_it_catches(slowly: Running) -> None:
    slots: list[int] = []

    def declare(reg: Any) -> Callable[[Any], None]:
        draw = draws(slowly, "b")(reg)

        def execute(cmd: Any) -> None:
            with suppress(GraphError):
                slots.append(cmd.slot)
            draw(cmd)

        return execute

    slowly.frame()
    *_, first, second, third = comes(slowly, b=declare)
    assert ("b" in first, "b" in second, third) == (True, True, ["a"])
    assert sorted(slots) == [0, 1]


def test_a_revision_that_has_advanced_since_is_followed(slowly: Running) -> None:
    shape = Revision()
    frames: list[int] = []

    def declare(reg: Any) -> Callable[[Any], None]:
        draw = draws(slowly, "b")(reg)
        reg.stable(shape)

        def execute(cmd: Any) -> None:
            frames.append(slowly.runtime.frame)
            draw(cmd)

        return execute

    slowly.frame()
    slowly.graph.add_node("b", declare)
    slowly.make_plan()
    while len(frames) < SLOTS:
        slowly.frame()
    shape.advance()
    while slowly.runtime.behind:
        slowly.frame()
    assert "b" in slowly.ran
    assert slowly.frame() == ["a", "b"]
    assert slowly.frame() == ["a"]


def test_a_value_that_could_be_changed_in_place_is_none_that_was_expected(slowly: Running) -> None:
    numbers = [1]

    def sets(reg: Any) -> Callable[[Any], None]:
        blob = reg.create("numbers", list)

        def execute(cmd: Any) -> None:
            blob.value = numbers

        return execute

    slowly.frame()
    comes(slowly, sets=sets, b=draws(slowly, "b", lambda reg: reg.read("numbers", list), lambda blob: blob.value))
    *_, first, second, _ = comes(slowly, c=draws(slowly, "c"))
    assert ("b" in first, "b" in second) == (True, True)


def test_a_value_that_was_another_one_meanwhile_is_seen_anew(slowly: Running) -> None:
    """What belongs to it, such as descriptor sets, may be gone: it is equal, and not the same."""
    number, values = [7], []

    def see(blob: Any) -> None:
        values.append(blob.value)

    def sets(reg: Any) -> None:
        reg.external("number", int, lambda context: number[-1])

    slowly.graph.add_node("sets", sets)
    slowly.graph.add_node("b", draws(slowly, "b", lambda reg: reg.read("number", int), see))
    slowly.make_plan()
    while slowly.runtime.behind:
        slowly.frame()
    slowly.frame()
    for name in ("c", "d", "e"):
        slowly.graph.add_node(name, draws(slowly, name))
    slowly.make_plan()
    values.clear()
    while len(values) < SLOTS:
        slowly.frame()
    for meanwhile in (8, 7):
        number.append(meanwhile)
        slowly.frame()
    assert slowly.runtime.behind
    while slowly.runtime.behind:
        names = slowly.frame()
    assert "b" in names


def test_command_buffers_whose_commands_are_known_are_recorded_before_the_plan_takes_over(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded: list[str] = []
    record = slowly.backend.record

    def noted(commands: Any, lists: Any) -> None:
        recorded.append(commands.name)
        record(commands, lists)

    monkeypatch.setattr(slowly.backend, "record", noted)
    slowly.frame()  # in the second slot
    for name in ("b", "c"):
        slowly.graph.add_node(name, draws(slowly, name))
    slowly.make_plan()
    before: list[str] = []
    for _ in range(20):
        recorded.clear()
        slowly.frame()
        if not slowly.runtime.behind:
            break
        before += [name for name in recorded if "b, c" in name]
    slowly.frame()
    assert before == ["b, c, frame slot 0", "b, c, frame slot 1"]
    assert not any("b, c" in name for name in recorded)


def test_no_command_buffer_is_recorded_with_what_the_application_has_destroyed_since_the_node_ran_ahead(
    slowly: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[bool] = []
    record = slowly.backend.record

    def noted(commands: Any, lists: Any) -> None:
        used.extend(old.alive for one in lists for _, arguments in one.ops for old in arguments if old is first)
        record(commands, lists)

    def mesh(name: str) -> Any:
        return slowly.backend.create_buffer(BufferInfo(64, frozenset({Usage.VERTEX})), name, bytes(64))

    def declare(reg: Any) -> Callable[[Any], None]:
        draw = draws(slowly, "b")(reg)
        blob = reg.external("mesh", tuple, lambda context: (meshes[-1].name, meshes[-1]))

        def execute(cmd: Any) -> None:
            cmd.vertices(blob.value[1])
            draw(cmd)

        return execute

    first = mesh("first")
    meshes = [first]
    monkeypatch.setattr(slowly.backend, "record", noted)
    slowly.frame()
    comes(slowly, b=declare)
    slowly.graph.add_node("c", draws(slowly, "c"))
    slowly.make_plan()
    while "b" not in slowly.frame():
        assert slowly.runtime.behind
    meshes.append(mesh("second"))
    slowly.backend.destroy(first)
    while slowly.runtime.behind:
        slowly.frame()
    slowly.backend.destroy(meshes[-1])
    assert used
    assert all(used)


def test_kept_commands_are_not_expected_when_a_revision_has_advanced(slowly: Running) -> None:
    shape = Revision()
    runs: list[NodeRun] = []

    def declare(reg: Any) -> Callable[[Any], None]:
        draw = draws(slowly, "b")(reg)
        reg.stable(shape)
        return draw

    slowly.frame()
    comes(slowly, b=declare)
    running = slowly.runtime._current.running
    assert running is not None
    for slot in range(SLOTS):
        frame = running._now.latest(slot)
        assert frame is not None
        runs.append(frame.runs["b"])
    assert [run.expected is run.recorded for run in runs] == [True, True]
    shape.advance()
    assert [run.expected for run in runs] == [None, None]
