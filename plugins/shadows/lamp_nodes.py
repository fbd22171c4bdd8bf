"""Nodes of local lights: fit their maps, draw them when they change, and resolve visibility for each texel."""

from __future__ import annotations

from renderwright.engine.renderer.blobs import SHADOW_CHANNELS
from renderwright.engine.renderer.culling import Frusta, cull_scene
from renderwright.engine.renderer.geometry import DrawSet, draw_scene
from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED
from renderwright.engine.renderer.lights.shadowed_lights import BANKS, SHADOW_SHARING, ShadowedLights, ShadowSharing
from renderwright.plugins.shadows.banks import Bank
from renderwright.plugins.shadows.local_lights import (
    BORDER,
    COLUMNS,
    ROWS,
    LampCulling,
    LampMaps,
    Lamps,
    LampTiles,
    LocalShadows,
    tile_place,
)
from renderwright.plugins.shadows.nodes import MAP, caster_pipelines, request_casters, resolved
from renderwright.plugins.shadows.settings import ShadowSettings
from renderwright.plugins.shadows.tile import NEAR
from renderwright.render import Commands, Declare, Execute, Registry, Texture


def follow_lamps(bank: Bank) -> Declare:
    """Declare function of a node that tells what a bank's maps show. Without lights in it, there is no such node."""

    def declare(reg: Registry) -> Execute:
        shadowed = reg.read(bank.lights, ShadowedLights)
        draws = reg.read("draws", DrawSet)
        lamps = reg.create(f"shadows/{bank.node('lamps')}", Lamps)
        maps = [reg.create(f"shadows/lamp_{slot}", LampMaps) for slot in bank.slots]
        culled = [reg.create(f"shadows/lamp_culling_{slot}", LampCulling) for slot in bank.slots]
        reg.stable()

        def execute(cmd: Commands) -> None:
            lights, moves = shadowed.value.lights, shadowed.value.moves
            lamps.value = Lamps(lights)
            arrangement = shadowed.value.arrangement
            for number, (shown, listed) in enumerate(zip(maps, culled, strict=True)):
                used = number < len(lights)
                light, moved = (lights[number], moves[number]) if used else (None, 0)
                shown.value = LampMaps(light, moved, draws.value.arriving)
                listed.value = LampCulling(shown.value, arrangement, draws.value)

        return execute

    return declare


def fit_local(bank: Bank, settings: ShadowSettings) -> Declare:
    """Declare function of a node that fits the tiles of a bank's lights."""

    def declare(reg: Registry) -> Execute:
        lamps = reg.read(bank.node("lamps"), Lamps)
        local = reg.create(f"shadows/{bank.node('local')}", LocalShadows)
        tiles = [reg.create(f"shadows/lamp_tiles_{slot}", LampTiles) for slot in bank.slots]
        frusta = [reg.create(f"shadows/lamp_frusta_{slot}", Frusta) for slot in bank.slots]
        reg.stable()

        def execute(cmd: Commands) -> None:
            local.value = fitted = LocalShadows.of(lamps.value, settings)
            for number, (tile, frustum) in enumerate(zip(tiles, frusta, strict=True)):
                tile.value = fitted.tiles_of(number)
                frustum.value = Frusta.of(tile.value.matrices, reach=fitted.places[number])

        return execute

    return declare


def cull_lamp(slot: int) -> Declare:
    """Declare function of a node that lists the casters within a light's reach, before its maps are drawn."""

    def declare(reg: Registry) -> Execute:
        reg.when(f"shadows/lamp_culling_{slot}")
        frusta, visible = f"shadows/lamp_frusta_{slot}", f"shadows/lamp_{slot}"
        return cull_scene(reg, frusta, visible, shadow_casters_only=True)

    return declare


def draw_lamp(slot: int, settings: ShadowSettings, *, masked: bool = False) -> Declare:
    """Declare function of a node that draws the depth maps of a local light, tile by tile.

    They stay as they are while neither the light nor a caster within its reach changes. A ``masked`` node adds the
    surfaces with alpha masks to what the other has drawn.
    """

    def declare(reg: Registry) -> Execute:
        side, name = settings.light_size, f"shadows/lamp_maps_{slot}"
        if masked:
            reg.modify(name).depth()
            reg.after(f"shadows/draw_lamp_{slot}")
        else:
            reg.create(name, Texture(MAP, (COLUMNS * side, ROWS * side))).depth(clear=0.0)
        tiles = reg.read(f"lamp_tiles_{slot}", LampTiles)
        reg.when(f"lamp_{slot}")
        scene = request_casters(reg, masked=masked, visible=f"shadows/lamp_{slot}")
        pipelines = caster_pipelines(reg, settings, scene, masked=masked, of_sun=False)
        reg.stable()

        def execute(cmd: Commands) -> None:
            for tile, matrix in enumerate(tiles.value.matrices):
                column, row = tile_place(tile)
                cmd.viewport(column * side, row * side, side, side)
                draw_scene(cmd, scene, pipelines, materials=masked, shadow_casters_only=True, matrix=matrix)

        return execute

    return declare


def resolve_lamps(bank: Bank, settings: ShadowSettings) -> Declare:
    """Declare function of a node that writes how much each texel sees of each light of a bank, from 0 to 1.

    The first bank writes ``light_visibility``: while lights share its channels, from what all banks have found.
    """

    def declare(reg: Registry) -> Execute:
        reg.create(bank.seen, Texture("rgba8_unorm", reg.resolution("main_view"))).color()
        for number in range(SHADOW_CHANNELS):
            maps = reg.read(f"lamp_maps_{bank.slots.start + number}").sampled().bind(f"lamp_maps_{number}")
            if number >= len(bank.slots):
                maps.optional(otherwise=0.0)
        reg.read(bank.node("local"), LocalShadows).bind("local")
        if bank.number == 0:
            reg.read(SHADOW_SHARING, ShadowSharing).optional()
            for other in range(1, BANKS):
                reg.read(f"seen_{other}").sampled(filter="nearest").optional(otherwise=1.0)
        defines = {
            "SLOTS": SHADOW_CHANNELS,
            "MOST": MOST_SHADOWED,
            "COLUMNS": COLUMNS,
            "ROWS": ROWS,
            "NEAR": NEAR,
            "BORDER": BORDER,
        }
        return resolved(reg, settings, "lamp_resolve.frag", defines)

    return declare
