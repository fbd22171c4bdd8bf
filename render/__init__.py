"""The frame-graph runtime: declare nodes, compile a plan, run it on a backend.

These names are public. Games and plugins import nothing else from ``renderwright.render`` except ``render.testing``,
``render.files`` and ``render.backend.interop``. Each name is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renderwright.render.compiler.values.options import CompileOptions
    from renderwright.render.compiler.values.plan import Plan
    from renderwright.render.errors import (
        BackendError,
        DeviceHungError,
        DeviceLostError,
        RenderwrightError,
        SourceLocation,
        UsageError,
    )
    from renderwright.render.formats import FORMATS
    from renderwright.render.graph.commands import Commands
    from renderwright.render.graph.declare import Declare, Execute
    from renderwright.render.graph.external import ExternalContext
    from renderwright.render.graph.frame_graph import FrameGraph
    from renderwright.render.graph.handles import PipelineHandle
    from renderwright.render.graph.pipeline_requests import VertexLayout
    from renderwright.render.graph.registry import Registry
    from renderwright.render.graph.revision import Revision
    from renderwright.render.graph.snapshot import Chain, ResolutionRule
    from renderwright.render.runtime.background import Background
    from renderwright.render.runtime.frame_report import FrameReport
    from renderwright.render.runtime.on_demand import run_once
    from renderwright.render.runtime.runtime import Runtime
    from renderwright.render.shaders.library import ShaderLibrary
    from renderwright.render.types.physical import PhysicalTexture, TextureInfo
    from renderwright.render.types.resources import Buffer, Extent, Resolution, Texture
    from renderwright.render.types.usages import Usage

_HOMES = {
    "BackendError": "renderwright.render.errors",
    "Background": "renderwright.render.runtime.background",
    "Buffer": "renderwright.render.types.resources",
    "Chain": "renderwright.render.graph.snapshot",
    "Commands": "renderwright.render.graph.commands",
    "CompileOptions": "renderwright.render.compiler.values.options",
    "Declare": "renderwright.render.graph.declare",
    "DeviceHungError": "renderwright.render.errors",
    "DeviceLostError": "renderwright.render.errors",
    "Execute": "renderwright.render.graph.declare",
    "Extent": "renderwright.render.types.resources",
    "ExternalContext": "renderwright.render.graph.external",
    "FORMATS": "renderwright.render.formats",
    "FrameGraph": "renderwright.render.graph.frame_graph",
    "FrameReport": "renderwright.render.runtime.frame_report",
    "PhysicalTexture": "renderwright.render.types.physical",
    "PipelineHandle": "renderwright.render.graph.handles",
    "Plan": "renderwright.render.compiler.values.plan",
    "Registry": "renderwright.render.graph.registry",
    "RenderwrightError": "renderwright.render.errors",
    "Resolution": "renderwright.render.types.resources",
    "ResolutionRule": "renderwright.render.graph.snapshot",
    "Revision": "renderwright.render.graph.revision",
    "Runtime": "renderwright.render.runtime.runtime",
    "ShaderLibrary": "renderwright.render.shaders.library",
    "SourceLocation": "renderwright.render.errors",
    "Texture": "renderwright.render.types.resources",
    "TextureInfo": "renderwright.render.types.physical",
    "Usage": "renderwright.render.types.usages",
    "UsageError": "renderwright.render.errors",
    "VertexLayout": "renderwright.render.graph.pipeline_requests",
    "run_once": "renderwright.render.runtime.on_demand",
}

__all__ = [
    "FORMATS",
    "BackendError",
    "Background",
    "Buffer",
    "Chain",
    "Commands",
    "CompileOptions",
    "Declare",
    "DeviceHungError",
    "DeviceLostError",
    "Execute",
    "Extent",
    "ExternalContext",
    "FrameGraph",
    "FrameReport",
    "PhysicalTexture",
    "PipelineHandle",
    "Plan",
    "Registry",
    "RenderwrightError",
    "Resolution",
    "ResolutionRule",
    "Revision",
    "Runtime",
    "ShaderLibrary",
    "SourceLocation",
    "Texture",
    "TextureInfo",
    "Usage",
    "UsageError",
    "VertexLayout",
    "run_once",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
