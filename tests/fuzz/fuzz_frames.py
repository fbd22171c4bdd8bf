"""One case: a random graph runs on a device in several ways, with edits in mid-run, and gives the same to the bit."""

from __future__ import annotations

import atexit
import logging
import math
import random
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import vulkan
from full_barriers import FullBarriers
from node_shaders import ShaderFolder
from runnable_graphs import TARGET, RunnableGraph, World

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.constants import VALIDATION_LAYER
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.barriers import Splitting
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import Kind, check, read_stream

CASES = 20


@dataclass(frozen=True)
class Edit:
    """What happens before a frame: ``do`` is ``remove``, ``return``, ``resize``, ``shrink``, ``order`` or ``count``."""

    frame: int
    do: str
    what: Any


@dataclass
class Stage:
    """What cases share: shaders, and a device under validation for as many as ``CASES``; layers slow down with time."""

    folder: Path

    def __post_init__(self) -> None:
        self.shaders = ShaderFolder(self.folder)
        self.library = ShaderLibrary([self.folder])
        self._cases = 0
        self.backend = self._device()

    def _device(self) -> VulkanBackend:
        return VulkanBackend(validate=True)

    def next_case(self) -> VulkanBackend:
        """The device for the next case."""
        self._cases += 1
        if self._cases % CASES == 0:
            self.close()
            self.backend = self._device()
        return self.backend

    def close(self) -> None:
        self.backend.close()


@cache
def stage() -> Stage:
    made = Stage(Path(_folder().name))
    atexit.register(made.close)
    return made


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="renderwright-fuzz-")


Outcome = dict[str, Any]
"""Contents by name: the digests of all frames, the application's buffers, values, and the picture."""


def frames_case(seed: int) -> str:
    """``plain``, or what was edited in mid-run."""
    graph, edits, frames = frames_of(seed)
    with _quiet(), ExitStack() as parts:
        shared = stage().next_case()
        told = len(shared.validation_messages)
        pipelines = PipelineCache(shared, stage().library)
        parts.callback(pipelines.destroy)
        expected = run(
            graph, edits, frames, FullBarriers(shared), CompileOptions(alias=False, split_above=math.inf), pipelines
        )
        first = random.Random(f"layouts {seed}").random() < 0.5
        unified, other = (layer_knows_unified_layouts() and way for way in (first, not first))
        ways = {
            # In a hurry, alike textures are not brought together.
            "unsplit": CompileOptions(packing=PackPolicy.BALANCED, split_above=math.inf, unified_layouts=unified),
            "random order": CompileOptions(order=f"random:{seed}", split_above=0.0, unified_layouts=other),
        }
        for way, options in ways.items():
            _same(way, run(graph, edits, frames, shared, options, pipelines), expected)
        poor = CompileOptions(order="overlap", unified_layouts=unified)
        _same("better order", run(graph, edits, frames, shared, poor, pipelines, repack=True), expected)
        recorded = run_recorded(graph, edits, frames, split=seed % 2 == 0, unified=unified)
        _same("recorded", recorded, expected)
        said = [message.text for message in shared.validation_messages[told:]]
        assert not said, said[0]
    return edits[0].do if edits else "plain"


@cache
def layer_knows_unified_layouts() -> bool:
    """Whether the validation layer is as young as VK_KHR_unified_image_layouts.

    Layer 1.3.239 loses track of chains of barriers of all memory, which plans in the general layout are full of: it
    objects to transitions behind them that 1.4.363 and the oracle find right.
    """
    layers = vulkan.vkEnumerateInstanceLayerProperties()
    versions = [layer.specVersion for layer in layers if layer.layerName == VALIDATION_LAYER]
    return max(versions, default=0) >= vulkan.VK_MAKE_VERSION(1, 4, 317)


def frames_of(seed: int) -> tuple[RunnableGraph, list[Edit], int]:
    """The graph of a seed, what is done to it, and for how many frames it runs."""
    rng = random.Random(f"frames {seed}")
    graph = RunnableGraph(seed, rng.randint(5, 25), stage().shaders)
    frames = rng.randint(4, 6)
    kind = rng.choice(["", "", "remove", "resize", "shrink", "order", "count"])
    at = rng.randint(1, 3)
    name = rng.choice(sorted(graph.nodes))
    match kind:
        case "remove":
            edits = [Edit(at, "remove", name), Edit(at + 2, "return", name)]
        case "resize":
            edits = [Edit(at, "resize", rng.choice([(17, 33), (32, 32), (8, 9)]))]
        case "shrink":
            edits = [Edit(at, "shrink", (16, 12)), Edit(at + 1, "shrink", rng.choice([None, (9, 20)]))]
        case "order":
            edits = [Edit(at, "order", name)]
        case "count":
            edits = [Edit(at, "count", rng.randint(1, 3))]
        case _:
            edits = []
    return graph, edits, frames


def run(
    graph: RunnableGraph,
    edits: list[Edit],
    frames: int,
    backend: Any,
    options: CompileOptions,
    pipelines: PipelineCache,
    recording: StreamRecorder | None = None,
    *,
    repack: bool = False,
) -> Outcome:
    """Run the graph in one way; what came out. With ``repack`` every second frame waits for the search for a smaller
    plan."""
    failures: list[NodeFailure] = []
    frame_graph = FrameGraph()
    world = World(backend)
    runtime = Runtime(
        frame_graph,
        backend,
        stage().library,
        options=options,
        on_failure=failures.append,
        pipelines=pipelines,
        repack=repack,
    )
    world.runtime = runtime
    graph.fill(frame_graph, world)
    with closing(backend.create_target(TARGET)) as target:
        try:
            frame_graph.set_external_format("image", target.format)
            frame_graph.set_external("image", lambda context: runtime.target_texture)
            for frame in range(frames):
                for edit in edits:
                    if edit.frame == frame:
                        _edit(graph, frame_graph, edit)
                if recording is not None:
                    recording.frame()
                if repack and frame % 2:
                    runtime.finish_repacking()
                assert runtime.render(target) is not None
                assert not failures, failures[0]
            outcome: Outcome = dict(world.buffers())
            outcome["values"] = sorted(world.noted, key=repr)
            if any(item.resource.root == "image" for item in runtime.plan.graph.resources):
                image = target.acquire(0)
                assert image is not None
                outcome["image"] = backend.read_texture(image, Layout.TRANSFER_SRC).tobytes()
            return outcome
        finally:
            runtime.close()
            world.close()
            backend.wait_idle()


def run_recorded(graph: RunnableGraph, edits: list[Edit], frames: int, *, split: bool, unified: bool) -> Outcome:
    """The default way, or with as many split barriers as can be, in one layout or in several, on a device of its own
    whose stream the oracle judges."""
    options = CompileOptions(split_above=0.0 if split else Splitting.above, unified_layouts=unified)
    path = stage().folder / "stream.jsonl"
    recording = StreamRecorder(path)
    backend = VulkanBackend(validate=True, wrap=recording.wrap)
    try:
        pipelines = PipelineCache(backend, stage().library)
        outcome = run(graph, edits, frames, backend, options, pipelines, recording)
        pipelines.destroy()
    finally:
        backend.close()
        recording.close()
    said = [message.text for message in backend.validation_messages]
    assert not said, said[0]
    unknown = graph.unknown_at_first
    findings = [
        one
        for one in check(read_stream(path)).findings
        if one.kind is not Kind.UNDEFINED_CONTENT or one.resource.partition(" ")[0].partition("@")[0] not in unknown
    ]
    assert not findings, str(findings[0])
    return outcome


def _edit(graph: RunnableGraph, frame_graph: FrameGraph, edit: Edit) -> None:
    match edit.do:
        case "remove":
            frame_graph.remove_node(edit.what)
        case "return" | "order":
            graph.add(frame_graph, edit.what)
        case "resize":
            frame_graph.set_resolution("main", edit.what)
        case "shrink":
            frame_graph.set_dynamic_resolution("main", edit.what)
        case "count":
            frame_graph.set_count("view", edit.what)


def _same(way: str, found: Outcome, expected: Outcome) -> None:
    wrong = sorted(name for name in {*found, *expected} if found.get(name) != expected.get(name))
    assert not wrong, f"{way}: other contents of {', '.join(wrong)}"


@contextmanager
def _quiet() -> Iterator[None]:
    log = logging.getLogger("renderwright.runtime")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
