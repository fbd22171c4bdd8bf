"""Textures and buffers while their descriptions and users change, as execute functions and the device see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.external import ExternalContext
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Buffer, Resolution, Texture
from renderwright.render.types.usages import Usage

SMALL = Texture("rgba8_unorm", (8, 8))
RED = (1.0, 0.0, 0.0, 1.0)


@dataclass
class Bench:
    """A graph on the null backend. ``seen`` has the physical description of everything that a node had in the frame."""

    backend: NullBackend
    graph: FrameGraph = field(default_factory=FrameGraph)
    seen: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary())

    def node(self, name: str, *ask: Callable[[Registry], Any], keep: bool = False, mode: tuple[str, ...] = ()) -> None:
        """A node of the requests that ``ask`` makes; it notes what they stand for."""

        def declare(reg: Registry) -> Execute:
            handles = [one(reg) for one in ask]
            if keep:
                reg.side_effects()
            if mode:
                reg.multiplex(*mode)

            def execute(cmd: Any) -> None:
                index = "".join(f"@{number}" for number in cmd.index.values())
                for number, handle in enumerate(handles):
                    if handle.present:
                        self.seen[f"{name}{index}.{number}"] = handle.all[0].info

            return execute

        as_declare: Declare = declare
        self.graph.add_node(name, as_declare)

    def frame(self) -> list[str]:
        """Run a frame; its lines in the log."""
        self.seen = {}
        self.backend.log.clear()
        assert self.runtime.render(None) is not None
        return [line.strip() for line in self.backend.log]


@pytest.fixture
def bench() -> Iterator[Bench]:
    backend = NullBackend()
    made = Bench(backend)
    yield made
    made.runtime.close()
    assert backend.alive == ()
    backend.close()


def texture(**changes: Any) -> Texture:
    return Texture(**{"format": "rgba8_unorm", "size": (8, 8), **changes})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (texture(size=(16, 4)), "rgba8_unorm 16x4"),
        (texture(format="rgba16_sfloat"), "rgba16_sfloat 8x8"),
        (texture(mips=3), "rgba8_unorm 8x8 3 mips"),
        (texture(layers=2), "rgba8_unorm 8x8 2 layers"),
        (texture(samples=4), "rgba8_unorm 8x8 4 samples"),
        (texture(size=Resolution("output", 0.5)), "rgba8_unorm 32x16"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_description_is_another_texture_and_nothing_piles_up(
    bench: Bench, other: Texture, expected: str
) -> None:
    bench.graph.set_resolution("output", (64, 32))
    alive = []
    for desc in (SMALL, other) * 4:
        bench.node("draw", lambda reg, desc=desc: reg.create("x", desc).color())
        bench.node("show", lambda reg: reg.read("x").sampled(), keep=True)
        bench.frame()
        info = bench.seen["draw.0"]
        assert bench.seen["show.0"] == info
        extras = [f" {count} {what}" for what in ("mips", "layers", "samples") if (count := getattr(info, what)) > 1]
        text = f"{info.format} {info.extent[0]}x{info.extent[1]}{''.join(extras)}"
        assert text == (expected if desc is other else "rgba8_unorm 8x8")
        alive.append(len(bench.backend.alive))
    assert alive[-2:] == alive[2:4]


def test_a_texture_becomes_a_buffer_and_a_blob(bench: Bench) -> None:
    bench.node("make", lambda reg: reg.create("x", SMALL).color(), keep=True)
    bench.frame()
    assert isinstance(bench.seen["make.0"], TextureInfo)
    bench.node("make", lambda reg: reg.create("x", Buffer(64)).storage_write("compute"), keep=True)
    bench.frame()
    assert bench.seen["make.0"].size == 64
    bench.node("make", lambda reg: reg.create("x", int))
    bench.node("read", lambda reg: reg.read("x", int))
    bench.frame()
    assert bench.runtime.heap_bytes == 0


def test_a_user_of_the_old_kind_leaves_with_the_kinds_named(bench: Bench) -> None:
    bench.node("make", lambda reg: reg.create("x", SMALL).color(), keep=True)
    bench.node("show", lambda reg: reg.read("x").sampled(), keep=True)
    bench.frame()
    bench.node("make", lambda reg: reg.create("x", Buffer(64)).storage_write("compute"), keep=True)
    bench.frame()
    (problem,) = bench.runtime.plan.problems
    assert problem.message == "`show` wants to use `x` as sampled, but `make` creates it as a buffer"
    assert "show.0" not in bench.seen


ADDED = {
    "sampled": (lambda reg, name: reg.read(name).sampled(), Usage.SAMPLED),
    "storage": (lambda reg, name: reg.modify(name).storage(stage="compute"), Usage.STORAGE),
    "copied from": (lambda reg, name: reg.read(name).copy_src(), Usage.COPY_SRC),
    "copied to": (lambda reg, name: reg.modify(name).copy_dst(), Usage.COPY_DST),
}


@pytest.mark.parametrize(("ask", "usage"), ADDED.values(), ids=ADDED)
@pytest.mark.parametrize("name", ["x", "y"])
def test_a_texture_allows_what_its_users_do_under_every_name(bench: Bench, ask: Any, usage: Usage, name: str) -> None:
    bench.node("make", lambda reg: reg.create("x", SMALL).color())
    bench.node("rename", lambda reg: reg.rename("x", "y"))
    bench.node("show", lambda reg: reg.read("y").sampled(), keep=True)
    bench.frame()
    assert bench.seen["make.0"].usages == {Usage.COLOR, Usage.SAMPLED}
    bench.node("user", lambda reg: ask(reg, name), keep=True)
    bench.frame()
    assert bench.seen["make.0"].usages == {Usage.COLOR, Usage.SAMPLED, usage}
    assert bench.seen["make.0"] == bench.seen["show.0"] == bench.seen["user.0"]
    bench.graph.remove_node("user")
    bench.frame()
    assert bench.seen["make.0"].usages == {Usage.COLOR, Usage.SAMPLED}


def test_a_buffer_allows_all_that_its_readers_do(bench: Bench) -> None:
    bench.node("make", lambda reg: reg.create("x", Buffer(64)).storage_write("compute"))
    readers = {"vertex": Usage.VERTEX, "index": Usage.INDEX, "indirect": Usage.INDIRECT, "uniform": Usage.UNIFORM}
    for method in readers:
        bench.node(method, lambda reg, method=method: getattr(reg.read("x"), method)(), keep=True)
    bench.frame()
    assert bench.seen["make.0"].usages == {Usage.STORAGE_WRITE, *readers.values()}


def test_an_absent_optional_texture_is_absent_and_one_that_comes_is_there(bench: Bench) -> None:
    bench.node("show", lambda reg: reg.read("x").sampled().optional(), keep=True)
    for there in (False, True, False):
        if there:
            bench.node("make", lambda reg: reg.create("x", SMALL).color())
        elif "make" in bench.graph.node_names:
            bench.graph.remove_node("make")
        bench.frame()
        assert ("show.0" in bench.seen) is there


def test_what_is_culled_records_nothing_and_takes_no_memory(bench: Bench) -> None:
    bench.node("make", lambda reg: reg.create("x", SMALL).color(clear=RED))
    bench.node("use", lambda reg: reg.read("x").sampled(), lambda reg: reg.create("y", SMALL).color())
    bench.node("image", lambda reg: reg.create("image", SMALL).color(), keep=True)
    lines = bench.frame()
    assert not any("[make]" in line or "[use]" in line for line in lines)
    assert set(bench.seen) == {"image.0"}
    assert len([item for item in bench.backend.alive if item.startswith("texture")]) == 1
    bench.graph.add_sink("y")
    assert "[make]" in bench.frame()
    assert {"make.0", "use.0", "use.1", "image.0"} == set(bench.seen)


PASSES = {
    "cleared, drawn, sampled": (
        [("make", lambda reg: reg.create("x", SMALL).color(clear=RED)), ("show", lambda reg: reg.read("x").sampled())],
        ["x color clear (1, 0, 0, 1) -> store"],
    ),
    "drawn over what is undefined": (
        [("make", lambda reg: reg.create("x", SMALL).color()), ("show", lambda reg: reg.read("x").sampled())],
        ["x color discard -> store"],
    ),
    "nobody looks at it afterwards": (
        [("make", lambda reg: reg.create("x", SMALL).color())],
        ["x color discard -> discard"],
    ),
    "drawn twice in one pass": (
        [("make", lambda reg: reg.create("x", SMALL).color()), ("more", lambda reg: reg.modify("x").color())],
        ["x color discard -> discard"],
    ),
    "written by compute between": (
        [
            ("make", lambda reg: reg.create("x", SMALL).color()),
            ("mix", lambda reg: (reg.modify("x").storage("compute"), reg.after("make"), reg.before("more"))[0]),
            ("more", lambda reg: reg.modify("x").color()),
        ],
        ["x color discard -> store", "x color load -> discard"],
    ),
    "remembered for the next frame": (
        [("make", lambda reg: reg.create("x", SMALL).color()), ("old", lambda reg: reg.history("x").sampled())],
        ["x color discard -> store"],
    ),
}


@pytest.mark.parametrize(("nodes", "expected"), PASSES.values(), ids=PASSES)
def test_what_a_pass_loads_and_stores(bench: Bench, nodes: Any, expected: list[str]) -> None:
    for name, ask in nodes:
        bench.node(name, ask, keep=True)
    for _ in range(3):
        passes = [line.partition(": ")[2] for line in bench.frame() if line.startswith("begin pass")]
        assert passes == expected


def test_external_textures_are_asked_for_by_index_and_frame(bench: Bench) -> None:
    contexts: list[ExternalContext] = []
    info = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 1, frozenset({Usage.COLOR}))
    images = [bench.backend.create_texture(info, f"image{view}") for view in range(2)]

    def provide(context: ExternalContext) -> Any:
        contexts.append(context)
        return images[context.index["view"]]

    bench.graph.set_external("image", provide)
    bench.graph.set_count("view", 2)
    bench.node("draw", lambda reg: reg.external("image", SMALL).color(), keep=True, mode=("view",))
    for frame in range(2):
        contexts.clear()
        bench.frame()
        assert sorted((one.index["view"], one.frame, one.slot) for one in contexts) == [
            (0, frame, frame),
            (1, frame, frame),
        ]
        assert set(bench.seen) == {"draw@0.0", "draw@1.0"}
    bench.runtime.close()
    for image in images:
        bench.backend.destroy(image)
