"""Faults that are put into a frame on purpose, each to be found by somebody who looks at the page alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from capture_frames import COLOR, captured
from test_played_captures import EXTENT, playing

from renderwright.engine.capture.files import write_page
from renderwright.engine.options import PluginChoice
from renderwright.render import Execute, Registry, Texture
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.browser import Page

SHADERS = {
    "echo.frag": """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
""",
    "late.frag": """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D noise;
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = texelFetch(source, at, 0) + 0.05 * texelFetch(noise, at, 0).x;
}
""",
}


def echo(reg: Registry) -> Execute:
    """A pass that hands on what it gets."""
    reg.chain("post_hdr")
    pipeline = reg.fullscreen("echo.frag")
    return lambda cmd: cmd.draw(pipeline)


def early(reg: Registry) -> Execute:
    """Makes a texture at the beginning of the frame."""
    reg.before("/gbuffer")
    reg.create("noise", Texture("rgba32_sfloat", reg.resolution("main_view"))).color(clear=(0.5, 0.0, 0.0, 0.0))
    return lambda cmd: None


def late(reg: Registry) -> Execute:
    """Reads it at the end."""
    reg.chain("tone", priority=-100)
    reg.read("noise").sampled()
    pipeline = reg.fullscreen("late.frag")
    return lambda cmd: cmd.draw(pipeline)


def haunted(reg: Registry) -> Execute:
    """Asks for a history that its shader does not look at."""
    reg.chain("post_hdr")
    reg.history("/albedo").sampled()
    pipeline = reg.fullscreen("echo.frag")
    return lambda cmd: cmd.draw(pipeline)


def wide(reg: Registry) -> Execute:
    """Takes four times the bytes."""
    reg.chain("post_hdr", format="rgba32_sfloat", size=reg.resolution("main_view"))
    pipeline = reg.fullscreen("echo.frag")
    return lambda cmd: cmd.draw(pipeline)


FAULTS: dict[str, tuple[dict[str, Callable[[Registry], Execute]], str, tuple[str, ...]]] = {
    "a wasteful pass": ({"copycat/echo": echo}, "same picture", ("copycat/echo", "texel for texel")),
    "a resource that is kept alive": (
        {"clingy/early": early, "clingy/late": late},
        "waits in memory",
        ("noise", "clingy/late"),
    ),
    "a history that nobody needs": ({"ghost/haunted": haunted}, "history not read", ("ghost/haunted", "albedo")),
    "a plugin that doubles what is moved": (
        {f"greedy/n{number}": wide for number in range(5)},
        "moves much",
        ("greedy", "of what the frame moves"),
    ),
}


def overview(browser: Any, document: dict[str, Any], folder: Path) -> list[str]:
    """What the first page says is worth a look without that anything is unfolded, in order."""
    file = folder / "page.html"
    write_page(file, document)
    page = Page(browser, file)
    said: list[str] = page.page.locator("#main .finding:visible").all_inner_texts()
    page.close()
    return said


@pytest.mark.vulkan
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_on_the_first_page(fault: str, backend: VulkanBackend, browser: Any, tmp_path: Path) -> None:
    nodes, rule, words = FAULTS[fault]
    for name, source in SHADERS.items():
        (tmp_path / name).write_text(source)
    session = playing(backend, choice=PluginChoice(disable=("shadows", "bloom")))
    try:
        target = backend.create_target(EXTENT)
        session.step()
        before = overview(browser, session.capture(target), tmp_path)
        for name, declare in nodes.items():
            session.graph.add_node(name, declare, plugin=name.partition("/")[0], shader_paths=[tmp_path])
        session.step()
        after = overview(browser, session.capture(target), tmp_path)
    finally:
        session.close()
    found = [text for text in after if text.startswith(rule) and all(word in text for word in words)]
    assert found, after
    assert after.index(found[0]) < 4
    assert len(after) <= 3, "one fault has few cards"
    assert before == []


def queues_frame(sky_reads: str) -> str:
    """Work on two queues; ``sky`` runs beside ``shade`` unless it reads what that makes."""
    storage, image = COLOR.replace("usage: color", "usage: storage_write"), COLOR.replace("rgba16_sfloat", "rgba8_srgb")
    return f"""version: 1
sinks: [image]
nodes:
  - {{name: scene, cost: 4, create: {{hdr: {COLOR}}}}}
  - {{name: shade, queue: [compute], cost: 6, read: {{hdr: {{usage: sampled}}}}, create: {{shade: {storage}}}}}
  - {{name: sky, cost: 5, read: {{{sky_reads}: {{usage: sampled}}}}, create: {{sky: {COLOR}}}}}
  - {{name: show, read: {{shade: {{usage: sampled}}, sky: {{usage: sampled}}}}, external: {{image: {image}}}}}
"""


def test_a_wait_that_costs_overlap_is_on_the_first_page(browser: Any, tmp_path: Path) -> None:
    waiting, beside = (captured(tmp_path, queues_frame(reads)) for reads in ("shade", "hdr"))
    first = overview(browser, waiting, tmp_path)[0]
    assert first.startswith("queue stands still")
    assert "the graphics queue stands still" in first
    assert "waits for shade" in first
    idle = [
        sum(one["share"] for one in found["findings"] if one["rule"] == "idle-queue") for found in (waiting, beside)
    ]
    assert idle[1] < idle[0] / 2
