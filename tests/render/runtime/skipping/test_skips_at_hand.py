"""What a frame in a window skips that would have to wait for a compile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from beside_frames import SLOTS, Running

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.runtime.skipping.skips_at_hand import MOST_AGAIN, MOST_FRAMES, SkipsAtHand
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

ALL = frozenset("abcd")


def sets(*names: str) -> list[frozenset[str]]:
    return [frozenset(some) for some in names]


def test_a_frame_that_is_lowered_skips_all_that_it_can() -> None:
    at_hand = SkipsAtHand()
    at_hand.choose(ALL, sets("abc"), ALL)
    assert at_hand.awaited == ALL
    assert at_hand.found(ALL) == ALL
    assert at_hand.awaited is None


def test_another_frame_skips_the_most_that_a_lowered_one_does() -> None:
    at_hand = SkipsAtHand()
    assert at_hand.choose(ALL, sets("", "ab", "abc", "b"), ALL) == frozenset("abc")
    assert at_hand.wanted == ALL


@pytest.mark.parametrize(
    ("lowered", "repeatable"),
    [("abce", "abcde"), ("ab", "abd"), ("ab", "c")],
    ids=["skips a node that is due", "runs one that gives other results", "runs none that may run"],
)
def test_no_frame_runs_other_nodes_than_those_that_are_due_or_repeatable(lowered: str, repeatable: str) -> None:
    at_hand = SkipsAtHand()
    assert at_hand.choose(ALL, sets(lowered), frozenset(repeatable)) == ALL
    assert at_hand.wanted is None


def test_few_nodes_run_again() -> None:
    many = frozenset(str(number) for number in range(MOST_AGAIN + 1))
    assert SkipsAtHand().choose(many, sets(""), many) == many


def test_what_has_been_tried_waits_no_longer() -> None:
    at_hand = SkipsAtHand()
    at_hand.choose(ALL, sets("ab"), ALL)
    at_hand.tried = ALL
    assert at_hand.choose(ALL, sets("ab"), ALL) == ALL
    assert at_hand.choose(ALL, sets("ab"), ALL) == frozenset("ab"), "it was for one frame"


def test_frames_do_not_wait_for_ever() -> None:
    at_hand = SkipsAtHand()
    chosen = [at_hand.choose(ALL, sets("ab"), ALL) for _ in range(MOST_FRAMES + 1)]
    assert chosen == [frozenset("ab")] * MOST_FRAMES + [ALL]


class Lights:
    """Values that nodes wait for, and what their nodes do besides."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self.values: dict[str, int] = {}

    def add(self, name: str, more: Callable[[Any], object] = lambda reg: None) -> None:
        """A blob ``NAME_light``, and a node ``NAME`` that runs when its value is another one."""
        self.values[name] = 0

        def declare_light(reg: Any) -> Callable[[Any], None]:
            light = reg.create(f"{name}_light", int)

            def execute(cmd: Any) -> None:
                light.value = self.values[name]

            return execute

        def declare(reg: Any) -> Callable[[Any], None]:
            reg.create(name, Texture("rgba8_unorm", reg.resolution("size"))).color()
            reg.when(f"{name}_light")
            reg.read(f"{name}_light")
            more(reg)
            pipeline = reg.graphics("a.frag")

            def execute(cmd: Any) -> None:
                self._running.ran.append(name)
                cmd.draw(pipeline)

            return execute

        def declare_reader(reg: Any) -> None:
            reg.read(name).sampled()
            reg.side_effects()

        graph = self._running.graph
        graph.add_node(f"light_{name}", declare_light)
        graph.add_node(name, declare)
        graph.add_node(f"reads_{name}", declare_reader)

    def change(self, *names: str) -> None:
        for name in names:
            self.values[name] += 1


@pytest.fixture
def lights(running: Running) -> Lights:
    return Lights(running)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The nodes that are skipped in plans which a frame has waited for."""
    found: list[set[str]] = []
    plan = PartialPlans.plan

    def noted(partial: PartialPlans, skipped: frozenset[str], *rest: Any, **named: Any) -> Any:
        if not partial.knows(skipped):
            found.append(set(skipped))
        return plan(partial, skipped, *rest, **named)

    monkeypatch.setattr(PartialPlans, "plan", noted)
    return found


def settled(running: Running, lights: Lights, *names: str) -> None:
    for name in names:
        lights.add(name)
    running.make_plan()
    assert running.failures == []
    assert running.runtime.plan.problems == ()
    for _ in range(SLOTS):
        lights.change(*lights.values)
        running.frame()
    for _ in range(SLOTS):
        running.frame()


def test_a_node_runs_again_until_a_frame_without_it_is_lowered(
    running: Running, lights: Lights, compiled: list[set[str]]
) -> None:
    settled(running, lights, "b", "c")
    running.worker.seconds_a_frame = 1e-9
    compiled.clear()
    assert running.frame() == ["a"]
    lights.change("b")
    assert running.frame() == ["a", "b", "c"]
    for _ in range(40):
        running.frame()  # lowers a part of the missing frame behind itself, as long as that is awaited
        lights.change("b")
    assert running.frame() == ["a", "b"]
    assert compiled == []


def test_frames_without_a_clock_compile_what_they_need(
    running: Running, lights: Lights, compiled: list[set[str]]
) -> None:
    settled(running, lights, "b", "c")
    compiled.clear()
    lights.change("b")
    assert running.frame() == ["a", "b"]
    assert compiled == [{"c"}]


def reads_the_last_frame(reg: Any) -> None:
    reg.history("a").sampled()


def keeps_a_picture_of_a_frame(reg: Any) -> None:
    reg.read("a").sampled()


def has_effects(reg: Any) -> None:
    reg.side_effects()


@pytest.mark.parametrize("more", [reads_the_last_frame, keeps_a_picture_of_a_frame, has_effects])
def test_a_node_that_may_give_other_results_does_not_run_again(
    running: Running, lights: Lights, compiled: list[set[str]], more: Callable[[Any], None]
) -> None:
    lights.add("c", more)
    settled(running, lights, "b")
    running.worker.seconds_a_frame = 1e-9
    compiled.clear()
    lights.change("b")
    assert running.frame() == ["a", "b"]
    assert compiled == [{"c"}]


def test_nor_does_one_that_keeps_a_picture_of_what_is_drawn_to_the_application(
    running: Running, lights: Lights, compiled: list[set[str]]
) -> None:
    info = TextureInfo("rgba8_unorm", (32, 16), 1, 1, 1, frozenset({Usage.COLOR, Usage.SAMPLED}))
    target = running.backend.create_texture(info, "target")

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.external("target", Texture("rgba8_unorm", (32, 16)), lambda context: target).color()
        pipeline = reg.graphics("a.frag")
        return lambda cmd: cmd.draw(pipeline)

    running.graph.add_node("draws_target", declare)
    lights.add("c", lambda reg: reg.read("target").sampled())
    settled(running, lights, "b")
    running.worker.seconds_a_frame = 1e-9
    compiled.clear()
    lights.change("b")
    ran = running.frame()
    running.backend.destroy(target)
    assert ran == ["a", "b"]
    assert compiled == [{"c"}]


def test_nor_does_one_that_keeps_a_picture_of_what_is_drawn_now_and_then(running: Running, lights: Lights) -> None:
    running.add("now_and_then", every=2)
    lights.add("c", lambda reg: reg.read("now_and_then").sampled())
    settled(running, lights, "b")
    running.worker.seconds_a_frame = 1e-9
    lights.change("b")
    assert set(running.frame()) - {"now_and_then"} == {"a", "b"}
