"""A device that the files of a run share, and on which the driver compiles each pipeline once. Tests import this.

Most tests play for less time than the driver takes to compile what their sessions have in common.
"""

from __future__ import annotations

import threading
from dataclasses import fields
from typing import Any

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline

MOST_KEPT = 1500
"""Pipelines after which a file gets a new device: they hold memory."""


class LentPipeline(VulkanPipeline):
    """A pipeline as its user creates and destroys it; the backend keeps what the driver has compiled."""

    def release(self) -> None:
        """The driver's object stays for others."""


class KeepingBackend(VulkanBackend):
    """Keeps what the driver has compiled until it is closed. For who creates pipelines it is a backend as any other."""

    def __init__(self, **options: Any) -> None:
        self._kept: dict[PipelineDesc, VulkanPipeline] = {}
        self._making = threading.Lock()
        super().__init__(**options)
        self._parts.callback(self._release_kept)

    def create_pipeline(self, desc: PipelineDesc) -> VulkanPipeline:
        """See ``Backend``."""
        with self._making:
            if desc not in self._kept:
                self._kept[desc] = super().create_pipeline(desc)
                self._objects.forget(self._kept[desc])
            kept = self._kept[desc]
        return self._objects.keep(LentPipeline(**{field.name: getattr(kept, field.name) for field in fields(kept)}))

    @property
    def reusable(self) -> bool:
        """Whether another file finds it as a new device would be, but for a bearable number of kept pipelines."""
        return not self.validation_messages and not len(self._objects) and len(self._kept) < MOST_KEPT

    def _release_kept(self) -> None:
        for pipeline in self._kept.values():
            pipeline.release()


class SharedDevice:
    """Opens a device for the first file, and another one for the next file if the last one has left something."""

    def __init__(self) -> None:
        self._backend: KeepingBackend | None = None

    def lend(self) -> KeepingBackend:
        """The device for a file."""
        if self._backend is None:
            self._backend = KeepingBackend(validate=True)
        return self._backend

    def take_back(self, *, keep: bool) -> None:
        """Wait for what a file has submitted, and close the device unless it is as good as new."""
        if self._backend is None:
            return
        backend = self._backend
        try:
            backend.wait_idle()
        finally:
            if not (keep and backend.reusable):
                self._backend = None
                backend.close()
