"""Semaphores, ownership, events, the host and the lives of objects: right, and with one thing gone."""

from __future__ import annotations

from stream_script import GENERAL, READ_ONLY, Script, dependency, use, wait

from renderwright.render.sync.oracle import Kind
from renderwright.render.sync.oracle.stream import HostResetEvent, HostWait

COMPUTE, FRAGMENT, COPY = "COMPUTE_SHADER", "FRAGMENT_SHADER", "COPY"
STORE, LOAD, SAMPLE = "SHADER_STORAGE_WRITE", "SHADER_STORAGE_READ", "SHADER_SAMPLED_READ"


class TestSemaphores:
    def script(self, signal: str = "ALL_COMMANDS", held: str = FRAGMENT, value: int = 1) -> set[Kind]:
        script = Script(compute=0, graphics=0).buffer("b").semaphore("t")
        script.work(use("b", COMPUTE, STORE)).submit("compute", signals=(wait("t", 1, signal),))
        script.submit("compute", signals=(wait("t", 2),)).work(use("b", FRAGMENT, LOAD))
        return script.submit("graphics", waits=(wait("t", value, held),)).kinds()

    def test_a_wait_orders_and_makes_visible(self) -> None:
        assert self.script() == self.script(value=2) == self.script(signal=COMPUTE) == set()
        assert self.script(value=0) == {Kind.READ_AFTER_WRITE}

    def test_stages_of_signals_and_waits(self) -> None:
        assert self.script(held="VERTEX_SHADER") == {Kind.NOT_VISIBLE}, "later stages are held, but see nothing"
        assert self.script(held=COMPUTE) == {Kind.READ_AFTER_WRITE}
        assert self.script(signal=COPY) == {Kind.READ_AFTER_WRITE}

    def test_a_wait_may_come_before_its_signal(self) -> None:
        script = Script(compute=0, graphics=0).buffer("b").semaphore("t")
        script.work(use("b", FRAGMENT, LOAD)).submit("graphics", waits=(wait("t", 1, FRAGMENT),))
        script.work(use("b", COMPUTE, STORE)).submit("compute", signals=(wait("t", 1),))
        assert script.clean()

    def test_a_wait_that_nothing_signals(self) -> None:
        assert Script().semaphore("t").submit(waits=(wait("t", 1),)).kinds() == {Kind.NEVER_SIGNALLED}
        assert Script().semaphore("t").host_wait("t", 1).kinds() == {Kind.NEVER_SIGNALLED}
        assert Script().semaphore("t").submit(waits=(wait("t", 1),)).host_signal("t", 1).clean()

    def test_a_circle_of_waits(self) -> None:
        script = Script(one=0, two=0).semaphore("a").semaphore("b")
        script.submit("one", waits=(wait("b", 1),), signals=(wait("a", 1),))
        assert script.submit("two", waits=(wait("a", 1),), signals=(wait("b", 1),)).kinds() == {Kind.DEADLOCK}

    def test_timelines_only_grow(self) -> None:
        script = Script().semaphore("t").submit(signals=(wait("t", 2),))
        assert script.submit(signals=(wait("t", 3),)).clean()
        assert script.submit(signals=(wait("t", 3),)).kinds() == {Kind.SEMAPHORE_MISUSE}

    def test_binary_semaphores_alternate(self) -> None:
        script = Script().semaphore("s", timeline=False).submit(signals=(wait("s"),))
        assert script.submit(waits=(wait("s"),)).submit(signals=(wait("s"),)).clean()
        assert script.submit(signals=(wait("s"),)).kinds() == {Kind.SEMAPHORE_MISUSE}

    def test_transitivity_through_a_third_queue(self) -> None:
        def kinds(stage: str) -> set[Kind]:
            script = Script(one=0, two=0, three=0).buffer("b").semaphore("a").semaphore("c")
            script.work(use("b", COMPUTE, STORE)).submit("one", signals=(wait("a", 1),))
            script.submit("two", waits=(wait("a", 1, COPY),), signals=(wait("c", 1, stage),))
            return script.work(use("b", FRAGMENT, LOAD)).submit("three", waits=(wait("c", 1, FRAGMENT),)).kinds()

        assert kinds("ALL_COMMANDS") == kinds(COPY) == set()
        assert kinds("CLEAR") == {Kind.READ_AFTER_WRITE}


class TestOwnership:
    def script(self, *, release: bool = True, acquire: bool = True, new: str = READ_ONLY) -> set[Kind]:
        script = Script(compute=1, graphics=0).image("i", layout=GENERAL).semaphore("t")
        script.work(use("i", COMPUTE, STORE, GENERAL))
        if release:
            script.barrier(dependency(COMPUTE, STORE, "", "", "i", GENERAL, READ_ONLY, families=(1, 0)))
        script.submit("compute", signals=(wait("t", 1),))
        if acquire:
            script.barrier(dependency("", "", FRAGMENT, SAMPLE, "i", GENERAL, new, families=(1, 0)))
        script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY))
        return script.submit("graphics", waits=(wait("t", 1, FRAGMENT),)).kinds()

    def test_release_and_acquire_come_in_pairs(self) -> None:
        assert self.script() == set()
        assert Kind.MISSING_OWNERSHIP in self.script(release=False)
        assert Kind.MISSING_OWNERSHIP in self.script(acquire=False)
        assert Kind.MISSING_OWNERSHIP in self.script(release=False, acquire=False)

    def test_both_halves_name_the_same_layouts(self) -> None:
        assert Kind.MISSING_OWNERSHIP in self.script(new=GENERAL)

    def test_shared_and_discarded_resources_need_none(self) -> None:
        def kinds(concurrent: bool, access: str) -> set[Kind]:
            script = Script(compute=1, graphics=0).buffer("b", concurrent=concurrent).semaphore("t")
            script.work(use("b", COMPUTE, STORE)).submit("compute", signals=(wait("t", 1),))
            return script.work(use("b", FRAGMENT, access)).submit("graphics", waits=(wait("t", 1, FRAGMENT),)).kinds()

        assert kinds(True, LOAD) == kinds(False, STORE) == set()
        assert kinds(False, LOAD) == {Kind.MISSING_OWNERSHIP}

    def test_an_acquire_comes_after_its_release(self) -> None:
        script = Script(compute=1, graphics=0).buffer("b").semaphore("t")
        script.work(use("b", COMPUTE, STORE)).barrier(dependency(COMPUTE, STORE, resource="b", families=(1, 0)))
        script.submit("compute").barrier(dependency("", "", FRAGMENT, LOAD, "b", families=(1, 0)))
        assert Kind.MISSING_OWNERSHIP in script.work(use("b", FRAGMENT, LOAD)).submit("graphics").kinds()

    def test_only_the_two_families_take_part(self) -> None:
        script = Script(compute=1, graphics=0).buffer("b")
        assert script.barrier(dependency(COMPUTE, STORE, resource="b", families=(2, 0))).submit("compute").kinds() == {
            Kind.MISSING_OWNERSHIP
        }


class TestEvents:
    def script(self, *, wait_access: str = LOAD, between: bool = False, late: bool = False) -> Script:
        half = dependency(COMPUTE, STORE, FRAGMENT, LOAD, "b")
        script = Script().buffer("b").buffer("other")
        if not late:
            script.work(use("b", COMPUTE, STORE))
        script.work(use("other", COMPUTE, STORE)).set("e", half)
        if late:
            script.work(use("b", COMPUTE, STORE))
        if between:
            script.work(use("b", FRAGMENT, LOAD))
        script.wait_event("e", dependency(COMPUTE, STORE, FRAGMENT, wait_access, "b"))
        return script.work(use("b", FRAGMENT, LOAD))

    def test_from_the_set_to_the_wait(self) -> None:
        assert self.script().clean()
        assert self.script(between=True).kinds() == {Kind.READ_AFTER_WRITE}
        assert self.script(late=True).kinds() == {Kind.READ_AFTER_WRITE}

    def test_both_halves_are_the_same(self) -> None:
        assert Kind.EVENT_MISUSE in self.script(wait_access="MEMORY_READ").kinds()

    def test_a_layout_change_of_a_split_barrier(self) -> None:
        def kinds(*, touched: bool) -> set[Kind]:
            half = dependency(COMPUTE, STORE, FRAGMENT, SAMPLE, "i", GENERAL, READ_ONLY)
            script = Script().image("i", layout=GENERAL).work(use("i", COMPUTE, STORE, GENERAL)).set("e", half)
            if touched:
                script.work(use("i", "VERTEX_SHADER", LOAD, GENERAL))
            return script.wait_event("e", half).work(use("i", FRAGMENT, SAMPLE, READ_ONLY)).kinds()

        assert kinds(touched=False) == set()
        assert Kind.WRITE_AFTER_READ in kinds(touched=True)

    def test_a_wait_without_a_set(self) -> None:
        script = Script().begin().wait_event("e", dependency(COMPUTE, STORE, FRAGMENT, LOAD))
        assert script.kinds() == {Kind.NEVER_SIGNALLED}
        script = Script(one=0, two=0).begin().set("e").submit("one").begin().wait_event("e").submit("two")
        assert script.kinds() == {Kind.NEVER_SIGNALLED}

    def test_using_an_event_again(self) -> None:
        def kinds(*, reset: str, ordered: bool = True) -> set[Kind]:
            half = dependency(COMPUTE, STORE, FRAGMENT, LOAD)
            script = Script().begin().set("e", half).wait_event("e", half)
            if reset:
                script.reset("e", reset)
            if ordered:
                script.barrier(dependency("ALL_COMMANDS", "", "ALL_COMMANDS"))
            return script.set("e", half).wait_event("e", half).kinds()

        assert kinds(reset=FRAGMENT) == kinds(reset="ALL_COMMANDS") == set()
        assert kinds(reset="") == kinds(reset=FRAGMENT, ordered=False) == kinds(reset=COPY) == {Kind.EVENT_MISUSE}

    def test_the_host_orders_a_reset_too(self) -> None:
        def kinds(*, waited: bool) -> set[Kind]:
            half = dependency(COMPUTE, STORE, FRAGMENT, LOAD)
            script = Script().semaphore("t").begin().set("e", half).wait_event("e", half).reset("e", FRAGMENT)
            script.submit(signals=(wait("t", 1),))
            if waited:
                script.host_wait("t", 1)
            return script.begin().set("e", half).wait_event("e", half).kinds()

        assert kinds(waited=True) == set()
        assert kinds(waited=False) == {Kind.EVENT_MISUSE}

    def test_a_reset_by_the_host(self) -> None:
        def kinds(*, waited: bool) -> set[Kind]:
            half = dependency(COMPUTE, STORE, FRAGMENT, LOAD)
            script = Script().semaphore("t").begin().set("e", half).wait_event("e", half)
            script.submit(signals=(wait("t", 1),))
            if waited:
                script.host_wait("t", 1)
            script.add(HostResetEvent(script.line, "e"))
            return script.begin().set("e", half).wait_event("e", half).kinds()

        assert kinds(waited=True) == set()
        assert kinds(waited=False) == {Kind.EVENT_MISUSE}


class TestHost:
    def script(self, *, barrier: bool = True, fence: bool = True) -> set[Kind]:
        script = Script().buffer("b").semaphore("t").work(use("b", COMPUTE, STORE))
        if barrier:
            script.barrier(dependency(COMPUTE, STORE, "HOST", "HOST_READ"))
        script.submit(signals=(wait("t", 1),))
        if fence:
            script.host_wait("t", 1)
        return script.host("b", write=False).kinds()

    def test_reading_back(self) -> None:
        assert self.script() == set()
        assert self.script(barrier=False) == {Kind.NOT_AVAILABLE}
        assert self.script(fence=False) == {Kind.READ_AFTER_WRITE}

    def test_writes_before_a_submission_are_seen_and_later_ones_are_not(self) -> None:
        read = use("b", FRAGMENT, "UNIFORM_READ")
        assert Script().buffer("b").host("b", write=True).work(read).clean()
        script = Script().buffer("b", content="defined").work(read).submit().host("b", write=True)
        assert script.kinds() == {Kind.WRITE_AFTER_READ}
        script = Script().buffer("b", content="defined").semaphore("t").work(read).submit(signals=(wait("t", 1),))
        assert script.host_wait("t", 1).host("b", write=True).work(read).clean()

    def test_what_the_host_waited_for_is_over_but_not_visible(self) -> None:
        script = Script().buffer("b").semaphore("t").work(use("b", COMPUTE, STORE)).submit(signals=(wait("t", 1),))
        script.host_wait("t", 1).work(use("b", FRAGMENT, LOAD))
        assert script.kinds() == {Kind.NOT_VISIBLE}
        script = Script().image("i", layout=GENERAL).semaphore("t").work(use("i", COMPUTE, STORE, GENERAL))
        script.submit(signals=(wait("t", 1),)).host_wait("t", 1)
        assert script.barrier(dependency("", "", COMPUTE, SAMPLE, "i", GENERAL, READ_ONLY)).clean()

    def test_waiting_for_everything(self) -> None:
        script = Script().buffer("b", content="defined").work(use("b", COMPUTE, LOAD)).submit().host_wait()
        assert script.host("b", write=True).clean()

    def test_fences_are_set_back(self) -> None:
        script = Script().semaphore("f", timeline=False).submit(signals=(wait("f"),)).host_wait("f").host_reset("f")
        assert script.submit(signals=(wait("f"),)).host_wait("f").clean()
        assert script.host_reset("f").host_wait("f").kinds() == {Kind.NEVER_SIGNALLED}


class TestLives:
    def script(self, *, waited: bool) -> Script:
        script = Script().buffer("b").semaphore("t").begin("c").work(use("b", COMPUTE, STORE))
        script.submit(signals=(wait("t", 1),))
        return script.host_wait("t", 1) if waited else script

    def test_nothing_is_recorded_anew_while_it_is_pending(self) -> None:
        assert self.script(waited=True).begin("c").clean()
        assert self.script(waited=False).begin("c").kinds() == {Kind.STILL_IN_USE}

    def test_nothing_is_destroyed_while_it_is_used(self) -> None:
        assert self.script(waited=True).destroy("b").destroy("c").clean()
        assert self.script(waited=False).destroy("b").kinds() == {Kind.STILL_IN_USE}
        assert self.script(waited=False).destroy("c").kinds() == {Kind.STILL_IN_USE}

    def test_what_was_polled_may_be_destroyed_but_orders_nothing(self) -> None:
        script = self.script(waited=False)
        script.add(HostWait(script.line, "t", 1, polled=True)).work(use("b", COMPUTE, STORE))
        assert script.kinds() == {Kind.WRITE_AFTER_WRITE}
        script = self.script(waited=False)
        assert script.add(HostWait(script.line, "t", 1, polled=True)).destroy("b").begin("c").clean()

    def test_a_buffer_that_waits_for_its_turn_is_pending(self) -> None:
        script = (
            Script().semaphore("t").begin("c").submit(waits=(wait("t", 1),)).begin("c").submit().host_signal("t", 1)
        )
        assert script.kinds() == {Kind.STILL_IN_USE}

    def test_recorded_once_and_submitted_twice(self) -> None:
        script = self.script(waited=False).resubmit("c")
        assert script.kinds() == {Kind.WRITE_AFTER_WRITE}
