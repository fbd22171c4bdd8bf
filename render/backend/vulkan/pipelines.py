"""Graphics and compute pipelines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from renderwright.render.backend.fixed_state import FixedState, fixed_state
from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.fixed_state import BLENDS, CHANNELS, COMPARES, CULLS, TOPOLOGIES, vertex_format
from renderwright.render.backend.vulkan.layouts import STAGE_BITS, PipelineLayout
from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named
from renderwright.render.types.usages import ShaderStage
from renderwright.render.types.views import view_mask


@dataclass(frozen=True, eq=False)
class VulkanPipeline:
    """A VkPipeline with its layout."""

    ready: ClassVar[bool] = True

    desc: PipelineDesc
    device: Device
    handle: CData
    bind_point: int
    layout: PipelineLayout

    def release(self) -> None:
        """Destroy the pipeline and its layout."""
        self.device.dispatch.vkDestroyPipeline(self.device.handle, self.handle, NULL)
        self.layout.release()


def create_pipeline(device: Device, desc: PipelineDesc, cache: CData) -> VulkanPipeline:
    """Compile a pipeline: compute if its only module is a compute shader, else graphics.

    ``cache`` is the VkPipelineCache.
    """
    compute = any(module.stage is ShaderStage.COMPUTE for module in desc.modules)
    if compute and len(desc.modules) > 1:
        raise BackendError(f'pipeline "{desc.name}" mixes a compute shader with others')
    # Read the state before creating objects, so that its errors leak none.
    state = None if compute else fixed_state(desc)
    layout = PipelineLayout(device, desc.modules, desc.name)
    try:
        with _stages(device, desc) as (arena, stages):
            if state is None:
                handle = _compute(device, desc, layout, cache, arena, stages)
            else:
                handle = _graphics(device, desc, layout, state, cache, arena, stages)
    except BaseException:
        layout.release()
        raise
    device.name(lib.VK_OBJECT_TYPE_PIPELINE, handle, desc.name)
    point = lib.VK_PIPELINE_BIND_POINT_COMPUTE if compute else lib.VK_PIPELINE_BIND_POINT_GRAPHICS
    return VulkanPipeline(desc, device, handle, point, layout)


@contextmanager
def _stages(device: Device, desc: PipelineDesc) -> Iterator[tuple[Arena, CData]]:
    """The shader stages of a pipeline; their VkShaderModules live as long as the context."""
    arena = Arena()
    made: list[CData] = []
    try:
        stages = []
        for module in desc.modules:
            code = arena.data(module.spirv)
            info = arena.new("VkShaderModuleCreateInfo", codeSize=len(module.spirv), pCode=ffi.cast("uint32_t*", code))
            handle = arena.out("VkShaderModule")
            result = device.dispatch.vkCreateShaderModule(device.handle, info, NULL, handle)
            check(result, f"load the shader {module.file} of {desc.name!r}")
            made.append(handle[0])
            device.name(lib.VK_OBJECT_TYPE_SHADER_MODULE, handle[0], module.file)
            stages.append({"stage": STAGE_BITS[module.stage], "module": handle[0], "pName": "main"})
        yield arena, arena.array("VkPipelineShaderStageCreateInfo", stages)
    finally:
        for handle in made:
            device.dispatch.vkDestroyShaderModule(device.handle, handle, NULL)


def _compute(
    device: Device, desc: PipelineDesc, layout: PipelineLayout, cache: CData, arena: Arena, stages: CData
) -> CData:
    info = arena.new("VkComputePipelineCreateInfo", stage=stages[0], layout=layout.handle)
    pipeline = arena.out("VkPipeline")
    check(
        device.dispatch.vkCreateComputePipelines(device.handle, cache, 1, info, NULL, pipeline),
        f"create the pipeline {desc.name!r}",
    )
    return pipeline[0]


def _graphics(
    device: Device,
    desc: PipelineDesc,
    layout: PipelineLayout,
    state: FixedState,
    cache: CData,
    arena: Arena,
    stages: CData,
) -> CData:
    if state.depth_clamp and "depthClamp" not in device.features:
        raise BackendError(f'pipeline "{desc.name}": {device.physical.name} has no depth clamp')
    if desc.views > device.views:
        raise BackendError(
            f'pipeline "{desc.name}" draws {desc.views} views at once, and {device.physical.name} draws {device.views}'
        )
    dynamic = [lib.VK_DYNAMIC_STATE_VIEWPORT, lib.VK_DYNAMIC_STATE_SCISSOR]
    info = arena.new(
        "VkGraphicsPipelineCreateInfo",
        pNext=_rendering(desc, arena),
        stageCount=len(desc.modules),
        pStages=stages,
        pVertexInputState=_vertex_input(state, arena),
        pInputAssemblyState=arena.new("VkPipelineInputAssemblyStateCreateInfo", topology=TOPOLOGIES[state.topology]),
        pViewportState=arena.new("VkPipelineViewportStateCreateInfo", viewportCount=1, scissorCount=1),
        pRasterizationState=_rasterization(state, arena),
        pMultisampleState=arena.new("VkPipelineMultisampleStateCreateInfo", rasterizationSamples=desc.samples),
        pDepthStencilState=arena.new(
            "VkPipelineDepthStencilStateCreateInfo",
            depthTestEnable=int(state.depth_test),
            depthWriteEnable=int(state.depth_write),
            depthCompareOp=COMPARES[state.depth_compare],
        ),
        pColorBlendState=_blending(state, len(desc.color_formats), arena),
        pDynamicState=arena.new(
            "VkPipelineDynamicStateCreateInfo",
            dynamicStateCount=len(dynamic),
            pDynamicStates=arena.array("VkDynamicState", dynamic),
        ),
        layout=layout.handle,
    )
    pipeline = arena.out("VkPipeline")
    check(
        device.dispatch.vkCreateGraphicsPipelines(device.handle, cache, 1, info, NULL, pipeline),
        f"create the pipeline {desc.name!r}",
    )
    return pipeline[0]


def _rendering(desc: PipelineDesc, arena: Arena) -> CData:
    colors = [format_named(name).vk for name in desc.color_formats]
    depth = format_named(desc.depth_format) if desc.depth_format else None
    if depth is not None and depth.aspect is Aspect.COLOR:
        raise BackendError(f'pipeline "{desc.name}": "{desc.depth_format}" is not a depth format')
    return arena.new(
        "VkPipelineRenderingCreateInfo",
        viewMask=view_mask(desc.views),
        colorAttachmentCount=len(colors),
        pColorAttachmentFormats=arena.array("VkFormat", colors),
        depthAttachmentFormat=depth.vk if depth is not None else lib.VK_FORMAT_UNDEFINED,
    )


def _vertex_input(state: FixedState, arena: Arena) -> CData:
    attributes = [
        {"location": item.location, "format": vertex_format(item.format), "offset": item.offset}
        for item in state.attributes
    ]
    buffers = [{"stride": state.stride}] if attributes else []
    return arena.new(
        "VkPipelineVertexInputStateCreateInfo",
        vertexBindingDescriptionCount=len(buffers),
        pVertexBindingDescriptions=arena.array("VkVertexInputBindingDescription", buffers),
        vertexAttributeDescriptionCount=len(attributes),
        pVertexAttributeDescriptions=arena.array("VkVertexInputAttributeDescription", attributes),
    )


def _rasterization(state: FixedState, arena: Arena) -> CData:
    # The flipped viewport keeps triangles that are counter-clockwise with Y up counter-clockwise on the screen.
    constant, slope = state.depth_bias or (0.0, 0.0)
    return arena.new(
        "VkPipelineRasterizationStateCreateInfo",
        depthClampEnable=int(state.depth_clamp),
        polygonMode=lib.VK_POLYGON_MODE_FILL,
        cullMode=CULLS[state.cull],
        frontFace=lib.VK_FRONT_FACE_COUNTER_CLOCKWISE,
        depthBiasEnable=int(state.depth_bias is not None),
        depthBiasConstantFactor=constant,
        depthBiasSlopeFactor=slope,
        lineWidth=1.0,
    )


def _blending(state: FixedState, count: int, arena: Arena) -> CData:
    fields: dict[str, int] = {"colorWriteMask": sum(CHANNELS[channel] for channel in set(state.color_write))}
    blend = BLENDS[state.blend]
    if blend is not None:
        source, target, source_alpha, target_alpha = blend
        fields |= {
            "blendEnable": 1,
            "srcColorBlendFactor": source,
            "dstColorBlendFactor": target,
            "srcAlphaBlendFactor": source_alpha,
            "dstAlphaBlendFactor": target_alpha,
        }
    return arena.new(
        "VkPipelineColorBlendStateCreateInfo",
        attachmentCount=count,
        pAttachments=arena.array("VkPipelineColorBlendAttachmentState", [fields] * count),
    )
