"""Nodes from an eye's finished picture to its display: HUD panel, lens correction, copy to the headset."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.hud import draw_hud, request_huds
from renderwright.engine.views import View, ViewSet
from renderwright.engine.views.view_set import EYE
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.settings import VrSettings
from renderwright.plugins.vr.stereo import Eyes
from renderwright.render import Commands, Execute, Registry, Texture

CHAIN = "tone"
LAST = -2000
"""Priority in the chain: the lens correction is the last member."""
HUD_PANEL = (1024, 768)
"""Resolution of the HUD panel, in texels."""


@dataclass(frozen=True)
class Optics:
    """The blob ``vr/optics`` of an eye. Its members fill the uniform block of the same name.

    ``edges`` are the tangents of the picture's left, right, lower and upper edge, from the lens's axis; with tiles, of
    the tile's edges. ``k1``, ``k2`` and ``spread`` are those of ``Lens``, and ``reach`` is its scale. The other members
    place the eye in front of the HUD panel, in units of the panel's distance: ``hud_eye`` is the eye's position,
    ``hud_size`` half the panel's size, and ``hud_turn`` the eye's rotation relative to the head.
    """

    edges: tuple[float, float, float, float]
    k1: float
    k2: float
    spread: float
    reach: float
    hud_eye: glm.vec3
    hud_size: tuple[float, float]
    hud_turn: glm.mat4


def hud(reg: Registry) -> Execute:
    """Draw a player's HUD to a panel texture."""
    reg.create("vr/panel", Texture("rgba8_srgb", HUD_PANEL)).color(clear=(0.0, 0.0, 0.0, 0.0))
    # This blob exists once for each player's whole view, so the node runs once for each.
    reg.read("view_camera")
    views = reg.read("views", ViewSet)
    huds = request_huds(reg)

    def execute(cmd: Commands) -> None:
        draw_hud(cmd, huds, views.value.whole(cmd.index).player, HUD_PANEL)

    return execute


def optics(reg: Registry, settings: VrSettings) -> Execute:
    """Compute the optics of each eye."""
    reg.multiplex("view", EYE)
    views = reg.read("views", ViewSet)
    result = reg.create("vr/optics", Optics)

    def execute(cmd: Commands) -> None:
        every: ViewSet = views.value
        view, split = every.at(cmd.index), dict(every.splits).get(EYE)
        if isinstance(split, Eyes):
            result.value = optics_of(view, split, cmd.index[EYE], settings)
        else:
            result.value = plain_optics(view)

    return execute


def optics_of(view: View, eyes: Eyes, number: int, settings: VrSettings) -> Optics:
    """The optics of an eye."""
    frustum, device = view.frustum, eyes.lens
    middle = 0.5 * (eyes.eyes[0].pose.position + eyes.eyes[1].pose.position)
    pose = eyes.eyes[number].pose
    away = settings.hud_distance * settings.scale
    width = 0.5 * settings.hud_width / settings.hud_distance
    return Optics(
        (-frustum.left, frustum.right, -frustum.down, frustum.up),
        device.k1,
        device.k2,
        device.spread,
        device.reach(eyes.eyes[number].frustum),
        (pose.position - middle) / away,
        (width, width * HUD_PANEL[1] / HUD_PANEL[0]),
        glm.mat4_cast(pose.rotation),
    )


def plain_optics(view: View) -> Optics:
    """The optics of a view without a headset: no distortion, and the HUD out of sight."""
    frustum = view.frustum
    edges = (-frustum.left, frustum.right, -frustum.down, frustum.up)
    return Optics(edges, 0.0, 0.0, 0.0, 1.0, glm.vec3(1e6, 0.0, 0.0), (1.0, 1.0), glm.mat4(1.0))


def lens(reg: Registry) -> Execute:
    """Correct the picture for the lens and add the HUD, at the resolution of the display."""
    reg.chain(CHAIN, format="rgba8_srgb", size=reg.resolution("viewport"), priority=LAST)
    reg.read("panel").sampled()
    reg.read("optics", Optics)
    reg.stable()
    pipeline = reg.fullscreen("vr_lens.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def display(reg: Registry, headset: OpenXrHeadset) -> Execute:
    """Copy an eye's finished picture to the swapchain image of the headset's runtime."""
    reg.external("vr/display", Texture(headset.format, headset.display), headset.image).color()
    reg.read("ldr").sampled()
    reg.side_effects()
    pipeline = reg.graphics("compose.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
