"""Objects that are destroyed and then used, or destroyed while a submission needs them."""

from __future__ import annotations

from stream_script import READ_ONLY, UNDEFINED, Script, dependency, use, wait

from renderwright.render.sync.oracle import Kind
from renderwright.render.sync.oracle.stream import Submit

COMPUTE, STORE, LOAD = "COMPUTE_SHADER", "SHADER_STORAGE_WRITE", "SHADER_STORAGE_READ"

DESTROYED, IN_USE = {Kind.DESTROYED}, {Kind.STILL_IN_USE}


def test_commands_with_a_destroyed_resource_are_not_submitted() -> None:
    script = Script().buffer("b").begin("c").work(use("b", COMPUTE, STORE)).destroy("b").submit()
    (finding,) = script.report().findings
    assert (finding.kind, finding.resource) == (Kind.DESTROYED, "b")
    assert finding.before is not None
    assert (finding.at.line, finding.before.line) == (6, 5)
    assert 'command buffer "c", which uses it in line 4, is submitted' in finding.message


def test_commands_recorded_anew_may_be_submitted() -> None:
    script = Script().buffer("b").buffer("other").begin("c").work(use("b", COMPUTE, STORE)).destroy("b")
    assert script.begin("c").work(use("other", COMPUTE, STORE)).submit().clean()


def test_a_destroyed_resource_is_not_recorded() -> None:
    script = Script().buffer("b").destroy("b").begin("c").work(use("b", COMPUTE, STORE)).submit()
    (finding,) = script.report().findings
    assert (finding.kind, finding.at.line, finding.resource) == (Kind.DESTROYED, 5, "b")
    image = Script().image("i").destroy("i").begin("c")
    image.barrier(dependency("", "", COMPUTE, "", "i", UNDEFINED, READ_ONLY)).submit()
    assert image.kinds() == DESTROYED


def test_nothing_is_destroyed_while_a_submission_waits_for_its_turn() -> None:
    def pending() -> Script:
        script = Script().image("i").buffer("b").semaphore("s").begin("c").work(use("b", COMPUTE, STORE))
        script.barrier(dependency("", "", COMPUTE, "", "i", UNDEFINED, READ_ONLY))
        return script.submit(waits=(wait("s", 3),))

    for name in ("i", "b", "c"):
        assert pending().destroy(name).host_signal("s", 3).kinds() == IN_USE
    assert pending().destroy("s").kinds() == {Kind.STILL_IN_USE, Kind.NEVER_SIGNALLED}
    assert pending().host_signal("s", 3).host_wait().destroy("i").destroy("b").destroy("c").destroy("s").clean()


def test_a_semaphore_is_not_destroyed_before_its_submission_has_finished() -> None:
    script = Script().semaphore("s").semaphore("t").submit(signals=(wait("s", 1), wait("t", 1)))
    assert script.destroy("s").kinds() == IN_USE
    script = Script().semaphore("s").semaphore("t").submit(signals=(wait("s", 1), wait("t", 1)))
    assert script.host_wait("t", 1).destroy("s").clean()


def test_destroyed_semaphores_and_command_buffers_are_not_used() -> None:
    assert Script().semaphore("s").destroy("s").submit(signals=(wait("s", 1),)).kinds() == DESTROYED
    assert Script().semaphore("s").destroy("s").host_signal("s", 1).kinds() == DESTROYED
    assert Script().semaphore("s").host_signal("s", 1).destroy("s").host_wait("s", 1).kinds() == DESTROYED
    assert Script().begin("c").destroy("c").resubmit("c").kinds() == DESTROYED
    assert Script().begin("c").destroy("c").begin("c").kinds() == DESTROYED
    assert Script().buffer("b").destroy("b").host("b", write=True).kinds() == DESTROYED


def test_nothing_is_destroyed_twice() -> None:
    for script in (Script().buffer("b"), Script().image("b"), Script().semaphore("b"), Script().begin("b")):
        assert script.destroy("b").destroy("b").kinds() == DESTROYED


def test_destroyed_memory_may_be_used_again() -> None:
    script = Script().buffer("old", 64, (0, 64)).buffer("new", 64, (0, 64)).semaphore("t")
    script.begin("c").work(use("old", COMPUTE, STORE)).submit(signals=(wait("t", 1),)).host_wait("t", 1).destroy("old")
    assert script.begin("d").work(use("new", COMPUTE, STORE)).clean()


def test_a_submission_of_destroyed_commands_does_not_hide_other_faults() -> None:
    script = Script().buffer("b").buffer("d").begin("c").work(use("b", COMPUTE, STORE), use("d", COMPUTE, STORE))
    script.work(use("d", COMPUTE, LOAD)).destroy("b").submit()
    assert script.kinds() == {Kind.DESTROYED, Kind.READ_AFTER_WRITE}
    assert isinstance(script.items[-1], Submit)
