"""Motion vectors: the screen-space motion of each texel's surface since the previous frame.

Camera motion is computed for each texel from its depth. Moving objects are drawn over it. All of this is removed from a
frame in which no node reads ``motion_vectors``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.culling import VISIBLE_MOVED
from renderwright.engine.renderer.geometry import MeshPipelines, draw_scene, request_scene
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.views.view_set import EYE
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer


@dataclass(frozen=True)
class CameraMotion:
    """The blob ``camera_motion``. Its members fill the uniform block of the same name.

    All matrices are without jitter; ``jitter`` is the current camera's. ``reprojection`` transforms from clip space to
    the previous frame's clip space, for static points. It is exact for depth 0 (infinitely far).
    """

    view_projection: glm.mat4
    previous_view_projection: glm.mat4
    reprojection: glm.mat4
    jitter: tuple[float, float]

    @classmethod
    def between(cls, previous: CameraView, now: CameraView) -> CameraMotion:
        """The motion from one frame to the next."""
        before, after = _without_jitter(previous), _without_jitter(now)
        # In double precision, so that the picture of a static camera does not creep.
        reprojection = glm.dmat4(1.0) if before == after else cast(glm.dmat4, before * glm.inverse(after))
        return cls(glm.mat4(after), glm.mat4(before), glm.mat4(reprojection), now.jitter)


def _without_jitter(camera: CameraView) -> glm.dmat4:
    x, y = camera.jitter
    back = glm.translate(glm.dmat4(1.0), glm.dvec3(-x, -y, 0.0))
    # PyGLM annotates the products with another type.
    return cast(glm.dmat4, back * glm.dmat4(camera.projection) * glm.dmat4(camera.view))


def compare_cameras(reg: Registry) -> Execute:
    """Compute the camera's motion since the last frame; none in the first frame."""
    camera = reg.read("camera", CameraView)
    previous = reg.history("camera", CameraView).bind("camera_before")
    motion = reg.create("camera_motion", CameraMotion)

    def execute(cmd: Commands) -> None:
        motion.value = CameraMotion.between(previous.value if previous.valid else camera.value, camera.value)

    return execute


def provide_previous_models(reg: Registry) -> None:
    """Declare previous matrices and draws of moved instances as external resources. The application provides them."""
    reg.external("scene_previous_models", Buffer(0)).storage_read(stage="vertex")
    reg.external("scene_moved_draws", Buffer(0)).indirect()


def still_motion(reg: Registry) -> Execute:
    """Write the motion of static surfaces and of the sky, which is the camera's."""
    reg.multiview(EYE)
    reg.modify("motion_vectors").color()
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera_motion", CameraMotion)
    reg.before("object_motion")
    reg.stable()
    pipeline = reg.fullscreen("still_motion.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def object_motion(reg: Registry, alpha: AlphaMode = "opaque") -> Execute:
    """Draw the motion of moving objects where they are the nearest surface.

    Masks need no test of their own: the depth in a hole is that of another surface.
    """
    reg.multiview(EYE)
    reg.modify("motion_vectors").color()
    reg.read("depth").depth_read()
    reg.read("camera", CameraView)
    reg.read("camera_motion", CameraMotion)
    reg.read("scene_previous_models").storage_read(stage="vertex")
    reg.read("skinned_previous").storage_read(stage="vertex").optional()
    scene = request_scene(reg, materials=False, moved_only=True, visible=VISIBLE_MOVED, alpha=alpha)
    reg.stable()
    pipelines = MeshPipelines.declare(reg, "object_motion.frag", "object_motion.vert", depth_test="equal")

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines, materials=False)

    return execute


MOTION_NODES: tuple[tuple[str, Declare], ...] = (
    ("compare_cameras", compare_cameras),
    ("previous_models", provide_previous_models),
    ("still_motion", still_motion),
    ("object_motion", object_motion),
)
"""The nodes of ``motion_vectors``, by name."""
