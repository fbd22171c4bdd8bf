"""What effects do with transparent surfaces: fog veils them where they are, TAA does not keep what they have hidden."""

from __future__ import annotations

import numpy as np
import pytest
from layered_scenes import UPRIGHT, Layer, Layers, of_skeleton, picture_of
from pyglm import glm

from renderwright.engine.game import GameContext
from renderwright.engine.options import SettingChange
from renderwright.engine.scene import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
THICK = [SettingChange("fog", "density", "0.3")]


class Veiled(Layers):
    """A glowing sheet in front of a far wall, under a bright sky."""

    layers = (Layer(0.0, (0.9, 0.2, 0.1), 1.0),)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sky = Sky(intensity=1.0)


class OpaqueVeiled(Veiled):
    """The same with an opaque sheet."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for sheet, layer in zip(self.sheets, self.layers, strict=True):
            sheet.material = Material((0.0, 0.0, 0.0, 1.0), 1.0, 1.0, layer.glow, double_sided=True)


@BOTH
def test_fog_veils_a_transparent_surface_where_it_is(backend: VulkanBackend, skeleton: str) -> None:
    blended, opaque = (
        picture_of(backend, of_skeleton(skeleton, game), "fog", settings=THICK) for game in (Veiled, OpaqueVeiled)
    )
    assert np.abs(blended.astype(int) - opaque).max() <= 1
    clear = picture_of(backend, of_skeleton(skeleton, Veiled))
    assert np.abs(blended.astype(int) - clear).max() > 20, "there is fog between the camera and the sheet"


class Noise(Layers):
    """A sheet of noise that slides in front of a wall."""

    layers = ()

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        pixels = np.random.default_rng(1).integers(0, 255, (256, 256, 4), np.uint8)
        pixels[..., 3] = 255
        noise = Image("noise", pixels)
        material = Material(
            (0, 0, 0, 0.95), 1.0, 1.0, (1, 1, 1), emissive_image=noise, double_sided=True, alpha_mode="blend"
        )
        self.sheet = context.scene.spawn(plane(9, 9), material, Transform(glm.vec3(0, 0, 0), UPRIGHT))

    def update(self, dt: float) -> None:
        self.sheet.transform.position.x += 1.0 * dt


def test_taa_does_not_smear_what_slides_over_a_surface_at_rest(backend: VulkanBackend) -> None:
    def contrast(*plugins: str) -> float:
        return float(picture_of(backend, Noise, *plugins, frames=12)[..., :3].astype(float).std())

    assert contrast("taa") > 0.6 * contrast(), (contrast("taa"), contrast())
