"""A node alone, whose shaders may include the engine's GLSL files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from renderwright.engine.caller import caller_location
from renderwright.engine.renderer.nodes import GLSL
from renderwright.render import testing
from renderwright.render.argument_checks import check_paths
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.declare import Declare
from renderwright.render.types.resources import Extent


def run_node(
    declare: Declare,
    inputs: Mapping[str, Any] | None = None,
    outputs: Sequence[str] = (),
    *,
    size: Extent = (64, 64),
    shader_paths: Sequence[Path] = (),
    name: str = "node",
    backend: Backend | str | None = None,
) -> dict[str, Any]:
    """Like ``renderwright.render.testing.run_node``; shaders can also include the engine's files.

    The blobs of these files are inputs as any other: ``CameraView.of(camera, size, 0.0)`` for ``camera.glsl``,
    ``LightSet.of(scene)`` for ``lighting.glsl``.
    """
    check_paths("run_node", "shader_paths", shader_paths, caller_location())
    return testing.run_node(
        declare, inputs, outputs, size=size, shader_paths=(*shader_paths, GLSL), name=name, backend=backend
    )
