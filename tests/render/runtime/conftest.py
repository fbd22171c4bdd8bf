from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from beside_frames import ONE_NODE, Running
from runtime_bench import Bench

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.lowering.bindings import bind_node
from renderwright.render.steps import all_of


@pytest.fixture
def shader_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, under a name that all tests have.

    Shaders have the names of their files in their code: those that are the same in many tests compile once.
    """
    monkeypatch.chdir(tmp_path)
    folder = Path("shaders")
    folder.mkdir()
    return folder


@pytest.fixture
def make_bench(shader_folder: Path, backend: VulkanBackend) -> Iterator[Callable[..., Bench]]:
    """Makes benches on the file's backend, which must get through each test without one objection of the layer."""
    before = len(backend.validation_messages)
    benches: list[Bench] = []

    def make(options: CompileOptions | None = None, *, repack: bool = False, poison: Poison | None = None) -> Bench:
        benches.append(Bench(backend, shader_folder, options, repack=repack, poison=poison))
        return benches[-1]

    yield make
    for bench in benches:
        bench.close()
    assert [message.text for message in backend.validation_messages[before:]] == []


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench()


@pytest.fixture
def running(shader_folder: Path) -> Iterator[Running]:
    """Has run one frame with node "a"."""
    running = Running(shader_folder)
    running.add("a")
    assert running.frame() == ["a"]
    assert running.worker.started == 0
    yield running
    running.close()


@pytest.fixture
def slowly(running: Running) -> Running:
    """Lowers a node of a coming plan behind each frame."""
    running.worker.seconds_a_frame = ONE_NODE
    return running


@pytest.fixture
def late(slowly: Running, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The frames that have been lowered when they were needed."""
    frames: list[int] = []

    def noted(steps: Any) -> Any:
        frames.append(slowly.runtime.frame)
        return all_of(steps)

    monkeypatch.setattr("renderwright.render.runtime.lowering.lowered_frames.all_of", noted)
    return frames


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The nodes that have been bound, in order."""
    names: list[str] = []

    def noted(instance: Any, *rest: Any) -> Any:
        names.append(instance.id)
        return bind_node(instance, *rest)

    monkeypatch.setattr("renderwright.render.runtime.lowering.node_lowering.bind_node", noted)
    return names
