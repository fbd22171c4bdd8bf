"""Shaders and pipelines whose accesses are those of a stream. Whatever they write is 0, so that no byte is ever
anything else: counts of indirect commands stay harmless."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

from patience import PATIENCE
from vulkan_judge import VulkanJudge

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.shaders.glslc import find_glslc
from renderwright.render.types.usages import ShaderStage

KINDS = ("uniform", "buffer r", "buffer w", "buffer rw", "image r", "image w", "image rw", "sampled")
_TYPES = {"uniform": 6, "buffer": 7, "image": 3, "sampled": 1}
COLOR_FORMAT, DEPTH_FORMAT = 37, 126  # R8G8B8A8_UNORM, D32_SFLOAT


@dataclass(frozen=True)
class Drawing:
    """What a graphics pipeline needs to know. ``depth`` is write, read, none, or '' without a depth attachment."""

    fragment: tuple[str, ...] = ()
    vertex: tuple[str, ...] = ()
    colors: int = 0
    depth: str = ""
    blends: bool = False
    attributes: bool = False


@dataclass(frozen=True)
class Pipeline:
    """A pipeline with its layout and the layout of its one descriptor set."""

    handle: CData
    layout: CData
    set_layout: CData


def descriptor_type(kind: str) -> int:
    """The VkDescriptorType of a kind of binding."""
    return _TYPES[kind.split()[0]]


class Pipelines:
    """All pipelines, made when they are first asked for and kept."""

    def __init__(self, judge: VulkanJudge) -> None:
        self._judge = judge
        self._modules: dict[tuple[ShaderStage, tuple[str, ...], int, int], CData] = {}
        self._made: dict[tuple[str, ...] | Drawing, Pipeline] = {}
        self._compile()

    def compute(self, kinds: tuple[str, ...]) -> Pipeline:
        """A compute pipeline with these bindings from number 0 on."""
        if kinds not in self._made:
            set_layout, layout = self._layouts(kinds, lib.VK_SHADER_STAGE_COMPUTE_BIT)
            arena = Arena()
            stage = self._stage(lib.VK_SHADER_STAGE_COMPUTE_BIT, self._modules[ShaderStage.COMPUTE, kinds, 0, 0], arena)
            info = arena.new("VkComputePipelineCreateInfo", stage=stage[0], layout=layout)
            out = arena.out("VkPipeline")
            result = self._judge.vk.vkCreateComputePipelines(self._judge.handle, NULL, 1, info, NULL, out)
            check(result, "create a compute pipeline")
            self._made[kinds] = Pipeline(out[0], layout, set_layout)
        return self._made[kinds]

    def graphics(self, drawing: Drawing) -> Pipeline:
        """A graphics pipeline: the fragment shader's bindings from 0 on, the vertex shader's after them."""
        if drawing not in self._made:
            self._made[drawing] = self._graphics(drawing)
        return self._made[drawing]

    def close(self) -> None:
        vk, handle = self._judge.vk, self._judge.handle
        for made in self._made.values():
            vk.vkDestroyPipeline(handle, made.handle, NULL)
            vk.vkDestroyPipelineLayout(handle, made.layout, NULL)
            vk.vkDestroyDescriptorSetLayout(handle, made.set_layout, NULL)
        for module in self._modules.values():
            vk.vkDestroyShaderModule(handle, module, NULL)

    # shaders --------------------------------------------------------------------------------------------------------

    def _compile(self) -> None:
        keys = [(ShaderStage.COMPUTE, kinds, 0, 0) for count in (0, 1, 2) for kinds in _some(count)]
        for kinds in _some(0) + _some(1):
            keys += [(ShaderStage.FRAGMENT, kinds, 0, colors) for colors in (0, 1, 2)]
            keys += [(ShaderStage.VERTEX, kinds, first, more) for first in (0, 1) for more in (0, 1)]
        texts = [(stage, _text(stage, *rest)) for stage, *rest in keys]
        for key, spirv in zip(keys, _spirv(texts), strict=True):
            arena = Arena()
            code = arena.data(spirv)
            info = arena.new("VkShaderModuleCreateInfo", codeSize=len(spirv), pCode=ffi.cast("uint32_t*", code))
            out = arena.out("VkShaderModule")
            check(self._judge.vk.vkCreateShaderModule(self._judge.handle, info, NULL, out), "load a shader")
            self._modules[key] = out[0]

    def _layouts(self, kinds: tuple[str, ...], stages: int) -> tuple[CData, CData]:
        arena, vk, handle = Arena(), self._judge.vk, self._judge.handle
        bindings = [
            {"binding": number, "descriptorType": descriptor_type(kind), "descriptorCount": 1, "stageFlags": stages}
            for number, kind in enumerate(kinds)
        ]
        info = arena.new(
            "VkDescriptorSetLayoutCreateInfo",
            bindingCount=len(bindings),
            pBindings=arena.array("VkDescriptorSetLayoutBinding", bindings),
        )
        set_layout = arena.out("VkDescriptorSetLayout")
        check(vk.vkCreateDescriptorSetLayout(handle, info, NULL, set_layout), "create a set layout")
        more = arena.new("VkPipelineLayoutCreateInfo", setLayoutCount=1, pSetLayouts=set_layout)
        layout = arena.out("VkPipelineLayout")
        check(vk.vkCreatePipelineLayout(handle, more, NULL, layout), "create a pipeline layout")
        return set_layout[0], layout[0]

    def _stage(self, bit: int, module: CData, arena: Arena) -> CData:
        return arena.new("VkPipelineShaderStageCreateInfo", stage=bit, module=module, pName="main")

    def _graphics(self, drawing: Drawing) -> Pipeline:
        arena = Arena()
        both = lib.VK_SHADER_STAGE_VERTEX_BIT | lib.VK_SHADER_STAGE_FRAGMENT_BIT
        set_layout, layout = self._layouts(drawing.fragment + drawing.vertex, both)
        vertex = self._modules[ShaderStage.VERTEX, drawing.vertex, len(drawing.fragment), int(drawing.attributes)]
        fragment = self._modules[ShaderStage.FRAGMENT, drawing.fragment, 0, drawing.colors]
        stages = [
            self._stage(lib.VK_SHADER_STAGE_VERTEX_BIT, vertex, arena),
            self._stage(lib.VK_SHADER_STAGE_FRAGMENT_BIT, fragment, arena),
        ]
        inputs = {}
        if drawing.attributes:
            inputs = {
                "vertexBindingDescriptionCount": 1,
                "pVertexBindingDescriptions": arena.array("VkVertexInputBindingDescription", [{"stride": 16}]),
                "vertexAttributeDescriptionCount": 1,
                "pVertexAttributeDescriptions": arena.array(
                    "VkVertexInputAttributeDescription",
                    [{"format": 109}],  # R32G32B32A32_SFLOAT
                ),
            }
        blend = {"blendEnable": int(drawing.blends), "dstColorBlendFactor": 1, "colorWriteMask": 15}
        formats = arena.array("VkFormat", [COLOR_FORMAT] * drawing.colors)
        info = arena.new(
            "VkGraphicsPipelineCreateInfo",
            pNext=arena.new(
                "VkPipelineRenderingCreateInfo",
                colorAttachmentCount=drawing.colors,
                pColorAttachmentFormats=formats,
                depthAttachmentFormat=DEPTH_FORMAT if drawing.depth else 0,
            ),
            stageCount=2,
            pStages=arena.array("VkPipelineShaderStageCreateInfo", stages),
            pVertexInputState=arena.new("VkPipelineVertexInputStateCreateInfo", **inputs),
            pInputAssemblyState=arena.new("VkPipelineInputAssemblyStateCreateInfo", topology=3),
            pViewportState=arena.new(
                "VkPipelineViewportStateCreateInfo",
                viewportCount=1,
                pViewports=arena.new("VkViewport", width=1, height=1, maxDepth=1),
                scissorCount=1,
                pScissors=arena.new("VkRect2D", extent={"width": 1, "height": 1}),
            ),
            pRasterizationState=arena.new("VkPipelineRasterizationStateCreateInfo", lineWidth=1),
            pMultisampleState=arena.new("VkPipelineMultisampleStateCreateInfo", rasterizationSamples=1),
            pDepthStencilState=arena.new(
                "VkPipelineDepthStencilStateCreateInfo",
                depthTestEnable=int(drawing.depth in ("read", "write")),
                depthWriteEnable=int(drawing.depth == "write"),
                depthCompareOp=7,
            ),
            pColorBlendState=arena.new(
                "VkPipelineColorBlendStateCreateInfo",
                attachmentCount=drawing.colors,
                pAttachments=arena.array("VkPipelineColorBlendAttachmentState", [blend] * drawing.colors),
            ),
            layout=layout,
        )
        out = arena.out("VkPipeline")
        result = self._judge.vk.vkCreateGraphicsPipelines(self._judge.handle, NULL, 1, info, NULL, out)
        check(result, "create a graphics pipeline")
        return Pipeline(out[0], layout, set_layout)


def _some(count: int) -> list[tuple[str, ...]]:
    return list(combinations_with_replacement(KINDS, count))


def _spirv(texts: Sequence[tuple[ShaderStage, str]]) -> list[bytes]:
    """SPIR-V without any optimisation, which would drop reads that nothing comes of."""
    suffixes = {ShaderStage.COMPUTE: "comp", ShaderStage.VERTEX: "vert", ShaderStage.FRAGMENT: "frag"}
    with tempfile.TemporaryDirectory(prefix="renderwright-") as folder:
        names = [f"{number}.{suffixes[stage]}" for number, (stage, _) in enumerate(texts)]
        for name, (_, text) in zip(names, texts, strict=True):
            (Path(folder) / name).write_text(text, encoding="utf-8")
        command = [str(find_glslc()), "-c", "-O0", "--target-env=vulkan1.3", *names]
        subprocess.run(command, cwd=folder, check=True, timeout=PATIENCE)
        return [(Path(folder) / f"{name}.spv").read_bytes() for name in names]


def _text(stage: ShaderStage, kinds: tuple[str, ...], first: int, more: int) -> str:
    """GLSL; ``more`` is the number of colours of a fragment shader, and whether a vertex shader has an attribute."""
    lines = ["#version 450"]
    body = ["vec4 sum = vec4(0);"]
    for number, kind in enumerate(kinds, first):
        declaration, *uses = _binding(number, kind)
        lines.append(declaration)
        body += uses
    if stage is ShaderStage.COMPUTE:
        lines.append("layout(local_size_x = 1) in;")
    if stage is ShaderStage.FRAGMENT:
        lines += [f"layout(location = {number}) out vec4 color{number};" for number in range(more)]
        body += [f"color{number} = vec4(0);" for number in range(more)]
    if stage is ShaderStage.VERTEX:
        lines += ["layout(location = 0) in vec4 place;"] * more
        body.append("gl_Position = " + ("place;" if more else "vec4(0);"))
    return "\n".join([*lines, "void main() {", *body, "}", ""])


def _binding(number: int, kind: str) -> list[str]:
    name, _, how = kind.partition(" ")
    where = f"set = 0, binding = {number}"
    qualifier = {"r": "readonly ", "w": "writeonly "}.get(how, "")
    if name == "uniform":
        return [f"layout({where}, std140) uniform U{number} {{ vec4 v; }} u{number};", f"sum += u{number}.v;"]
    if name == "sampled":
        return [f"layout({where}) uniform sampler2DArray s{number};", f"sum += textureLod(s{number}, vec3(0), 0.0);"]
    if name == "buffer":
        made = [f"layout({where}, std430) {qualifier}buffer B{number} {{ vec4 v; }} b{number};"]
        read, write = f"sum += b{number}.v;", f"b{number}.v = vec4(0);"
    else:
        made = [f"layout({where}, rgba8) {qualifier}uniform image2DArray i{number};"]
        read, write = f"sum += imageLoad(i{number}, ivec3(0));", f"imageStore(i{number}, ivec3(0), vec4(0));"
    return made + [read] * ("r" in how) + [write] * ("w" in how)
