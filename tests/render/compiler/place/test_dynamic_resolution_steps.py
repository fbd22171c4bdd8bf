"""Dynamic resolution: smaller textures in the same memory."""

import pytest
from ordered_frames import HERE

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent, Resolution, Texture
from renderwright.render.types.usages import Usage

RULES = (
    ResolutionRule("output", (1920, 1080)),
    ResolutionRule("main_view", of="output"),
    ResolutionRule("shadow", (512, 512)),
)


def create(name: str, resolution: str, scale: float = 1.0, mips: int = 1) -> Request:
    desc = Texture("rgba8_unorm", Resolution(resolution, scale), mips=mips)
    return Request(Verb.CREATE, name, HERE, desc=desc, usage=Usage.COLOR)


def read(name: str) -> Request:
    return Request(Verb.READ, name, HERE, usage=Usage.SAMPLED)


def frame() -> GraphSnapshot:
    """Two maps and a half-sized one that are put together into an image of the output's size."""
    nodes = (
        NodeDeclaration("shadow", "test", HERE, requests=(create("map", "shadow"),)),
        NodeDeclaration("draw", "test", HERE, requests=(create("hdr", "main_view"), read("map"))),
        NodeDeclaration("blur", "test", HERE, requests=(create("half", "main_view", 0.5, mips=10), read("hdr"))),
        NodeDeclaration("show", "test", HERE, requests=(create("image", "output"), read("hdr"), read("half"))),
    )
    return GraphSnapshot(nodes=nodes, sinks=("image",))


class CountingMemo(Memo):
    """Notes which stages run."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []

    def compute(self, stage, *inputs):
        self.ran.append(stage.__name__)
        return super().compute(stage, *inputs)


class Compiling:
    """Compiles the frame at one size after another."""

    def __init__(self) -> None:
        self.memo = CountingMemo()
        self._compiler = Compiler(RowMajorModel(), self.memo)

    def __call__(self, output: Extent = (1920, 1080), **dynamic: Extent) -> Plan:
        self.memo.ran.clear()
        rules = (ResolutionRule("output", output), *RULES[1:])
        return self._compiler.compile(frame(), SizeInputs(rules, dynamic=tuple(dynamic.items())), CompileOptions())


def extents(plan: Plan) -> dict[str, Extent]:
    return {item.id: item.info.extent for item in plan.placement.resources if isinstance(item.info, TextureInfo)}


def test_what_follows_a_dynamic_resolution_is_smaller_in_the_same_memory() -> None:
    compiled = Compiling()
    full, small = compiled(), compiled(main_view=(960, 541))
    assert extents(full) == {"map": (512, 512), "hdr": (1920, 1080), "half": (960, 540), "image": (1920, 1080)}
    assert extents(small) == {"map": (512, 512), "hdr": (960, 541), "half": (480, 271), "image": (1920, 1080)}
    assert dict(small.placement.extents)["main_view"] == (960, 541)
    for before, after in zip(full.placement.resources, small.placement.resources, strict=True):
        assert (before.copies, before.size, before.alignment) == (after.copies, after.size, after.alignment)
    assert small.placement.heaps == full.placement.heaps
    assert set(small.extents) == {(512, 512), (960, 541), (480, 271), (1920, 1080)}


def test_barriers_passes_and_program_stay_the_same_objects() -> None:
    compiled = Compiling()
    full, small = compiled(), compiled(main_view=(1000, 700))
    assert small.sync is full.sync
    assert small.pass_plan is full.pass_plan
    assert small.program is full.program
    assert compiled.memo.ran == ["resizable_textures", "apply_dynamic_resolution", "Plan"]
    compiled(main_view=(1000, 701))
    assert compiled.memo.ran == ["apply_dynamic_resolution", "Plan"]


def test_resolutions_that_follow_a_dynamic_one_shrink_with_it() -> None:
    small = Compiler(RowMajorModel()).compile(
        frame(), SizeInputs(RULES, dynamic=(("output", (96, 54)),)), CompileOptions()
    )
    assert extents(small)["hdr"] == extents(small)["image"] == (96, 54)
    assert extents(small)["half"] == (48, 27)


def test_mips_are_as_many_as_the_smaller_extent_allows() -> None:
    small = Compiling()(main_view=(32, 8))
    (half,) = [item.info for item in small.placement.resources if item.id == "half"]
    assert isinstance(half, TextureInfo)
    assert (half.extent, half.mips) == ((16, 4), 5)


def test_going_back_is_the_plan_of_before() -> None:
    compiled = Compiling()
    full, small = compiled(), compiled(main_view=(960, 540))
    assert compiled() is full
    assert compiled(main_view=(960, 540)) is small
    assert compiled.memo.ran == []


def test_a_dynamic_value_stays_within_what_is_planned() -> None:
    with pytest.raises(CompileError, match=r"main_view.*cannot be 1921 x 1080.*at most 1920 x 1080"):
        Compiling()(main_view=(1921, 1080))
    with pytest.raises(CompileError, match="cannot be 0 x 1"):
        Compiling()(main_view=(0, 1))
    with pytest.raises(CompileError, match=r'"mainview" has no value') as caught:
        Compiling()(mainview=(1, 1))
    assert "main_view" in caught.value.hint


def test_a_resize_runs_only_what_depends_on_sizes() -> None:
    compiled = Compiling()
    before = compiled()
    after = compiled(output=(1280, 720))
    assert extents(after)["half"] == (640, 360)
    assert after.pass_plan is before.pass_plan
    sized = {
        "place",
        "aliasing_pairs",
        "byte_overlaps",
        "sync",
        "program",
        "resizable_textures",
        "apply_dynamic_resolution",
        "Plan",
    }
    assert set(compiled.memo.ran) <= sized
    assert "place" in compiled.memo.ran


def test_barriers_are_kept_where_the_same_resources_share_memory() -> None:
    compiled = Compiling()
    before = compiled()
    after = compiled(output=(1919, 1080))
    assert after.placement is not before.placement
    assert after.sync is before.sync
    assert after.program is before.program
