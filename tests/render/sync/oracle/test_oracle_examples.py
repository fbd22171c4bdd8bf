"""The Vulkan guide's synchronisation examples (chapter "Synchronization Examples"): right as they stand, and every
weaker form objected to."""

from __future__ import annotations

from collections.abc import Callable

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
    weakened,
)

from renderwright.render.sync.oracle import check
from renderwright.render.sync.oracle.stream import Range

COMPUTE, FRAGMENT, OUTPUT = "COMPUTE_SHADER", "FRAGMENT_SHADER", "COLOR_ATTACHMENT_OUTPUT"
TESTS = "EARLY_FRAGMENT_TESTS|LATE_FRAGMENT_TESTS"
WRITE, READ, STORE, LOAD = "SHADER_WRITE", "SHADER_READ", "SHADER_STORAGE_WRITE", "SHADER_STORAGE_READ"
SAMPLE, COLORED, DEPTHS = "SHADER_SAMPLED_READ", "COLOR_ATTACHMENT_WRITE", "DEPTH_STENCIL_ATTACHMENT_WRITE"


def produced(name: str = "b") -> Script:
    return Script().buffer(name).work(use(name, COMPUTE, STORE))


def compute_to_compute() -> Script:
    return produced().barrier(dependency(COMPUTE, WRITE, COMPUTE, READ)).work(use("b", COMPUTE, LOAD))


def read_then_write() -> Script:
    script = Script().buffer("b", content="defined").work(use("b", COMPUTE, LOAD))
    return script.barrier(dependency(COMPUTE, "", COMPUTE)).work(use("b", COMPUTE, STORE))


def storage_image() -> Script:
    script = Script().image("i", layout=GENERAL).work(use("i", COMPUTE, STORE, GENERAL))
    return script.barrier(dependency(COMPUTE, WRITE, COMPUTE, READ)).work(use("i", COMPUTE, LOAD, GENERAL))


def disjoint_halves() -> Script:
    first, second = Range(size=128), Range(offset=128, size=128)
    script = Script().buffer("b").work(use("b", COMPUTE, STORE, part=first)).work(use("b", COMPUTE, STORE, part=second))
    return script.barrier(dependency(COMPUTE, WRITE, COMPUTE, READ)).work(use("b", COMPUTE, LOAD))


def two_buffers() -> Script:
    script = Script().buffer("a").buffer("b").work(use("a", COMPUTE, STORE)).work(use("b", COMPUTE, STORE))
    script.barrier(dependency(COMPUTE, WRITE, COMPUTE, READ))
    return script.work(use("a", COMPUTE, LOAD), use("b", COMPUTE, LOAD))


def index_buffer() -> Script:
    script = produced().barrier(dependency(COMPUTE, WRITE, "INDEX_INPUT", "MEMORY_READ"))
    return script.work(use("b", "INDEX_INPUT", "INDEX_READ"))


def index_and_uniform() -> Script:
    target = f"INDEX_INPUT|{COMPUTE}", "INDEX_READ|UNIFORM_READ"
    script = produced().barrier(dependency(COMPUTE, WRITE, *target)).work(use("b", "INDEX_INPUT", "INDEX_READ"))
    return script.work(use("b", COMPUTE, "UNIFORM_READ"))


def indirect() -> Script:
    script = produced().barrier(dependency(COMPUTE, WRITE, "DRAW_INDIRECT", "MEMORY_READ"))
    return script.work(use("b", "DRAW_INDIRECT", "INDIRECT_COMMAND_READ"))


def storage_then_sampled() -> Script:
    script = Script().image("i", layout=GENERAL).work(use("i", COMPUTE, STORE, GENERAL))
    script.barrier(dependency(COMPUTE, WRITE, FRAGMENT, READ, "i", GENERAL, READ_ONLY))
    return script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY))


def indirect_and_uniform() -> Script:
    target = f"DRAW_INDIRECT|{FRAGMENT}", "INDIRECT_COMMAND_READ|UNIFORM_READ"
    script = produced().barrier(dependency(COMPUTE, WRITE, *target))
    return script.work(use("b", "DRAW_INDIRECT", "INDIRECT_COMMAND_READ"), use("b", FRAGMENT, "UNIFORM_READ"))


def rendered(stage: str, access: str = SAMPLE) -> Script:
    script = Script().image("i", layout=COLOR).draw(color("i"))
    script.barrier(dependency(OUTPUT, COLORED, stage, READ if access == SAMPLE else access, "i", COLOR, READ_ONLY))
    return script.work(use("i", stage, access, READ_ONLY))


def depth_rendered(stage: str) -> Script:
    script = Script().image("d", layout=DEPTH).draw(depth("d"))
    script.barrier(dependency(TESTS, DEPTHS, stage, READ, "d", DEPTH, READ_ONLY))
    return script.work(use("d", stage, SAMPLE, READ_ONLY))


def sampled_then_rendered() -> Script:
    script = Script().image("i", layout=READ_ONLY, content="defined").work(use("i", FRAGMENT, SAMPLE, READ_ONLY))
    return script.barrier(dependency(FRAGMENT, "", OUTPUT, COLORED, "i", READ_ONLY, COLOR)).draw(color("i"))


def depth_again() -> Script:
    script = Script().image("d", layout=DEPTH).draw(depth("d"))
    target = "EARLY_FRAGMENT_TESTS", f"{DEPTHS}|DEPTH_STENCIL_ATTACHMENT_READ"
    return script.barrier(dependency("LATE_FRAGMENT_TESTS", DEPTHS, *target, "d", UNDEFINED, DEPTH)).draw(depth("d"))


def staging() -> Script:
    script = Script().buffer("s").buffer("v").host("s", write=True)
    script.work(use("s", "COPY", "TRANSFER_READ"), use("v", "COPY", "TRANSFER_WRITE"))
    script.barrier(dependency("ALL_TRANSFER", "MEMORY_WRITE", "VERTEX_ATTRIBUTE_INPUT", "MEMORY_READ"))
    return script.work(use("v", "VERTEX_ATTRIBUTE_INPUT", "VERTEX_ATTRIBUTE_READ"))


def staging_on_two_queues() -> Script:
    script = Script(transfer=1, graphics=0).buffer("v").semaphore("t").work(use("v", "COPY", "TRANSFER_WRITE"))
    script.barrier(dependency("ALL_TRANSFER", "TRANSFER_WRITE", resource="v", families=(1, 0)))
    script.submit("transfer", signals=(wait("t", 1),))
    target = "VERTEX_ATTRIBUTE_INPUT", "MEMORY_READ"
    script.barrier(dependency("", "", *target, "v", families=(1, 0)))
    script.work(use("v", "VERTEX_ATTRIBUTE_INPUT", "VERTEX_ATTRIBUTE_READ"))
    return script.submit("graphics", waits=(wait("t", 1, "VERTEX_ATTRIBUTE_INPUT"),))


def host_written() -> Script:
    script = Script().buffer("v").host("v", write=True)
    return script.work(use("v", "VERTEX_ATTRIBUTE_INPUT", "VERTEX_ATTRIBUTE_READ"))


def image_upload() -> Script:
    script = Script().image("i").barrier(dependency("", "", "ALL_TRANSFER", "MEMORY_WRITE", "i", UNDEFINED, DST))
    script.work(use("i", "COPY", "TRANSFER_WRITE", DST))
    script.barrier(dependency("ALL_TRANSFER", "TRANSFER_WRITE", FRAGMENT, READ, "i", DST, READ_ONLY))
    return script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY))


def image_upload_on_two_queues() -> Script:
    script = Script(transfer=1, graphics=0).image("i").semaphore("t")
    script.barrier(dependency("", "", "ALL_TRANSFER", "MEMORY_WRITE", "i", UNDEFINED, DST))
    script.work(use("i", "COPY", "TRANSFER_WRITE", DST))
    layouts = "i", DST, READ_ONLY
    script.barrier(dependency("ALL_TRANSFER", "TRANSFER_WRITE", "", "", *layouts, families=(1, 0)))
    script.submit("transfer", signals=(wait("t", 1),))
    script.barrier(dependency("", "", FRAGMENT, READ, *layouts, families=(1, 0)))
    script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY))
    return script.submit("graphics", waits=(wait("t", 1, FRAGMENT),))


def read_back() -> Script:
    script = produced().semaphore("fence", timeline=False)
    script.barrier(dependency(COMPUTE, WRITE, "HOST", "HOST_READ")).submit(signals=(wait("fence"),))
    return script.host_wait("fence").host("b", write=False)


def semaphore_alone() -> Script:
    script = Script(compute=0, graphics=0).buffer("b").semaphore("t").work(use("b", COMPUTE, STORE))
    script.submit("compute", signals=(wait("t", 1),)).work(use("b", FRAGMENT, LOAD))
    return script.submit("graphics", waits=(wait("t", 1, FRAGMENT),))


def change_before_signal() -> Script:
    script = (
        Script(compute=0, graphics=0).image("i", layout=GENERAL).semaphore("t").work(use("i", COMPUTE, STORE, GENERAL))
    )
    script.barrier(dependency(COMPUTE, WRITE, "", "", "i", GENERAL, READ_ONLY))
    script.submit("compute", signals=(wait("t", 1),)).work(use("i", FRAGMENT, SAMPLE, READ_ONLY))
    return script.submit("graphics", waits=(wait("t", 1, FRAGMENT),))


def change_after_wait() -> Script:
    script = (
        Script(compute=0, graphics=0).image("i", layout=GENERAL).semaphore("t").work(use("i", COMPUTE, STORE, GENERAL))
    )
    script.submit("compute", signals=(wait("t", 1),))
    script.barrier(dependency(FRAGMENT, "", FRAGMENT, READ, "i", GENERAL, READ_ONLY))
    script.work(use("i", FRAGMENT, SAMPLE, READ_ONLY))
    return script.submit("graphics", waits=(wait("t", 1, FRAGMENT),))


def shown() -> Script:
    script = Script().image("w", display=True)
    script.semaphore("acquired", timeline=False).semaphore("rendered", timeline=False).acquire("w", "acquired")
    script.barrier(dependency(OUTPUT, "", OUTPUT, COLORED, "w", UNDEFINED, COLOR)).draw(color("w"))
    script.barrier(dependency(OUTPUT, COLORED, OUTPUT, "", "w", COLOR, SHOWN))
    script.submit(waits=(wait("acquired", 0, OUTPUT),), signals=(wait("rendered", 0, OUTPUT),))
    return script.present("w", "rendered")


def shown_by_another_queue() -> Script:
    script = Script(graphics=0, shower=1).image("w", display=True)
    for name in ("acquired", "rendered", "owned"):
        script.semaphore(name, timeline=False)
    script.acquire("w", "acquired")
    script.barrier(dependency(OUTPUT, "", OUTPUT, COLORED, "w", UNDEFINED, COLOR)).draw(color("w"))
    layouts = "w", COLOR, SHOWN
    script.barrier(dependency(OUTPUT, COLORED, "", "", *layouts, families=(0, 1)))
    script.submit("graphics", waits=(wait("acquired", 0, OUTPUT),), signals=(wait("rendered"),))
    script.barrier(dependency("", "", "", "", *layouts, families=(0, 1)))
    script.submit("shower", waits=(wait("rendered"),), signals=(wait("owned"),))
    return script.present("w", "owned", queue="shower")


def full_barrier() -> Script:
    everything = "ALL_COMMANDS", "MEMORY_READ|MEMORY_WRITE"
    return produced().barrier(dependency(*everything, *everything)).work(use("b", FRAGMENT, LOAD))


EXAMPLES: dict[str, Callable[[], Script]] = {
    "1 compute to compute": compute_to_compute,
    "2 read, then write": read_then_write,
    "3 storage image": storage_image,
    "4 disjoint halves": disjoint_halves,
    "5 two buffers": two_buffers,
    "6 index buffer": index_buffer,
    "7 index and uniform": index_and_uniform,
    "8 indirect": indirect,
    "9 storage, then sampled": storage_then_sampled,
    "10 indirect and uniform": indirect_and_uniform,
    "11 colour to compute": lambda: rendered(COMPUTE),
    "12 depth to compute": lambda: depth_rendered(COMPUTE),
    "13 depth as input": lambda: depth_rendered(FRAGMENT),
    "14 shadow map": lambda: depth_rendered(FRAGMENT),
    "15 colour as input": lambda: rendered(FRAGMENT, "INPUT_ATTACHMENT_READ"),
    "16 colour to fragment": lambda: rendered(FRAGMENT),
    "17 colour to vertex": lambda: rendered("VERTEX_SHADER"),
    "18 sampled, then colour": sampled_then_rendered,
    "19 depth again": depth_again,
    "20 staging": staging,
    "21 staging on two queues": staging_on_two_queues,
    "22 host writes": host_written,
    "23 image upload": image_upload,
    "23 image upload on two queues": image_upload_on_two_queues,
    "24 read back": read_back,
    "25 semaphore alone": semaphore_alone,
    "26 change before signal": change_before_signal,
    "27 change after wait": change_after_wait,
    "28 swapchain": shown,
    "29 swapchain on two queues": shown_by_another_queue,
    "30 full barrier": full_barrier,
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_right(name: str) -> None:
    assert EXAMPLES[name]().clean()


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_weaker_form_is_objected_to(name: str) -> None:
    missed = [what for what, weaker in weakened(EXAMPLES[name]().stream()) if not check(weaker).findings]
    assert missed == []
