"""Which reference pictures there are: moments of games, and what each picture of a moment shows.

A picture is named for the one thing that it is about. To add one, add a ``Shot``, run ``make references`` and look at
what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reference_scenes import (
    BareMarbles,
    BurningYard,
    ForwardGlass,
    ForwardYard,
    GlassYard,
    LampYard,
    MarkedYard,
    MirroredYard,
    SpotYard,
    StainedYard,
    SunYard,
    WetYard,
    YardInHall,
)

from renderwright.engine.game import Game
from renderwright.games import marbles
from renderwright.games.marbles import Marbles
from renderwright.render.types.resources import Extent

SMALL: Extent = (160, 90)
LARGE: Extent = (256, 144)
REPLAY = Path(marbles.__file__).parent / "replays" / "demo.yaml"


@dataclass(frozen=True)
class Shot:
    """A picture of a moment: plugins that are on or off for it, and settings by ``plugin.key``.

    It is the last of so many ``frames`` (at least two, since some effects look back), at a ``share`` of the full
    resolution; or rendered in so many ``tiles``, with a border.
    """

    name: str
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    frames: int = 2
    share: float = 1.0
    tiles: tuple[int, int] | None = None


@dataclass(frozen=True)
class Moment:
    """A game after so many frames of a 60th of a second, and the pictures of it.

    Time stands still for all of them, so that none depends on which were made before; unless the moment ``moves``:
    then it has one picture, in whose frames time goes on.
    """

    name: str
    game: type[Game]
    shots: tuple[Shot, ...]
    frames: int = 1
    players: int = 1
    extent: Extent = SMALL
    moves: bool = False

    def __post_init__(self) -> None:
        assert not self.moves or len(self.shots) == 1


BLURRED = {"depth_of_field.aperture": 6, "depth_of_field.largest": 0.06}
PCSS = {"shadows.edges": "pcss", "shadows.sun_angle": 0.06, "shadows.light_radius": 0.06}
TOUCHING = {"contact_shadows.length": 1, "contact_shadows.thickness": 0.5}
SMEARED = {"motion_blur.shutter": 2}

MARBLES = (
    Shot("marbles"),
    Shot("bloom", settings={"bloom.intensity": 0.25}),
    Shot(
        "depth_of_field",
        on=("depth_of_field",),
        settings={"depth_of_field.aperture": 6, "depth_of_field.largest": 0.06},
    ),
    Shot("fog", on=("fog",), settings={"fog.density": 0.12, "fog.falloff": 0.6, "fog.height": -3.6}),
    Shot("fxaa", on=("fxaa",)),
    Shot("grading", on=("grading",)),
    Shot("outline", on=("outline",)),
    Shot("ssao", on=("ssao",)),
    Shot("taa", on=("taa",), frames=16),
    Shot("upscaling", on=("upscaling",), frames=16),
    Shot("tonemap_off", off=("tonemap",)),
    Shot("tonemap_aces", settings={"tonemap.operator": "aces"}),
    Shot("tonemap_neutral", settings={"tonemap.operator": "neutral"}),
    Shot("auto_exposure", settings={"tonemap.auto_exposure": True}),
    Shot("ssaa", on=("ssaa",)),
    Shot("vr", on=("vr",), settings={"vr.scale": 6, "vr.poses": "still"}),
    Shot("dynamic_resolution", share=0.5),
    Shot("tiles", tiles=(2, 2)),
    Shot("everything", on=("depth_of_field", "fog", "fxaa", "motion_blur", "outline", "ssao", "taa")),
)

MOMENTS = (
    Moment("game", BareMarbles, MARBLES, frames=60),
    Moment(
        "race of two",
        Marbles,
        (
            Shot("split_screen_2", on=("split_screen",)),
            Shot("split_screen_2_stacked", on=("split_screen",), settings={"split_screen.layout": "stacked"}),
            Shot("split_screen_2_vr", on=("split_screen", "vr"), settings={"vr.scale": 6, "vr.poses": "still"}),
            Shot("split_screen_2_vr_ssaa", on=("split_screen", "vr", "ssaa"), settings={"vr.scale": 6}),
            Shot("tiles_2_vr", on=("split_screen", "vr"), settings={"vr.scale": 6, "vr.poses": "still"}, tiles=(2, 2)),
        ),
        frames=30,
        players=2,
        extent=LARGE,
    ),
    Moment(
        "race of four",
        Marbles,
        (Shot("split_screen_4", on=("split_screen",)), Shot("tiles_4", on=("split_screen",), tiles=(2, 3))),
        frames=30,
        players=4,
        extent=LARGE,
    ),
    Moment(
        "sun",
        SunYard,
        (
            Shot("shadows_off"),
            Shot("shadows_sun", on=("shadows",)),
            Shot("contact_shadows", on=("contact_shadows",), settings=TOUCHING),
            Shot("shadows_sun_pcss", on=("shadows",), settings=PCSS),
        ),
    ),
    Moment(
        "lamp",
        LampYard,
        (Shot("shadows_point", on=("shadows",)), Shot("shadows_point_pcss", on=("shadows",), settings=PCSS)),
    ),
    Moment(
        "spotlight",
        SpotYard,
        (Shot("shadows_spot", on=("shadows",)), Shot("shadows_spot_pcss", on=("shadows",), settings=PCSS)),
    ),
    Moment(
        "shafts",
        SunYard,
        (
            Shot(
                "volumetric_fog",
                on=("shadows", "volumetric_fog"),
                settings={"volumetric_fog.density": 0.12, "volumetric_fog.range": 20},
            ),
        ),
    ),
    Moment("rain", WetYard, (Shot("ssr", on=("ssr",), frames=16),)),
    Moment("hall", YardInHall, (Shot("environment"), Shot("environment_ssao", on=("ssao",)))),
    Moment("forward", ForwardYard, (Shot("forward"), Shot("forward_ssao", on=("shadows", "ssao")))),
    Moment(
        "glass",
        GlassYard,
        (
            Shot("transparent", on=("shadows",)),
            Shot("transparent_fog", on=("shadows", "fog"), settings={"fog.density": 0.15}),
            Shot("oit", on=("shadows", "oit")),
        ),
    ),
    Moment("glass forward", ForwardGlass, (Shot("transparent_forward", on=("shadows",)),)),
    Moment(
        "blurred wheel",
        SunYard,
        (Shot("motion_blur", on=("motion_blur",), settings={"motion_blur.shutter": 2}, frames=4),),
        moves=True,
    ),
    Moment("marked", MarkedYard, (Shot("decals", on=("shadows", "decals")),)),
    Moment("stained", StainedYard, (Shot("cookies", on=("shadows", "cookies")),)),
    Moment("mirrored", MirroredYard, (Shot("mirrors", on=("shadows", "mirrors")),)),
    Moment("burning", BurningYard, (Shot("particles", on=("particles",), frames=40),), moves=True),
    Moment("smoothed wheel", SunYard, (Shot("taa_in_motion", on=("taa",), frames=12),), moves=True),
)
