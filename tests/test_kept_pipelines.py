"""The files of a run share a device and what it has compiled, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kept_pipelines import SharedDevice
from on_devices import buffer_info, compute

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.errors import BackendError
from renderwright.render.types.usages import Usage

pytestmark = pytest.mark.vulkan

NOTHING = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n"


def desc_of(text: str = NOTHING) -> PipelineDesc:
    return PipelineDesc("nothing", (compute(text),))


@pytest.fixture
def device() -> Iterator[SharedDevice]:
    device = SharedDevice()
    yield device
    device.take_back(keep=False)


def test_a_pipeline_is_compiled_once_and_destroyed_by_each_that_creates_it(device: SharedDevice) -> None:
    backend = device.lend()
    first, second = backend.create_pipeline(desc_of()), backend.create_pipeline(desc_of())
    assert first.handle == second.handle
    backend.destroy(first)
    with pytest.raises(BackendError, match="destroyed already"):
        backend.destroy(first)
    assert not backend.reusable, "the second one is left"
    backend.destroy(second)
    assert backend.reusable
    assert backend.create_pipeline(desc_of()).handle == first.handle


def test_another_text_is_another_pipeline(device: SharedDevice) -> None:
    backend = device.lend()
    other = desc_of(NOTHING.replace("{}", "{ barrier(); }"))
    assert backend.create_pipeline(desc_of()).handle != backend.create_pipeline(other).handle


def test_a_file_that_leaves_something_has_the_next_one_get_a_new_device(device: SharedDevice) -> None:
    clean = device.lend()
    device.take_back(keep=True)
    assert device.lend() is clean
    clean.create_buffer(buffer_info(16, Usage.STORAGE), "left")
    device.take_back(keep=True)
    another = device.lend()
    assert another is not clean
    device.take_back(keep=False)
    assert device.lend() is not another
