"""Frames that benefit from several queues, or from split barriers.

In the first, simulation, a copy and drawing are independent: ``simulate 0..n`` make a new state from the last frame's,
``keep`` copies the first step's state, ``shade 0..n`` are full-screen passes; only ``combine`` reads all of them. In
another the simulation reads the drawn picture, and its result is shown a frame later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Buffer, Texture

GLSL = Path(__file__).parent / "glsl"


@dataclass(frozen=True)
class Load:
    """The load: links of each chain, simulated values, side of the picture, steps of each program."""

    links: int = 4
    values: int = 16384
    side: int = 1024
    simulate: int = 100_000
    shade: int = 20


@dataclass(frozen=True)
class _Work:
    count: int


def queue_frame(load: Load) -> FrameGraph:
    """The graph; its results are ``picture`` and the last link's state."""
    graph = FrameGraph()
    picture = _picture(load)
    state = Buffer(4 * load.values)
    graph.add_sink("picture")

    def simulate(link: int, reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.create(f"state {link}", state).storage_write("compute").bind("Next")
        last = reg.read(f"state {link - 1}") if link else reg.history("state 0")
        last.storage_read("compute").bind("Last")
        reg.uniform("work", lambda: _Work(load.simulate))
        program = reg.compute("simulate.comp")
        return lambda cmd: cmd.dispatch(program, (load.values, 1, 1))

    def keep(reg: Registry) -> Callable[[Any], None]:
        reg.queue("copy", "graphics")
        source = reg.read("state 0").copy_src()
        target = reg.create("kept", state).copy_dst()
        return lambda cmd: cmd.recorder.copy_buffer(source.buffer, target.buffer)

    def combine(reg: Registry) -> Callable[[Any], None]:
        reg.create("picture", picture).color()
        reg.read(f"shaded {load.links - 1}").sampled(filter="nearest").bind("shaded")
        reg.read(f"state {load.links - 1}").storage_read().bind("State")
        reg.read("kept").storage_read().bind("Kept")
        program = reg.graphics("combine.frag")
        return lambda cmd: cmd.draw(program)

    _add_drawing(graph, load)
    for link in range(load.links):
        graph.add_node(f"simulate {link}", partial(simulate, link))
    for node in (keep, combine):
        graph.add_node(node.__name__, node)
    return graph


def late_frame(load: Load) -> FrameGraph:
    """Drawing, and a simulation of the drawn picture; ``picture`` is the drawing with the last frame's state on it."""
    graph = FrameGraph()
    state = Buffer(4 * load.values)
    graph.add_sink("picture")

    def simulate(link: int, reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.create(f"state {link}", state).storage_write("compute").bind("Next")
        reg.read(f"state {link - 1}").storage_read("compute").bind("Last")
        reg.uniform("work", lambda: _Work(load.simulate))
        program = reg.compute("simulate.comp")
        return lambda cmd: cmd.dispatch(program, (load.values, 1, 1))

    def sense(reg: Registry) -> Callable[[Any], None]:
        reg.queue("compute", "graphics")
        reg.create("state 0", state).storage_write("compute").bind("Next")
        reg.read(f"shaded {load.links - 1}").sampled(filter="nearest", stage="compute").bind("shaded")
        program = reg.compute("sense.comp")
        return lambda cmd: cmd.dispatch(program, (load.values, 1, 1))

    def adapt(reg: Registry) -> Callable[[Any], None]:
        reg.create("picture", _picture(load)).color()
        reg.read(f"shaded {load.links - 1}").sampled(filter="nearest").bind("shaded")
        reg.history(f"state {load.links}").storage_read().bind("State")
        program = reg.graphics("adapt.frag")
        return lambda cmd: cmd.draw(program)

    _add_drawing(graph, load)
    for link in range(1, load.links + 1):
        graph.add_node(f"simulate {link}", partial(simulate, link))
    for node in (sense, adapt):
        graph.add_node(node.__name__, node)
    return graph


def _picture(load: Load) -> Texture:
    return Texture("rgba32_sfloat", (load.side, load.side))


def _add_drawing(graph: FrameGraph, load: Load) -> None:
    """A chain of full-screen passes, which create ``shaded 0..n``."""
    picture = _picture(load)

    def begin(reg: Registry) -> Callable[[Any], None]:
        reg.create("shaded", picture).color()
        program = reg.graphics("begin.frag")
        return lambda cmd: cmd.draw(program)

    def shade(link: int, reg: Registry) -> Callable[[Any], None]:
        reg.cost(4.0)
        reg.create(f"shaded {link}", picture).color()
        reg.read(f"shaded {link - 1}" if link else "shaded").sampled(filter="nearest").bind("before")
        reg.uniform("work", lambda: _Work(load.shade))
        program = reg.graphics("shade.frag")
        return lambda cmd: cmd.draw(program)

    graph.add_node("begin", begin)
    for link in range(load.links):
        graph.add_node(f"shade {link}", partial(shade, link))


def chains_frame(load: Load) -> FrameGraph:
    """Two independent chains of simulation with links in turn, which create ``left`` and ``right``."""
    graph = FrameGraph()
    state = Buffer(4 * load.values)

    def simulate(chain: str, link: int, reg: Registry) -> Callable[[Any], None]:
        last = link == load.links - 1
        reg.create(chain if last else f"{chain} {link}", state).storage_write("compute").bind("Next")
        before = reg.read(f"{chain} {link - 1}") if link else reg.history(f"{chain} {link}")
        before.storage_read("compute").bind("Last")
        reg.uniform("work", lambda: _Work(load.simulate))
        program = reg.compute("simulate.comp")
        return lambda cmd: cmd.dispatch(program, (load.values, 1, 1))

    for chain in ("left", "right"):
        graph.add_sink(chain)
    for link in range(load.links):
        for chain in ("left", "right"):
            graph.add_node(f"simulate {chain} {link}", partial(simulate, chain, link))
    return graph


@contextmanager
def running(graph: FrameGraph, backend: Backend, options: CompileOptions) -> Iterator[Runtime]:
    """A runtime of the frame."""
    runtime = Runtime(graph, backend, ShaderLibrary([GLSL]), options=options)
    try:
        yield runtime
    finally:
        backend.wait_idle()
        runtime.close()


def results_of(runtime: Runtime) -> tuple[bytes, ...]:
    """The results of the last frame, as bytes."""
    found = []
    for name in runtime.graph.snapshot().sinks:
        made: Any = runtime.resource(name)
        if isinstance(made.info, TextureInfo):
            found.append(runtime.backend.read_texture(made, Layout.COLOR_ATTACHMENT).tobytes())
        else:
            found.append(runtime.backend.read_buffer(made))
    return tuple(found)
