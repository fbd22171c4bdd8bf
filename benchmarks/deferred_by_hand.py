"""The frame of ``benchmarks/deferred_frame.py`` written by hand for one queue.

Each texture has memory of its own, the antialiasing's result two in turn. Barriers are placed by hand: one call before
a pass has all that the pass needs, and one layout serves depth tests and sampling. There is a command buffer for even
and one for odd frames, recorded once and submitted again. Shaders, pipelines and descriptor sets are the graph's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.by_hand import SubmitLoop
from benchmarks.deferred_frame import (
    BLACK,
    BOX_VERTICES,
    DEPTH,
    GLSL,
    HISTORY,
    PASSES,
    RESULT,
    BoxPass,
    Load,
    ScreenPass,
    sampling,
    textures,
)
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, AttachedTexture, PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.barriers import dependency, image_barrier
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline
from renderwright.render.backend.vulkan.rendering import rendering_info
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.shaders.fullscreen import GROUP_SIZE
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.attachments import Attachment, Store
from renderwright.render.types.attachments import Load as LoadOp
from renderwright.render.types.fullscreen import Fullscreen, output_name
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import ShaderStage, Usage

_TESTS = Stage.EARLY_FRAGMENT_TESTS | Stage.LATE_FRAGMENT_TESTS


class Use(Enum):
    """What passes do with a texture: draw to it, write depth, fill it full screen, sample it, or test and sample it."""

    DRAWN = auto()
    DEPTH = auto()
    FILLED = auto()
    SAMPLED = auto()
    TESTED = auto()


@dataclass(frozen=True)
class Change:
    """From one use of a texture to the next; ``discards`` its contents, which are of the last frame."""

    texture: str
    before: Use
    after: Use
    discards: bool = False


def _ready(before: Use, *names: str, after: Use = Use.SAMPLED) -> tuple[Change, ...]:
    """What was written is read."""
    return tuple(Change(name, before, after) for name in names)


def _over(after: Use, *names: str, before: Use = Use.SAMPLED) -> tuple[Change, ...]:
    """What the last frame has used is overwritten."""
    return tuple(Change(name, before, after, discards=True) for name in names)


GBUFFER = ("albedo", "direction", "material", "motion")
# The shadow maps become readable as late as possible, so that they are drawn beside what comes in between.
BARRIERS: dict[str, tuple[Change, ...]] = {
    "depth": _over(Use.DEPTH, "depth", before=Use.TESTED),
    "gbuffer": _ready(Use.DEPTH, "depth", after=Use.TESTED) + _over(Use.DRAWN, *GBUFFER),
    "near shadow": _over(Use.DEPTH, "near shadow", "far shadow"),
    "far shadow": (),
    "occlusion": _ready(Use.DRAWN, *GBUFFER) + _over(Use.FILLED, "found"),
    "blur across": _ready(Use.FILLED, "found") + _over(Use.FILLED, "half blurred"),
    "blur along": _ready(Use.FILLED, "half blurred") + _over(Use.FILLED, "occlusion"),
    "lighting": _ready(Use.DEPTH, "near shadow", "far shadow")
    + _ready(Use.FILLED, "occlusion")
    + _over(Use.FILLED, "lit"),
    "fog": _ready(Use.FILLED, "lit") + _over(Use.FILLED, "foggy"),
    "antialiasing": _ready(Use.FILLED, "foggy") + _over(Use.FILLED, HISTORY),
    "motion blur": _ready(Use.FILLED, HISTORY) + _over(Use.FILLED, "moving"),
    "down 1": _ready(Use.FILLED, "moving") + _over(Use.FILLED, "down 1"),
    "down 2": _ready(Use.FILLED, "down 1") + _over(Use.FILLED, "down 2"),
    "down 3": _ready(Use.FILLED, "down 2") + _over(Use.FILLED, "down 3"),
    "down 4": _ready(Use.FILLED, "down 3") + _over(Use.FILLED, "down 4"),
    "up 3": _ready(Use.FILLED, "down 4") + _over(Use.FILLED, "up 3"),
    "up 2": _ready(Use.FILLED, "up 3") + _over(Use.FILLED, "up 2"),
    "up 1": _ready(Use.FILLED, "up 2") + _over(Use.FILLED, "up 1"),
    "tonemap": _ready(Use.FILLED, "up 1") + _over(Use.FILLED, "shown"),
    "sharpen": _ready(Use.FILLED, "shown") + _over(Use.FILLED, RESULT, before=Use.FILLED),
}

Scope = tuple[Stage, Access, Layout]


def _scopes(*, compute: bool) -> dict[Use, Scope]:
    """Stages, accesses and layout of each use."""
    drawn = Stage.COLOR_ATTACHMENT_OUTPUT, Access.COLOR_ATTACHMENT_WRITE, Layout.COLOR_ATTACHMENT
    stored = Stage.COMPUTE_SHADER, Access.SHADER_STORAGE_WRITE, Layout.GENERAL
    screen = Stage.COMPUTE_SHADER if compute else Stage.FRAGMENT_SHADER
    reads, writes = Access.DEPTH_STENCIL_ATTACHMENT_READ, Access.DEPTH_STENCIL_ATTACHMENT_WRITE
    return {
        Use.DRAWN: drawn,
        Use.DEPTH: (_TESTS, reads | writes, Layout.DEPTH_ATTACHMENT),
        Use.FILLED: stored if compute else drawn,
        Use.SAMPLED: (screen, Access.SHADER_SAMPLED_READ, Layout.SHADER_READ_ONLY),
        Use.TESTED: (_TESTS | screen, reads | Access.SHADER_SAMPLED_READ, Layout.DEPTH_READ_ONLY),
    }


class DeferredByHand:
    """The frame with full-screen passes as fragment or as compute shaders. ``memory`` is in bytes."""

    def __init__(self, backend: VulkanBackend, load: Load, way: Fullscreen) -> None:
        self.memory = 0
        self._backend, self._load = backend, load
        self._compute = way is Fullscreen.COMPUTE
        self._scopes = _scopes(compute=self._compute)
        self._arena, self._loop = Arena(), SubmitLoop(backend)
        self._library = ShaderLibrary([GLSL])
        self._descriptions = textures(load)
        self._made: list[Any] = []
        self._textures = {name: self._texture(name, name) for name in self._descriptions}
        self._history = [self._textures[HISTORY], self._texture(HISTORY, f"{HISTORY}, odd frames")]
        self._pipelines = {one.name: self._pipeline(one) for one in PASSES}
        self._open_queries()
        self._recorded: set[int] = set()
        self._loop.next()
        self._loop.record(self._clear_history)
        self._loop.submit()
        self._loop.finish()

    @property
    def barriers(self) -> int:
        """The barriers of a frame."""
        return sum(len(changes) for changes in BARRIERS.values())

    @property
    def calls(self) -> int:
        """The commands that issue them."""
        return sum(bool(changes) for changes in BARRIERS.values())

    def frame(self) -> float:
        """Submit a frame and wait for it; returns its seconds on the GPU."""
        self._loop.next()
        if self._loop.turn not in self._recorded:
            self._recorded.add(self._loop.turn)
            self._loop.record(self._record_frame)
        self._loop.submit()
        self._loop.finish()
        times = ffi.new("uint64_t[]", 2)
        self._loop.vk.vkGetQueryPoolResults(
            self._loop.device, self._queries, 2 * self._loop.turn, 2, 16, times, 8, lib.VK_QUERY_RESULT_64_BIT
        )
        return float((times[1] - times[0]) * self._period * 1e-9)

    def picture(self) -> NDArray[np.generic]:
        """The result of the last frame."""
        return self._backend.read_texture(self._textures[RESULT], self._scopes[Use.FILLED][2])

    def close(self) -> None:
        """Wait for the device, and destroy everything."""
        self._loop.vk.vkDeviceWaitIdle(self._loop.device)
        self._loop.vk.vkDestroyQueryPool(self._loop.device, self._queries, NULL)
        self._loop.close()
        for made in reversed(self._made):
            self._backend.destroy(made)

    # what is made once ----------------------------------------------------------------------------------------------

    def _texture(self, name: str, title: str) -> VulkanTexture:
        description = self._descriptions[name]
        assert isinstance(description.size, tuple)
        info = TextureInfo(description.format, description.size, 1, 1, 1, self._usages(name))
        needs = self._backend.texture_needs(info)
        heap = self._backend.create_heap(needs.memory_class, needs.size, f"memory of {title}")
        texture = self._backend.place_texture(heap, 0, info, title)
        self._made += [heap, texture]
        self.memory += needs.size
        return texture

    def _usages(self, name: str) -> frozenset[Usage]:
        if self._descriptions[name].format == DEPTH:
            return frozenset({Usage.DEPTH, Usage.SAMPLED})
        stored = self._compute and name not in GBUFFER
        return frozenset({Usage.STORAGE_WRITE if stored else Usage.COLOR, Usage.SAMPLED})

    def _pipeline(self, one: BoxPass | ScreenPass) -> VulkanPipeline:
        found = self._library.load(self._shaders(one)).values()
        modules = tuple(module for module in found if isinstance(module, ShaderModule))
        made = self._backend.create_pipeline(self._described(one, modules))
        self._made.append(made)
        return made

    def _shaders(self, one: BoxPass | ScreenPass) -> list[ShaderRequest]:
        vertex, fragment, compute = ShaderStage.VERTEX, ShaderStage.FRAGMENT, ShaderStage.COMPUTE
        if isinstance(one, BoxPass):
            constants = _constants(one.defines(self._load))
            shaders = [ShaderRequest(vertex, "boxes.vert", defines=constants)]
            if one.fragment:
                shaders.append(ShaderRequest(fragment, one.fragment, defines=constants))
            return shaders
        constants = _constants(one.defines)
        if self._compute:
            return [ShaderRequest(compute, one.fragment, defines=constants, fullscreen=True)]
        drawn = ShaderRequest(fragment, one.fragment, defines=constants, fullscreen=True)
        return [ShaderRequest(vertex, "fullscreen.vert", defines=constants), drawn]

    def _described(self, one: BoxPass | ScreenPass, modules: tuple[ShaderModule, ...]) -> PipelineDesc:
        if isinstance(one, BoxPass):
            colors = tuple(self._descriptions[target].format for target in one.targets)
            return PipelineDesc(one.name, modules, colors, DEPTH, state=tuple(sorted(one.state.items())))
        colors = () if self._compute else (self._descriptions[one.target].format,)
        return PipelineDesc(one.name, modules, colors)

    def _open_queries(self) -> None:
        loop, arena = self._loop, self._arena
        physical = ffi.cast("VkPhysicalDevice", self._backend.native.physical)
        properties = arena.new("VkPhysicalDeviceProperties")
        loop.vk.vkGetPhysicalDeviceProperties(physical, properties)
        self._period = float(properties.limits.timestampPeriod)
        count = 2 * FRAMES_IN_FLIGHT
        info = arena.new("VkQueryPoolCreateInfo", queryType=lib.VK_QUERY_TYPE_TIMESTAMP, queryCount=count)
        pool = arena.out("VkQueryPool")
        loop.vk.vkCreateQueryPool(loop.device, info, NULL, pool)
        self._queries = pool[0]

    # commands -------------------------------------------------------------------------------------------------------

    def _clear_history(self, buffer: CData) -> None:
        vk, black = self._loop.vk, self._arena.new("VkClearColorValue")
        cleared = Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST
        begin = Stage.NONE, Access.NONE, Layout.UNDEFINED
        color = lib.VK_IMAGE_ASPECT_COLOR_BIT
        texels = self._arena.new("VkImageSubresourceRange", aspectMask=color, levelCount=1, layerCount=1)
        for texture in self._history:
            self._barriers(buffer, [self._image_barrier(texture, begin, cleared)])
            vk.vkCmdClearColorImage(buffer, texture.image, int(Layout.TRANSFER_DST), black, 1, texels)
            self._barriers(buffer, [self._image_barrier(texture, cleared, self._scopes[Use.SAMPLED])])

    def _record_frame(self, buffer: CData) -> None:
        vk, end, first = self._loop.vk, int(Stage.ALL_COMMANDS), 2 * self._loop.turn
        self._textures[HISTORY] = self._history[self._loop.turn]
        vk.vkCmdResetQueryPool(buffer, self._queries, first, 2)
        vk.vkCmdWriteTimestamp2(buffer, end, self._queries, first)
        for one in PASSES:
            changes = BARRIERS[one.name]
            if changes:
                self._barriers(buffer, [self._change(change) for change in changes])
            if isinstance(one, BoxPass):
                self._draw_boxes(buffer, one)
            else:
                self._fill(buffer, one)
        vk.vkCmdWriteTimestamp2(buffer, end, self._queries, first + 1)

    def _change(self, change: Change) -> CData:
        stages, accesses, layout = self._scopes[change.before]
        if change.before in (Use.SAMPLED, Use.TESTED):
            accesses = Access.NONE  # reads have nothing to make available
        source = stages, accesses, Layout.UNDEFINED if change.discards else layout
        return self._image_barrier(self._textures[change.texture], source, self._scopes[change.after])

    def _image_barrier(self, texture: VulkanTexture, source: Scope, target: Scope) -> CData:
        return image_barrier(self._arena, texture.image, texture.info, source, target)

    def _barriers(self, buffer: CData, images: list[CData]) -> None:
        self._loop.vk.vkCmdPipelineBarrier2(buffer, dependency(self._arena, images))

    def _draw_boxes(self, buffer: CData, one: BoxPass) -> None:
        attachments = [self._attached(target, Usage.COLOR, LoadOp.CLEAR) for target in one.targets]
        if one.writes_depth:
            attachments.append(self._attached(one.depth, Usage.DEPTH, LoadOp.CLEAR))
        else:
            attachments.append(self._attached(one.depth, Usage.DEPTH_READ, LoadOp.LOAD))
        self._begin_rendering(buffer, attachments)
        self._bind(buffer, one)
        self._loop.vk.vkCmdDraw(buffer, BOX_VERTICES, self._load.all_boxes, 0, 0)
        self._loop.vk.vkCmdEndRendering(buffer)

    def _fill(self, buffer: CData, one: ScreenPass) -> None:
        vk = self._loop.vk
        if self._compute:
            self._bind(buffer, one)
            width, height = self._textures[one.target].info.extent
            vk.vkCmdDispatch(buffer, -(-width // GROUP_SIZE), -(-height // GROUP_SIZE), 1)
            return
        self._begin_rendering(buffer, [self._attached(one.target, Usage.COLOR, LoadOp.DISCARD)])
        self._bind(buffer, one)
        vk.vkCmdDraw(buffer, 3, 1, 0, 0)
        vk.vkCmdEndRendering(buffer)

    def _bind(self, buffer: CData, one: BoxPass | ScreenPass) -> None:
        vk, pipeline = self._loop.vk, self._pipelines[one.name]
        vk.vkCmdBindPipeline(buffer, pipeline.bind_point, pipeline.handle)
        if isinstance(one, ScreenPass):
            bindings = self._backend.create_bindings(pipeline, 0, self._bound(one), one.name)
            self._made.append(bindings)
            layout = pipeline.layout.handle
            vk.vkCmdBindDescriptorSets(buffer, pipeline.bind_point, layout, 0, 1, bindings.array, 0, NULL)

    def _bound(self, one: ScreenPass) -> dict[str, TextureBinding]:
        found = {}
        for binding, source in one.sources.items():
            layout = self._scopes[Use.TESTED if source == "depth" else Use.SAMPLED][2]
            found[binding] = TextureBinding(self._textures[source], layout, sampling(self._descriptions[source]))
        if one.before:
            last = self._history[(self._loop.turn + 1) % FRAMES_IN_FLIGHT]
            found[one.before] = TextureBinding(last, Layout.SHADER_READ_ONLY)
        if self._compute:
            found[output_name(0)] = TextureBinding(self._textures[one.target], Layout.GENERAL)
        return found

    def _attached(self, name: str, usage: Usage, load: LoadOp) -> AttachedTexture:
        use = {Usage.COLOR: Use.DRAWN, Usage.DEPTH: Use.DEPTH, Usage.DEPTH_READ: Use.TESTED}[usage]
        attachment = Attachment(name, usage, load, Store.STORE, BLACK)
        return AttachedTexture(attachment, self._textures[name], self._scopes[use][2])

    def _begin_rendering(self, buffer: CData, attachments: list[AttachedTexture]) -> None:
        vk, arena, extent = self._loop.vk, self._arena, attachments[0].texture.info.extent
        vk.vkCmdBeginRendering(buffer, rendering_info(arena, attachments, extent))
        vk.vkCmdSetViewport(buffer, 0, 1, _viewport(arena, extent))
        size = {"width": extent[0], "height": extent[1]}
        vk.vkCmdSetScissor(buffer, 0, 1, arena.new("VkRect2D", extent=size))


def _constants(defines: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in defines.items()))


def _viewport(arena: Arena, extent: Extent) -> CData:
    """Clip-space Y points up in it."""
    width, height = extent
    return arena.new("VkViewport", y=height, width=width, height=-height, maxDepth=1.0)
