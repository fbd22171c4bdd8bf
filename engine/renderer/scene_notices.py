"""Notices of contents of a scene that are not as they say, or not drawn: each is logged once, or fatal if strict."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from renderwright.engine.class_location import class_location
from renderwright.engine.game import Game
from renderwright.engine.notices import Notice, Notices
from renderwright.engine.renderer.lights.suns import MOST_SUNS, chosen_suns
from renderwright.engine.scene.light import DirectionalLight
from renderwright.engine.scene.scene import Scene
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.source import function_location

_log = logging.getLogger("renderwright.scene")


class SceneNotices:
    """The notices of one session, whose skeleton draws ``surfaces`` or only sprites.

    With ``strict``, the first one raises ``UsageError``.
    """

    def __init__(self, *, surfaces: bool = True, strict: bool = False) -> None:
        self._surfaces = surfaces
        self._notices = Notices(_log, strict=strict)
        self._revision = -1
        self._steps = 0

    def follow(self, game: Game, scene: Scene, players: int, steps: int) -> None:
        """Look at the scene of a frame, and give the notices that are new.

        ``players`` is the number of the game's players, ``steps`` the number of its steps so far.
        """
        if steps != self._steps:  # else the game could not follow a change of ``players``
            self._steps = steps
            missing = _missing_cameras(scene, players)
            if missing is not None and not self._notices.knows(missing):
                self._notices.give(_camera_notice(game, scene, players))
            for notice in _inward_notices(scene):
                self._notices.give(notice)
        for notice in _light_notices(scene):
            self._notices.give(notice)
        for notice in _promise_notices(scene):
            self._notices.give(notice)
        if scene.revision != self._revision:
            self._revision = scene.revision
            for notice in _material_notices(scene) if self._surfaces else _surface_notices(scene, game.title):
                self._notices.give(notice)


def _missing_cameras(scene: Scene, players: int) -> tuple[str, int, int] | None:
    """What the notice on players without a camera is about; None if each has one."""
    cameras = len(scene.cameras)
    return ("cameras", cameras, players) if cameras < players else None


def _camera_notice(game: Game, scene: Scene, players: int) -> Notice:
    """Players without a camera, who have no view."""
    cameras = len(scene.cameras)
    has = "1 camera" if cameras == 1 else f"{cameras} cameras"
    shown = "1 view is shown" if cameras == 1 else f"{cameras} views are shown"
    return Notice(
        _missing_cameras(scene, players),
        f'"{game.title}" has {has} for {players} players, so {shown}',
        "set scene.cameras to a list with a camera for each of context.players",
        _line_of(type(game)),
    )


def _inward_notices(scene: Scene) -> Iterator[Notice]:
    """Cameras that look nowhere."""
    for number, camera in enumerate(scene.cameras):
        if camera.looks_at_itself:
            yield Notice(
                ("looks at itself", number),
                f"scene.cameras[{number}] looks at its own position {_numbers(camera.position)}: its target is ignored",
                "set its target to another place, or to None to use its rotation",
                camera.made_at,
            )


def _line_of(game: type[Game]) -> SourceLocation | None:
    """The line of a game's ``setup``, or of its class if that has none."""
    return class_location(game) if game.setup is Game.setup else function_location(game.setup)


def _light_notices(scene: Scene) -> Iterator[Notice]:
    """Suns that do not light the scene because there are too many."""
    suns = sum(isinstance(light, DirectionalLight) for light in scene.lights) + (scene.sun is not None)
    if suns <= MOST_SUNS:
        return
    chosen = {id(light) for light in chosen_suns(scene.sun, scene.lights)}
    left_out = [
        (number, light)
        for number, light in enumerate(scene.lights)
        if isinstance(light, DirectionalLight) and id(light) not in chosen
    ]
    if left_out:
        number, light = left_out[0]
        more = f" and {len(left_out) - 1} more do" if len(left_out) > 1 else ", a DirectionalLight, does"
        yield Notice(
            "too many suns",
            f"scene.lights[{number}]{more} not light the scene: "
            f"the {MOST_SUNS} brightest of {suns} directional lights do, with scene.sun",
            "leave out the faint ones, or add up those from nearly the same direction",
            light.made_at,
        )


def _surface_notices(scene: Scene, game: str) -> Iterator[Notice]:
    """Surfaces, which a skeleton for sprites does not draw."""
    for material in scene.materials():
        yield Notice(
            "surfaces",
            f'the skeleton of "{game}" draws no meshes, so "{scene.first_with(material).name}" is not seen',
            'draw it as a sprite (scene.sprites), or set skeleton = "deferred" in the game',
        )


def _material_notices(scene: Scene) -> Iterator[Notice]:
    """Opaque materials with an alpha, which is ignored."""
    for material in scene.materials():
        alpha = material.base_color[3]
        if alpha < 1.0 and material.alpha_mode == "opaque":
            yield Notice(
                material,
                f'the material of "{scene.first_with(material).name}" is drawn opaque: '
                f'its base_color has alpha {alpha:g}, and its alpha_mode is "opaque"',
                'set alpha_mode="blend", or the alpha to 1',
                material.made_at,
            )


def _promise_notices(scene: Scene) -> Iterator[Notice]:
    """Static entities that have moved."""
    moved = scene.moved_although_static()
    if len(moved):
        first = moved[0]
        others = f" and {len(moved) - 1} others have" if len(moved) > 1 else " has"
        yield Notice(
            first,
            f'the entity "{first.name}"{others} moved although scene.static promised that it does not',
            "leave it out of scene.static, or call scene.static(entity, promise=False) before it moves",
        )


def _numbers(vector: Iterable[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in vector)})"
