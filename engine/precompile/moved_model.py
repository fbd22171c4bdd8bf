"""A model whose vertices the GPU moves, so that the shaders for this are requested."""

from __future__ import annotations

import numpy as np
from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.animation.curve import Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig
from renderwright.engine.scene.deformation import Deformation
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.model import Model, ModelNode, ModelPart
from renderwright.engine.scene.primitives import box


def moved_model() -> Model:
    """A box that follows a node."""
    node, matrix = np.zeros(1, np.intp), np.eye(4, dtype=np.float32)[None, :3]
    none = {path: np.zeros((1, 0, path.width), np.float32) for path in Path}
    rig = Rig(("box",), node - 1, matrix, node[:0], Pose(none), node, matrix)
    mesh = box()
    deformation = Deformation.of(mesh, rig, Reach.of(rig, ()), 0)
    part = ModelPart(0, mesh, Material(), glm.mat4(1.0), deformation)
    return Model("box", (ModelNode("box", None, glm.mat4(1.0)),), (part,), animations=AnimationSet(rig, (), ()))
