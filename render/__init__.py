"""The frame-graph runtime: declare nodes, compile a plan, run it on a backend.

The names below are the public face; they are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render.compiler.plan import Plan
    from render.compiler.snapshot import Chain, CompileOptions, ResolutionRule
    from render.errors import FramewrightError
    from render.graph.frame_graph import ExternalContext, FrameGraph
    from render.graph.registry import Registry
    from render.graph.resources import Buffer, Resolution, Texture
    from render.runtime.background import Background
    from render.runtime.commands import Commands
    from render.runtime.frame_report import FrameReport
    from render.runtime.on_demand import run_once
    from render.runtime.runtime import Runtime
    from render.shaders.library import ShaderLibrary

_HOMES = {
    "Background": "render.runtime.background",
    "Buffer": "render.graph.resources",
    "Chain": "render.compiler.snapshot",
    "Commands": "render.runtime.commands",
    "CompileOptions": "render.compiler.snapshot",
    "ExternalContext": "render.graph.frame_graph",
    "FrameGraph": "render.graph.frame_graph",
    "FrameReport": "render.runtime.frame_report",
    "FramewrightError": "render.errors",
    "Plan": "render.compiler.stages",
    "Registry": "render.graph.registry",
    "Resolution": "render.graph.resources",
    "ResolutionRule": "render.compiler.snapshot",
    "Runtime": "render.runtime.runtime",
    "ShaderLibrary": "render.shaders.library",
    "Texture": "render.graph.resources",
    "run_once": "render.runtime.on_demand",
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
    "FramewrightError",
    "Plan",
    "Registry",
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
