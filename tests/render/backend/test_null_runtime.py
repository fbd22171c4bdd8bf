"""The runtime on the null backend: whole frames, checked and in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Resolution, Texture


@pytest.fixture
def backend() -> Iterator[NullBackend]:
    backend = NullBackend()
    yield backend
    backend.close()


def graph_with_history() -> FrameGraph:
    """A texture that reads its own last frame, and the picture."""
    graph = FrameGraph()
    graph.set_resolution("output", (64, 32))
    graph.add_sink("image")

    def trail(reg: Registry) -> None:
        reg.create("trail", Texture("rgba16_sfloat", Resolution("output"))).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.history("trail").sampled()

    def show(reg: Registry) -> None:
        reg.external("image", Texture("rgba8_srgb", Resolution("output"))).color(clear=(0.0, 0.0, 0.0, 1.0))
        reg.read("trail").sampled()

    graph.add_node("trail", trail)
    graph.add_node("show", show)
    return graph


def test_frames_resizes_and_an_end_without_leftovers(backend: NullBackend) -> None:
    graph = graph_with_history()
    runtime = Runtime(graph, backend, ShaderLibrary())
    graph.set_external("image", lambda context: runtime.target_texture)  # type: ignore[arg-type, return-value]
    target = backend.create_target((64, 32))
    for extent in ((64, 32), (64, 32), (64, 32), (96, 48), (96, 48)):
        if target.extent != extent:
            target.resize(extent)
            graph.set_resolution("output", extent)
        assert runtime.render(target) is not None
    frames = "\n".join(backend.log).split("\nframe ")[1:]
    assert len(frames) == 5
    for frame, size in zip(frames, ("64x32", "64x32", "64x32", "96x48", "96x48"), strict=True):
        assert f"begin pass {size}: trail color clear (0, 0, 0, 0) -> store" in frame
        assert f"begin pass {size}: image color clear (0, 0, 0, 1) -> store" in frame
        assert f"present {size}" in frame
    assert "trail even: " in frames[0]
    assert "trail odd: " in frames[1]
    runtime.close()
    target.close()
    assert backend.alive == ()


def graph_with_depth() -> FrameGraph:
    """A scene with a depth buffer that nobody looks at later, and the picture."""
    graph = FrameGraph()
    graph.add_sink("image")

    def scene(reg: Registry) -> None:
        reg.create("scene", Texture("rgba16_sfloat", (64, 32))).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.create("depth", Texture("d32_sfloat", (64, 32))).depth(clear=0.0)

    def show(reg: Registry) -> None:
        reg.create("image", Texture("rgba8_srgb", (64, 32))).color(clear=(0.0, 0.0, 0.0, 1.0))
        reg.read("scene").sampled()

    graph.add_node("scene", scene)
    graph.add_node("show", show)
    return graph


@pytest.mark.parametrize("lazy", [False, True])
def test_an_attachment_of_one_pass_is_in_lazy_memory_where_there_is_such(lazy: bool) -> None:
    backend = NullBackend(RowMajorModel(lazy=lazy))
    runtime = Runtime(graph_with_depth(), backend, ShaderLibrary())
    for _ in range(4):
        runtime.render(None)
    heaps = [line.split(": ")[1] for line in backend.log if line.startswith("create heap")]
    assert [heap.split(" of ")[1] for heap in heaps] == (["lazy_textures", "textures"] if lazy else ["textures"])
    (depth,) = (line for line in backend.log if line.startswith('create texture "depth"'))
    assert 'in heap "heap 0"' in depth
    runtime.close()
    backend.close()


@pytest.mark.parametrize("limit", [65536, 131072])
def test_a_plan_in_several_heaps(limit: int) -> None:
    backend = NullBackend(RowMajorModel(heap_limit=limit))
    runtime = Runtime(graph_with_depth(), backend, ShaderLibrary())
    for _ in range(4):
        runtime.render(None)
    sizes = [heap.size for heap in runtime.plan.placement.heaps]
    assert len(sizes) > 1 or limit > 65536
    assert max(sizes) <= limit
    runtime.close()
    backend.close()
    assert backend.alive == ()
