"""Set layouts: pipelines with equal ones can share descriptor sets."""

from __future__ import annotations

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.types.usages import ShaderStage

MATERIAL_SET = 1
"""Descriptor set number of a material's images in the surface shaders."""

SetLayout = tuple[tuple[ShaderStage, ShaderBinding], ...]


def material_layout(desc: PipelineDesc) -> SetLayout:
    """The layout of a pipeline's set of material images."""
    return tuple(
        (module.stage, binding) for module in desc.modules for binding in module.bindings if binding.set == MATERIAL_SET
    )
