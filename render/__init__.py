"""The frame-graph runtime: declare nodes, compile a plan, run it on a backend.

The names below are the public face; they are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renderwright.render.compiler.values.options import CompileOptions
    from renderwright.render.compiler.values.plan import Plan
    from renderwright.render.errors import RenderwrightError
    from renderwright.render.graph.frame_graph import ExternalContext, FrameGraph
    from renderwright.render.graph.registry import Registry
    from renderwright.render.graph.snapshot import Chain, ResolutionRule
    from renderwright.render.runtime.background import Background
    from renderwright.render.runtime.commands import Commands
    from renderwright.render.runtime.frame_report import FrameReport
    from renderwright.render.runtime.on_demand import run_once
    from renderwright.render.runtime.runtime import Runtime
    from renderwright.render.shaders.library import ShaderLibrary
    from renderwright.render.types.resources import Buffer, Resolution, Texture

_HOMES = {
    "Background": "renderwright.render.runtime.background",
    "Buffer": "renderwright.render.types.resources",
    "Chain": "renderwright.render.graph.snapshot",
    "Commands": "renderwright.render.runtime.commands",
    "CompileOptions": "renderwright.render.graph.snapshot",
    "ExternalContext": "renderwright.render.graph.frame_graph",
    "FrameGraph": "renderwright.render.graph.frame_graph",
    "FrameReport": "renderwright.render.runtime.frame_report",
    "RenderwrightError": "renderwright.render.errors",
    "Plan": "renderwright.render.compiler.stages",
    "Registry": "renderwright.render.graph.registry",
    "Resolution": "renderwright.render.types.resources",
    "ResolutionRule": "renderwright.render.graph.snapshot",
    "Runtime": "renderwright.render.runtime.runtime",
    "ShaderLibrary": "renderwright.render.shaders.library",
    "Texture": "renderwright.render.types.resources",
    "run_once": "renderwright.render.runtime.on_demand",
}

__all__ = [
    "Background",
    "Buffer",
    "Chain",
    "Commands",
    "CompileOptions",
    "ExternalContext",
    "FrameGraph",
    "FrameReport",
    "Plan",
    "Registry",
    "RenderwrightError",
    "Resolution",
    "ResolutionRule",
    "Runtime",
    "ShaderLibrary",
    "Texture",
    "run_once",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
