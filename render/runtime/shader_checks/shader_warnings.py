"""Shaders that a driver handles badly, told to the plugin that brings them."""

from __future__ import annotations

import logging

from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.uniform_flow import uniform_flow

log = logging.getLogger("renderwright.runtime")


class ShaderWarnings:
    """Warns once of each module whose control flow depends on uniforms alone, where the driver ``copies_shaders``."""

    def __init__(self, *, copies_shaders: bool) -> None:
        self._copies_shaders = copies_shaders
        self._seen: set[str] = set()

    def look_at(self, module: ShaderModule, node: NodeDeclaration) -> None:
        """Look at a module that a node uses."""
        if not self._copies_shaders or module.key in self._seen:
            return
        self._seen.add(module.key)
        members = uniform_flow(module.spirv)
        if members:
            log.warning(
                "shader %s of %s branches or loops by %s alone: this driver may compile it anew in each frame and keep "
                "every copy, so that memory grows; use per_invocation(...) of per_invocation.glsl",
                module.file,
                node_in_words(node.name, node.plugin),
                ", ".join(members),
            )
