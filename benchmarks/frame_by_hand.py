"""The chain of ``benchmarks/frame.py`` written by hand for one device, with the same calls by cffi.

Structs are made once. The backend makes the pictures, pipelines and descriptor sets, which is not measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.by_hand import SubmitLoop
from renderwright.render.backend.protocol import PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.descriptors import VulkanBindingSet
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage

SIZE = 16
FORMAT = "rgba8_unorm"

WRITTEN = {
    "stageMask": lib.VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
    "accessMask": lib.VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
}
SAMPLED = {
    "stageMask": lib.VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
    "accessMask": lib.VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
}


@dataclass(frozen=True)
class Pass:
    """The arguments of one pass. The first one samples nothing."""

    barriers: CData
    rendering: CData
    pipeline: VulkanPipeline
    bindings: VulkanBindingSet | None


class HandWritten:
    """Frames of one submission each, with one command buffer and fence in turn for each frame in flight."""

    def __init__(self, backend: VulkanBackend, shaders: Path, passes: int) -> None:
        self._backend, self._arena, self._loop = backend, Arena(), SubmitLoop(backend)
        arena, size = self._arena, {"width": SIZE, "height": SIZE}
        self._viewport = arena.new("VkViewport", y=SIZE, width=SIZE, height=-SIZE, maxDepth=1.0)
        self._scissor = arena.new("VkRect2D", extent=size)
        first, later = (self._pipeline(shaders, name) for name in ("begin.frag", "pass.frag"))
        usages = frozenset({Usage.COLOR, Usage.SAMPLED})
        info = TextureInfo(FORMAT, (SIZE, SIZE), 1, 1, 1, usages)
        self.pictures = [backend.create_texture(info, f"picture {number}") for number in range(passes)]
        self._passes = []
        for number, target in enumerate(self.pictures):
            source = self.pictures[number - 1] if number else None
            bindings = None
            if source is not None:
                binding = TextureBinding(source, Layout.SHADER_READ_ONLY)
                bindings = backend.create_bindings(later, 0, {"source": binding}, f"pass {number}")
            rendering = self._rendering(target)
            barriers = self._barriers(source, target)
            self._passes.append(Pass(barriers, rendering, later if number else first, bindings))

    def frame(self) -> None:
        """Record all passes and submit them."""
        self._loop.next()
        self._loop.record(self._record)
        self._loop.submit()

    def resubmit(self) -> None:
        """Submit what was recorded before."""
        self._loop.next()
        self._loop.submit()

    def _record(self, buffer: CData) -> None:
        vk = self._loop.vk
        for one in self._passes:
            pipeline = one.pipeline
            vk.vkCmdPipelineBarrier2(buffer, one.barriers)
            vk.vkCmdBeginRendering(buffer, one.rendering)
            vk.vkCmdSetViewport(buffer, 0, 1, self._viewport)
            vk.vkCmdSetScissor(buffer, 0, 1, self._scissor)
            vk.vkCmdBindPipeline(buffer, pipeline.bind_point, pipeline.handle)
            if one.bindings is not None:
                layout, sets = pipeline.layout.handle, one.bindings.array
                vk.vkCmdBindDescriptorSets(buffer, pipeline.bind_point, layout, 0, 1, sets, 0, NULL)
            vk.vkCmdDraw(buffer, 3, 1, 0, 0)
            vk.vkCmdEndRendering(buffer)

    def finish(self) -> None:
        """Wait for the device."""
        self._loop.finish()

    def close(self) -> None:
        """Destroy everything that the backend does not."""
        self._loop.close()

    def _pipeline(self, shaders: Path, name: str) -> VulkanPipeline:
        requests = ShaderRequest(ShaderStage.VERTEX, "fullscreen.vert"), ShaderRequest(ShaderStage.FRAGMENT, name)
        modules = ShaderLibrary([shaders]).load(requests)
        found = tuple(module for module in modules.values() if isinstance(module, ShaderModule))
        return self._backend.create_pipeline(PipelineDesc(name, found, (FORMAT,)))

    def _rendering(self, target: VulkanTexture) -> CData:
        attachment = self._arena.new(
            "VkRenderingAttachmentInfo",
            imageView=target.target_view(),
            imageLayout=lib.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            loadOp=lib.VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            storeOp=lib.VK_ATTACHMENT_STORE_OP_STORE,
        )
        return self._arena.new(
            "VkRenderingInfo",
            renderArea={"extent": {"width": SIZE, "height": SIZE}},
            layerCount=1,
            colorAttachmentCount=1,
            pColorAttachments=attachment,
        )

    def _barriers(self, source: VulkanTexture | None, target: VulkanTexture) -> CData:
        """The source becomes readable; the target, which the last frame has sampled, is overwritten."""
        undefined, color, sampled = (
            lib.VK_IMAGE_LAYOUT_UNDEFINED,
            lib.VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
            lib.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        )
        both = {"stageMask": WRITTEN["stageMask"] | SAMPLED["stageMask"], "accessMask": WRITTEN["accessMask"]}
        barriers = [self._barrier(target, both, WRITTEN, undefined, color)]
        if source is not None:
            barriers.append(self._barrier(source, WRITTEN, SAMPLED, color, sampled))
        images = self._arena.array("VkImageMemoryBarrier2", barriers)
        return self._arena.new("VkDependencyInfo", imageMemoryBarrierCount=len(barriers), pImageMemoryBarriers=images)

    def _barrier(
        self, texture: VulkanTexture, before: dict[str, Any], after: dict[str, Any], old: int, new: int
    ) -> dict[str, Any]:
        return {
            "srcStageMask": before["stageMask"],
            "srcAccessMask": before["accessMask"],
            "dstStageMask": after["stageMask"],
            "dstAccessMask": after["accessMask"],
            "oldLayout": old,
            "newLayout": new,
            "image": texture.image,
            "subresourceRange": {"aspectMask": lib.VK_IMAGE_ASPECT_COLOR_BIT, "levelCount": 1, "layerCount": 1},
        }
