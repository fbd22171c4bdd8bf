"""Devices that plans are made for where there is no device: what each backend can do everywhere, and its memory."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.options import BackendName
from renderwright.render.backend.capabilities import Aliasing, Capabilities
from renderwright.render.compiler.values.options import ANY_SAMPLES, CompileOptions
from renderwright.render.memory.needs import MemoryModel, RowMajorModel
from renderwright.render.memory.whole_textures import WholeTextureModel
from renderwright.render.shaders.image_formats import STORABLE

_OPENGL = Capabilities(
    backend=BackendName.OPENGL,
    device="the documented model",
    api_version="4.5",
    unified_layouts=True,
    storage_formats=STORABLE,
    aliasing=Aliasing.TEXTURES,
    events=False,
    most_samples=ANY_SAMPLES,
)


@dataclass(frozen=True)
class DeviceModel:
    """A device without a driver. ``capabilities`` None leaves the options of a compile as they are: Vulkan devices
    differ, and the options say which one is assumed."""

    memory: MemoryModel
    capabilities: Capabilities | None = None

    @property
    def aliasing(self) -> Aliasing:
        """What resources share."""
        return self.capabilities.aliasing if self.capabilities is not None else Aliasing.BYTES

    def options(self, wanted: CompileOptions) -> CompileOptions:
        """The options that hold on the device."""
        return wanted.on_device(self.capabilities) if self.capabilities is not None else wanted


def device_model(backend: BackendName) -> DeviceModel:
    """The model of a backend's devices."""
    if backend is BackendName.OPENGL:
        return DeviceModel(WholeTextureModel(), _OPENGL)
    return DeviceModel(RowMajorModel())
