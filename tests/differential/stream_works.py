"""Records the works of a stream: dispatches, draws, copies, blits and clears that make the accesses it names."""

from __future__ import annotations

from collections.abc import Sequence

from stream_objects import SIDE, StreamObjects
from stream_shaders import Drawing, Pipeline, Pipelines, descriptor_type
from vulkan_judge import VulkanJudge

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.sync.oracle.names import ACCESSES, LAYOUTS, STAGES
from renderwright.render.sync.oracle.stream import Access, Attachment, BeginRendering, Buffer, Stream, Work

_READ, _WRITE = ACCESSES["SHADER_STORAGE_READ"], ACCESSES["SHADER_STORAGE_WRITE"]
_BINDINGS = 12
_LOADS = {"load": 0, "clear": 1, "dont_care": 2}
_STORES = {"store": 0, "dont_care": 1, "none": 1000301000}


class Works:
    """Records into command buffers; descriptor sets come from a pool for the whole stream."""

    def __init__(self, judge: VulkanJudge, pipelines: Pipelines, objects: StreamObjects, stream: Stream) -> None:
        self._judge, self._vk = judge, judge.vk
        self._pipelines, self._objects = pipelines, objects
        self._sampler = objects.sampler()
        self._arena = Arena()
        works = sum(isinstance(item, Work) for item in stream.items) + 1
        sizes = [{"type": kind, "descriptorCount": 3 * works} for kind in (1, 3, 6, 7)]
        info = self._arena.new(
            "VkDescriptorPoolCreateInfo",
            maxSets=works,
            poolSizeCount=len(sizes),
            pPoolSizes=self._arena.array("VkDescriptorPoolSize", sizes),
        )
        self._pool = objects.descriptors(info)
        self._attachments: Sequence[Attachment] = ()

    def work(self, buffer: CData, work: Work) -> None:
        """Record one work."""
        self._arena = Arena()
        if work.draws:
            self._draw(buffer, work)
        elif work.name == "copy":
            self._copy(buffer, work)
        elif work.name == "blit":
            self._blit(buffer, work)
        elif work.name == "clear":
            self._clear(buffer, work.accesses[0])
        else:
            self._dispatch(buffer, work)

    # shaders --------------------------------------------------------------------------------------------------------

    def _dispatch(self, buffer: CData, work: Work) -> None:
        bound = sorted(_at(work, "COMPUTE_SHADER"), key=self._order)
        pipeline = self._pipelines.compute(tuple(map(self._kind, bound)))
        self._bind(buffer, pipeline, bound, lib.VK_PIPELINE_BIND_POINT_COMPUTE)
        indirect = _at(work, "DRAW_INDIRECT")
        if indirect:
            offset, _ = self._objects.bytes(indirect[0].resource, indirect[0].range)
            self._vk.vkCmdDispatchIndirect(buffer, self._objects.buffers[indirect[0].resource], offset)
        else:
            self._vk.vkCmdDispatch(buffer, 1, 1, 1)

    def _draw(self, buffer: CData, work: Work) -> None:
        fragment = sorted(_at(work, "FRAGMENT_SHADER"), key=self._order)
        vertex = sorted(_at(work, "VERTEX_SHADER"), key=self._order)
        attributes = _at(work, "VERTEX_ATTRIBUTE_INPUT")
        drawing = Drawing(
            tuple(map(self._kind, fragment)),
            tuple(map(self._kind, vertex)),
            sum(one.aspect == "color" for one in self._attachments),
            work.depth if any(one.aspect == "depth" for one in self._attachments) else "",
            work.blends,
            bool(attributes),
        )
        self._bind(buffer, self._pipelines.graphics(drawing), [*fragment, *vertex], 0)
        arena, buffers = self._arena, self._objects.buffers
        for one in attributes:
            offset, _ = self._objects.bytes(one.resource, one.range)
            handle = arena.array("VkBuffer", [buffers[one.resource]])
            self._vk.vkCmdBindVertexBuffers(buffer, 0, 1, handle, arena.array("VkDeviceSize", [offset]))
        index, indirect = _at(work, "INDEX_INPUT"), _at(work, "DRAW_INDIRECT")
        if index:
            offset, _ = self._objects.bytes(index[0].resource, index[0].range)
            self._vk.vkCmdBindIndexBuffer(buffer, buffers[index[0].resource], offset, lib.VK_INDEX_TYPE_UINT32)
        if indirect:
            offset, _ = self._objects.bytes(indirect[0].resource, indirect[0].range)
            function = self._vk.vkCmdDrawIndexedIndirect if index else self._vk.vkCmdDrawIndirect
            function(buffer, buffers[indirect[0].resource], offset, 1, 0)
        elif index:
            self._vk.vkCmdDrawIndexed(buffer, 3, 1, 0, 0, 0)
        else:
            self._vk.vkCmdDraw(buffer, 3, 1, 0, 0)

    def _kind(self, access: Access) -> str:
        if access.access & ACCESSES["UNIFORM_READ"]:
            return "uniform"
        if access.access & ACCESSES["SHADER_SAMPLED_READ"]:
            return "sampled"
        how = "r" * bool(access.access & _READ) + "w" * bool(access.access & _WRITE)
        return f"{'buffer' if access.resource in self._objects.buffers else 'image'} {how}"

    def _order(self, access: Access) -> int:
        return ("uniform", "buffer r", "buffer w", "buffer rw", "image r", "image w", "image rw", "sampled").index(
            self._kind(access)
        )

    def _bind(self, buffer: CData, pipeline: Pipeline, bound: Sequence[Access], point: int) -> None:
        arena, vk = self._arena, self._vk
        vk.vkCmdBindPipeline(buffer, point, pipeline.handle)
        layouts = arena.array("VkDescriptorSetLayout", [pipeline.set_layout])
        info = arena.new(
            "VkDescriptorSetAllocateInfo", descriptorPool=self._pool, descriptorSetCount=1, pSetLayouts=layouts
        )
        out = arena.out("VkDescriptorSet")
        assert vk.vkAllocateDescriptorSets(self._judge.handle, info, out) == 0
        writes = [self._write(out[0], number, one) for number, one in enumerate(bound)]
        vk.vkUpdateDescriptorSets(self._judge.handle, len(writes), arena.array("VkWriteDescriptorSet", writes), 0, NULL)
        vk.vkCmdBindDescriptorSets(buffer, point, pipeline.layout, 0, 1, out, 0, NULL)

    def _write(self, target: CData, number: int, access: Access) -> CData:
        arena, kind = self._arena, self._kind(access)
        what: dict[str, CData] = {}
        if access.resource in self._objects.buffers:
            offset, size = self._objects.bytes(access.resource, access.range)
            handle = self._objects.buffers[access.resource]
            what["pBufferInfo"] = arena.new("VkDescriptorBufferInfo", buffer=handle, offset=offset, range=size)
        else:
            what["pImageInfo"] = arena.new(
                "VkDescriptorImageInfo",
                sampler=self._sampler if kind == "sampled" else NULL,
                imageView=self._objects.view(access.resource, access.range),
                imageLayout=LAYOUTS[access.layout],
            )
        return arena.new(
            "VkWriteDescriptorSet",
            dstSet=target,
            dstBinding=number,
            descriptorCount=1,
            descriptorType=descriptor_type(kind),
            **what,
        )

    # rendering ------------------------------------------------------------------------------------------------------

    def begin_rendering(self, buffer: CData, item: BeginRendering) -> None:
        """Begin to render to the attachments."""
        arena = self._arena = Arena()
        self._attachments = item.attachments
        colors = [self._attachment(one) for one in item.attachments if one.aspect == "color"]
        depths = [self._attachment(one) for one in item.attachments if one.aspect == "depth"]
        sides = [self._side(one) for one in item.attachments]
        counts = [self._objects.layers(one.resource, one.range)["layerCount"] for one in item.attachments]
        area = {"extent": {"width": min(sides), "height": min(sides)}}
        info = arena.new(
            "VkRenderingInfo",
            renderArea=area,
            layerCount=min(counts),
            colorAttachmentCount=len(colors),
            pColorAttachments=arena.array("VkRenderingAttachmentInfo", colors),
            pDepthAttachment=depths[0] if depths else NULL,
        )
        self._vk.vkCmdBeginRendering(buffer, info)

    def end_rendering(self, buffer: CData) -> None:
        """End it."""
        self._vk.vkCmdEndRendering(buffer)

    def _attachment(self, one: Attachment) -> CData:
        return self._arena.new(
            "VkRenderingAttachmentInfo",
            imageView=self._objects.view(one.resource, one.range),
            imageLayout=LAYOUTS[one.layout],
            loadOp=_LOADS[one.load],
            storeOp=_STORES[one.store],
        )

    def _side(self, one: Attachment | Access) -> int:
        return max(1, SIDE >> self._objects.layers(one.resource, one.range)["mipLevel"])

    # transfers ------------------------------------------------------------------------------------------------------

    def _copy(self, buffer: CData, work: Work) -> None:
        source, target = _ends(work)
        objects, arena = self._objects, self._arena
        ends = [isinstance(objects.item(one.resource), Buffer) for one in (source, target)]
        if all(ends):
            (start, size), (at, room) = (objects.bytes(one.resource, one.range) for one in (source, target))
            region = arena.new("VkBufferCopy", srcOffset=start, dstOffset=at, size=min(size, room))
            handles = objects.buffers[source.resource], objects.buffers[target.resource]
            self._vk.vkCmdCopyBuffer(buffer, *handles, 1, region)
        elif not any(ends):
            side = self._side(source)
            region = arena.new(
                "VkImageCopy",
                srcSubresource=objects.layers(source.resource, source.range),
                dstSubresource=objects.layers(target.resource, target.range),
                extent={"width": side, "height": side, "depth": 1},
            )
            self._vk.vkCmdCopyImage(buffer, *self._image(source), *self._image(target), 1, region)
        else:
            image, other = (target, source) if ends[0] else (source, target)
            side = self._side(image)
            region = arena.new(
                "VkBufferImageCopy",
                bufferOffset=objects.bytes(other.resource, other.range)[0],
                imageSubresource=objects.layers(image.resource, image.range),
                imageExtent={"width": side, "height": side, "depth": 1},
            )
            handle = objects.buffers[other.resource]
            if ends[0]:
                self._vk.vkCmdCopyBufferToImage(buffer, handle, *self._image(image), 1, region)
            else:
                self._vk.vkCmdCopyImageToBuffer(buffer, *self._image(image), handle, 1, region)

    def _blit(self, buffer: CData, work: Work) -> None:
        source, target = _ends(work)
        regions = self._arena.new(
            "VkImageBlit",
            srcSubresource=self._objects.layers(source.resource, source.range),
            dstSubresource=self._objects.layers(target.resource, target.range),
        )
        for offsets, one in ((regions.srcOffsets, source), (regions.dstOffsets, target)):
            offsets[1].x = offsets[1].y = self._side(one)
            offsets[1].z = 1
        self._vk.vkCmdBlitImage(buffer, *self._image(source), *self._image(target), 1, regions, 0)

    def _clear(self, buffer: CData, access: Access) -> None:
        objects, arena = self._objects, self._arena
        if access.resource in objects.buffers:
            offset, size = objects.bytes(access.resource, access.range)
            self._vk.vkCmdFillBuffer(buffer, objects.buffers[access.resource], offset, size, 0)
            return
        part = arena.new("VkImageSubresourceRange", **objects.subresources(access.resource, access.range))
        depth = objects.is_depth(access.resource)
        value = arena.new("VkClearDepthStencilValue" if depth else "VkClearColorValue")
        function = self._vk.vkCmdClearDepthStencilImage if depth else self._vk.vkCmdClearColorImage
        function(buffer, *self._image(access), value, 1, part)

    def _image(self, access: Access) -> tuple[CData, int]:
        return self._objects.images[access.resource], LAYOUTS[access.layout]


def _at(work: Work, stage: str) -> list[Access]:
    return [one for one in work.accesses if one.stages & STAGES[stage]]


def _ends(work: Work) -> tuple[Access, Access]:
    """What a transfer reads and what it writes."""
    read = next(one for one in work.accesses if one.access & ACCESSES["TRANSFER_READ"])
    written = next(one for one in work.accesses if one.access & ACCESSES["TRANSFER_WRITE"])
    return read, written
