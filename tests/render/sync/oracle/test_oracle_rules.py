"""Each rule: a stream that is right, and the same stream with one thing gone."""

from __future__ import annotations

import pytest
from stream_script import (
    COLOR,
    DEPTH,
    DST,
    GENERAL,
    READ_ONLY,
    SHOWN,
    UNDEFINED,
    Script,
    color,
    dependency,
    depth,
    use,
    wait,
)

from renderwright.render.sync.oracle import Kind
from renderwright.render.sync.oracle.stream import Attachment, Range

COMPUTE, FRAGMENT, OUTPUT = "COMPUTE_SHADER", "FRAGMENT_SHADER", "COLOR_ATTACHMENT_OUTPUT"
STORE, LOAD, SAMPLE = "SHADER_STORAGE_WRITE", "SHADER_STORAGE_READ", "SHADER_SAMPLED_READ"
COLORED = "COLOR_ATTACHMENT_WRITE"


def stored(name: str = "b", stage: str = COMPUTE) -> Script:
    return Script().buffer(name).work(use(name, stage, STORE))


def passed_on(first: str, second: str) -> set[Kind]:
    """Written, handed from stage to stage by two barriers, read."""
    script = stored().barrier(dependency(COMPUTE, STORE, first))
    return script.barrier(dependency(second, "", FRAGMENT, LOAD)).work(use("b", FRAGMENT, LOAD)).kinds()


class TestExecution:
    def test_kinds_of_hazards(self) -> None:
        read, write = use("b", COMPUTE, LOAD), use("b", COMPUTE, STORE)
        assert Script().buffer("b").work(write).work(read).kinds() == {Kind.READ_AFTER_WRITE}
        assert Script().buffer("b").work(write).work(write).kinds() == {Kind.WRITE_AFTER_WRITE}
        assert Script().buffer("b", content="defined").work(read).work(write).kinds() == {Kind.WRITE_AFTER_READ}
        assert Script().buffer("b", content="defined").work(read).work(read).clean()

    def test_chains_meet_in_a_stage(self) -> None:
        assert passed_on("COPY", "COPY") == set()
        assert passed_on("COPY", "CLEAR") == {Kind.READ_AFTER_WRITE}
        assert passed_on("COPY", "ALL_TRANSFER") == set()

    def test_a_source_waits_for_earlier_stages_and_a_destination_holds_later_ones(self) -> None:
        read = use("b", "VERTEX_SHADER", LOAD)
        script = Script().buffer("b", content="defined").work(read).barrier(dependency(FRAGMENT, "", COMPUTE))
        assert script.work(use("b", COMPUTE, STORE)).clean()
        script = Script().buffer("b", content="defined").work(read).barrier(dependency(FRAGMENT, "", "COPY"))
        assert script.work(use("b", COMPUTE, STORE)).kinds() == {Kind.WRITE_AFTER_READ}
        assert passed_on("VERTEX_SHADER", FRAGMENT) == set()
        assert passed_on(FRAGMENT, "VERTEX_SHADER") == {Kind.NOT_VISIBLE}

    def test_memory_is_only_made_available_from_stages_that_are_named(self) -> None:
        script = stored(stage="VERTEX_SHADER").barrier(dependency(FRAGMENT, STORE, COMPUTE, LOAD))
        assert script.work(use("b", COMPUTE, LOAD)).kinds() == {Kind.NOT_AVAILABLE}

    def test_structs_of_one_barrier_do_not_chain(self) -> None:
        first, second = dependency(COMPUTE, STORE, "COPY"), dependency("COPY", "", FRAGMENT, LOAD)
        assert stored().barrier(first).barrier(second).work(use("b", FRAGMENT, LOAD)).clean()
        assert stored().barrier(first, second).work(use("b", FRAGMENT, LOAD)).kinds() == {Kind.READ_AFTER_WRITE}

    def test_a_barrier_of_another_resource_orders_execution(self) -> None:
        script = Script().buffer("a").buffer("b", content="defined").work(use("b", COMPUTE, LOAD))
        script.barrier(dependency(COMPUTE, "", COMPUTE, "", "a"))
        assert script.work(use("b", COMPUTE, STORE)).clean()
        script = stored().buffer("a").barrier(dependency(COMPUTE, STORE, COMPUTE, LOAD, "a"))
        assert script.work(use("b", COMPUTE, LOAD)).kinds() == {Kind.NOT_AVAILABLE}

    def test_command_buffers_and_submissions_order_nothing(self) -> None:
        assert stored().submit().work(use("b", COMPUTE, LOAD)).kinds() == {Kind.READ_AFTER_WRITE}
        script = stored().submit().barrier(dependency(COMPUTE, STORE, COMPUTE, LOAD)).submit()
        assert script.work(use("b", COMPUTE, LOAD)).clean()


class TestMemory:
    def test_a_write_is_made_available_and_visible(self) -> None:
        def kinds(src_access: str, dst_access: str) -> set[Kind]:
            script = stored().barrier(dependency(COMPUTE, src_access, FRAGMENT, dst_access))
            return script.work(use("b", FRAGMENT, LOAD)).kinds()

        assert kinds(STORE, LOAD) == kinds("MEMORY_WRITE", "MEMORY_READ") == set()
        assert kinds(LOAD, LOAD) == {Kind.NOT_AVAILABLE}
        assert kinds(STORE, "UNIFORM_READ") == {Kind.NOT_VISIBLE}

    def test_what_is_available_may_be_made_visible_later(self) -> None:
        script = stored().barrier(dependency(COMPUTE, STORE, "COPY"))
        script.barrier(dependency("COPY", "", FRAGMENT, LOAD)).work(use("b", FRAGMENT, LOAD))
        assert (
            script.barrier(dependency("COPY", "", "COPY", "TRANSFER_READ"))
            .work(use("b", "COPY", "TRANSFER_READ"))
            .clean()
        )

    def test_visible_to_one_stage_is_not_visible_to_another(self) -> None:
        script = stored().barrier(dependency(COMPUTE, STORE, f"{FRAGMENT}|COPY", LOAD))
        assert script.work(use("b", "COPY", "TRANSFER_READ")).kinds() == {Kind.NOT_VISIBLE}

    def test_a_barrier_counts_for_its_range(self) -> None:
        first, second = Range(size=64), Range(offset=64, size=64)

        def kinds(part: Range) -> set[Kind]:
            script = Script().buffer("b", 128).work(use("b", COMPUTE, STORE, part=first))
            script.barrier(dependency(COMPUTE, STORE, COMPUTE, LOAD, "b", part=part))
            return script.work(use("b", COMPUTE, LOAD, part=first)).kinds()

        assert kinds(first) == kinds(Range()) == set()
        assert kinds(second) == {Kind.NOT_AVAILABLE}

    def test_parts_that_do_not_touch_need_nothing(self) -> None:
        script = Script().buffer("b", 128).work(use("b", COMPUTE, STORE, part=Range(size=64)))
        assert script.work(use("b", COMPUTE, STORE, part=Range(offset=64, size=64))).clean()
        script = Script().buffer("b", 128).work(use("b", COMPUTE, STORE, part=Range(size=65)))
        assert script.work(use("b", COMPUTE, STORE, part=Range(offset=64, size=64))).kinds() == {Kind.WRITE_AFTER_WRITE}


class TestImages:
    def test_mips_and_layers_are_places_of_their_own(self) -> None:
        def chain(part: Range) -> set[Kind]:
            top, below = Range((0, 1)), Range((1, 1))
            script = Script().image("i", mips=2, layers=2, layout=GENERAL)
            script.work(use("i", COMPUTE, STORE, GENERAL, top))
            script.barrier(dependency(COMPUTE, STORE, COMPUTE, LOAD, "i", GENERAL, READ_ONLY, part))
            return script.work(
                use("i", COMPUTE, SAMPLE, READ_ONLY, top), use("i", COMPUTE, STORE, GENERAL, below)
            ).kinds()

        assert Kind.WRONG_LAYOUT not in chain(Range((0, 1)))
        assert Kind.WRONG_LAYOUT in chain(Range((0, 1), (0, 1)))
        assert Kind.WRONG_LAYOUT in chain(Range())

    def test_a_layout_change_is_a_write(self) -> None:
        script = Script().image("i", layout=GENERAL, content="defined").work(use("i", COMPUTE, LOAD, GENERAL))
        change = dependency("COPY", "", FRAGMENT, SAMPLE, "i", GENERAL, READ_ONLY)
        assert script.barrier(change).kinds() == {Kind.WRITE_AFTER_READ}
        script = Script().image("i", layout=GENERAL, content="defined")
        script.barrier(dependency(COMPUTE, "", FRAGMENT, SAMPLE, "i", GENERAL, READ_ONLY))
        assert script.work(use("i", COMPUTE, SAMPLE, READ_ONLY)).kinds() == {Kind.READ_AFTER_WRITE}

    def test_two_changes_in_one_barrier(self) -> None:
        change = dependency("ALL_COMMANDS", "MEMORY_WRITE", "ALL_COMMANDS", "MEMORY_READ", "i", GENERAL, READ_ONLY)
        back = dependency("ALL_COMMANDS", "MEMORY_WRITE", "ALL_COMMANDS", "MEMORY_READ", "i", READ_ONLY, GENERAL)
        assert Script().image("i", layout=GENERAL).barrier(change).barrier(back).clean()
        assert Script().image("i", layout=GENERAL).barrier(change, back).kinds() == {Kind.WRITE_AFTER_WRITE}

    def test_layouts(self) -> None:
        def kinds(old: str, new: str, used: str) -> set[Kind]:
            script = Script().image("i", layout=GENERAL, content="defined")
            script.barrier(dependency("", "", COMPUTE, SAMPLE, "i", old, new))
            return script.work(use("i", COMPUTE, SAMPLE, used)).kinds()

        assert kinds(GENERAL, READ_ONLY, READ_ONLY) == set()
        assert kinds(DST, READ_ONLY, READ_ONLY) == {Kind.WRONG_LAYOUT}
        assert kinds(GENERAL, READ_ONLY, GENERAL) == {Kind.WRONG_LAYOUT}
        assert kinds(GENERAL, COLOR, COLOR) == {Kind.WRONG_LAYOUT}, "colour attachments cannot be sampled"
        assert kinds(UNDEFINED, READ_ONLY, READ_ONLY) == {Kind.UNDEFINED_CONTENT}


class TestRendering:
    def test_attachments_are_ordered_within_one_rendering_only(self) -> None:
        script = Script().image("i", layout=COLOR).draw(color("i"), blends=True)
        assert script.clean()
        assert script.draw(color("i", "load")).kinds() == {Kind.READ_AFTER_WRITE, Kind.WRITE_AFTER_WRITE}
        both = f"COLOR_ATTACHMENT_READ|{COLORED}"
        script = Script().image("i", layout=COLOR).draw(color("i")).barrier(dependency(OUTPUT, COLORED, OUTPUT, both))
        assert script.draw(color("i", "load"), blends=True).clean()

    def test_blending_reads(self) -> None:
        def kinds(access: str, *, blends: bool) -> set[Kind]:
            script = Script().image("i", layout=COLOR).draw(color("i"))
            script.barrier(dependency(OUTPUT, COLORED, OUTPUT, access))
            return script.draw(color("i", "none"), blends=blends).kinds()

        assert kinds(COLORED, blends=False) == set()
        assert kinds(COLORED, blends=True) == {Kind.NOT_VISIBLE}

    def test_loading_nothing(self) -> None:
        assert Script().image("i", layout=COLOR).draw(color("i", "load")).kinds() == {Kind.UNDEFINED_CONTENT}
        script = Script().image("i", layout=COLOR).draw(color("i", store="dont_care"))
        script.barrier(dependency(OUTPUT, COLORED, FRAGMENT, SAMPLE, "i", COLOR, READ_ONLY))
        assert script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY)).kinds() == {Kind.UNDEFINED_CONTENT}

    def test_depth_that_is_tested_and_sampled_at_once(self) -> None:
        layout = "DEPTH_STENCIL_READ_ONLY_OPTIMAL"
        sample = use("d", FRAGMENT, SAMPLE, layout)

        def kinds(store: str, held: str) -> set[Kind]:
            script = Script().image("d", layout=held, content="defined")
            return script.draw(depth("d", "load", store, held), uses=(sample,)).kinds()

        assert kinds("none", layout) == set()
        assert Kind.WRITE_AFTER_READ in kinds("store", layout)
        assert Kind.WRONG_LAYOUT in kinds("none", DEPTH)

    def test_an_attachment_that_is_sampled_while_it_is_rendered(self) -> None:
        script = Script().image("i", layout=GENERAL, content="defined")
        target = Attachment("i", "color", GENERAL, "load", "store")
        assert Kind.WRITE_AFTER_READ in script.draw(target, uses=(use("i", FRAGMENT, SAMPLE, GENERAL),)).kinds()

    def test_a_resolve_writes_its_target(self) -> None:
        def script(stage: str) -> set[Kind]:
            script = Script().image("m", layout=COLOR).image("i", layout=COLOR)
            script.draw(color("m", store="dont_care", resolve="i", resolve_layout=COLOR))
            script.barrier(dependency(stage, COLORED, FRAGMENT, SAMPLE, "i", COLOR, READ_ONLY))
            return script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY)).kinds()

        assert script(OUTPUT) == set()
        assert script("RESOLVE") == {Kind.WRITE_AFTER_WRITE, Kind.UNSUPPORTED_ACCESS}

    def test_drawing_needs_rendering(self) -> None:
        assert Script().work(name="draw", draws=True).kinds() == {Kind.RENDERING_MISUSE}


class TestAliases:
    def script(self, handover: bool = True, old: str = UNDEFINED) -> Script:
        script = Script().image("a", (0, 100), layout=GENERAL).image("b", (50, 100))
        script.work(use("a", COMPUTE, STORE, GENERAL))
        source = (COMPUTE, STORE) if handover else ("", "")
        script.barrier(dependency(*source, COMPUTE, STORE, "b", old, GENERAL))
        return script.work(use("b", COMPUTE, STORE, GENERAL))

    def test_memory_is_handed_over(self) -> None:
        assert self.script().clean()
        assert self.script(handover=False).kinds() == {Kind.WRITE_AFTER_WRITE}

    def test_what_was_there_is_lost(self) -> None:
        script = self.script().barrier(dependency(COMPUTE, STORE, COMPUTE, SAMPLE))
        assert Kind.UNDEFINED_CONTENT in script.work(use("a", COMPUTE, LOAD, GENERAL)).kinds()
        assert self.script(old=GENERAL).kinds() == {Kind.WRONG_LAYOUT}

    def test_a_layout_must_be_left_behind_with_the_memory(self) -> None:
        script = self.script().barrier(dependency(COMPUTE, STORE, COMPUTE, STORE, "a", GENERAL, READ_ONLY))
        assert script.kinds() == {Kind.WRONG_LAYOUT}
        script = self.script().barrier(dependency(COMPUTE, STORE, COMPUTE, STORE, "a", UNDEFINED, GENERAL))
        assert script.work(use("a", COMPUTE, STORE, GENERAL)).clean()

    def test_neighbours_share_nothing(self) -> None:
        script = Script().buffer("a", 64, (0, 64)).buffer("b", 64, (64, 64)).buffer("c", 64, (63, 64))
        script.work(use("a", COMPUTE, STORE)).work(use("b", COMPUTE, STORE))
        assert script.clean()
        assert script.work(use("c", COMPUTE, STORE)).kinds() == {Kind.WRITE_AFTER_WRITE}

    def test_a_barrier_of_the_new_owner_covers_what_both_share(self) -> None:
        script = Script().buffer("a", 64, (0, 64)).buffer("b", 64, (0, 64)).buffer("c", 64, (32, 64))
        script.work(use("a", COMPUTE, STORE)).barrier(dependency(COMPUTE, STORE, COMPUTE, STORE, "b"))
        assert script.work(use("b", COMPUTE, STORE)).clean()
        script.barrier(dependency(COMPUTE, STORE, COMPUTE, STORE, "a"))
        assert script.work(use("c", COMPUTE, STORE)).clean()


class TestContents:
    @pytest.mark.parametrize("content", ["none", "defined"])
    def test_what_was_never_written(self, content: str) -> None:
        kinds = Script().buffer("b", content=content).work(use("b", COMPUTE, LOAD)).kinds()
        assert kinds == ({Kind.UNDEFINED_CONTENT} if content == "none" else set())

    def test_a_change_keeps_contents_and_a_discard_does_not(self) -> None:
        def kinds(old: str) -> set[Kind]:
            script = Script().image("i", layout=GENERAL).work(use("i", COMPUTE, STORE, GENERAL))
            script.barrier(dependency(COMPUTE, STORE, COMPUTE, SAMPLE, "i", old, READ_ONLY))
            return script.work(use("i", COMPUTE, SAMPLE, READ_ONLY)).kinds()

        assert kinds(GENERAL) == set()
        assert kinds(UNDEFINED) == {Kind.UNDEFINED_CONTENT}


class TestPresentation:
    def script(self, *, layout: str = SHOWN, waits: bool = True, semaphore: bool = True) -> Script:
        script = Script().image("w", display=True).semaphore("go", timeline=False).semaphore("done", timeline=False)
        script.acquire("w", "go").barrier(dependency(OUTPUT, "", OUTPUT, COLORED, "w", UNDEFINED, COLOR))
        script.draw(color("w")).barrier(dependency(OUTPUT, COLORED, "", "", "w", COLOR, layout))
        script.submit(waits=(wait("go", 0, OUTPUT),) if waits else (), signals=(wait("done"),))
        return script.present("w", *(("done",) if semaphore else ()))

    def test_the_display_is_waited_for_and_waits(self) -> None:
        assert self.script().clean()
        assert Kind.WRITE_AFTER_READ in self.script(waits=False).kinds()
        assert Kind.READ_AFTER_WRITE in self.script(semaphore=False).kinds()
        assert self.script(layout=COLOR).kinds() == {Kind.WRONG_LAYOUT}

    def test_an_image_is_the_displays_until_it_is_acquired(self) -> None:
        script = Script().image("w", display=True)
        change = dependency(OUTPUT, "", OUTPUT, COLORED, "w", SHOWN, COLOR)
        assert Kind.PRESENT_MISUSE in script.barrier(change).kinds()
        assert Kind.PRESENT_MISUSE in self.script().barrier(change).kinds()
        assert Kind.PRESENT_MISUSE in self.script().present("w").kinds()
        assert self.script().acquire("w", "go").clean()
        assert Kind.PRESENT_MISUSE in self.script().acquire("w", "go").acquire("w", "done").kinds()
