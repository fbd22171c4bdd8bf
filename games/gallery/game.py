"""The ``Game`` class: input to the visitor, the photo camera and the boards; what happens to scene and HUD."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, ClassVar

from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Environment, Panorama, Sky
from renderwright.games.gallery.building import build
from renderwright.games.gallery.controls import CONTROLS
from renderwright.games.gallery.exhibits import Exhibits, hang
from renderwright.games.gallery.hud_view import draw_pause, draw_photo, draw_title, draw_walk
from renderwright.games.gallery.looks import make_looks
from renderwright.games.gallery.museum_file import load_museum, load_props
from renderwright.games.gallery.photo import SIZES, PhotoCamera
from renderwright.games.gallery.stations import Stations
from renderwright.games.gallery.walker import FOV_Y, Walker

_HINT_SECONDS = 8.0


class Phase(Enum):
    """What the game is doing."""

    TITLE = auto()
    WALK = auto()
    PHOTO = auto()


class Gallery(Game):
    """A museum of effects to walk through."""

    title: ClassVar[str] = "Gallery"
    plugins: ClassVar[tuple[str, ...]] = (
        "shadows",
        "ssao",
        "ssr",
        "volumetric_fog",
        "bloom",
        "tonemap",
        "taa",
        "mirrors",
    )
    step: ClassVar[float] = 1.0 / 60.0
    controls: ClassVar[Mapping[str, Any]] = CONTROLS

    def setup(self, context: GameContext) -> None:
        """Build the museum and show the title."""
        looks = make_looks()
        props = load_props(looks)
        self.museum = load_museum(props)
        scene, sun = context.scene, self.museum.sun
        scene.camera = Camera()
        scene.sun = DirectionalLight(glm.vec3(*sun.direction), sun.color, sun.intensity)
        scene.sky = Sky((0.0, 0.0, 0.0), (0.05, 0.045, 0.04), (0.0, 0.0, 0.0))  # the light in the air
        scene.environment = Environment(outside())
        build(scene, self.museum, looks)
        self._exhibits = Exhibits(scene, looks, props)
        self._exhibits.show(self.museum)
        for mirror in self.museum.mirrors:
            hang(scene, looks, mirror)
        self.stations = Stations(scene, looks, self.museum.stations, context.effects)
        self.show_title()
        self.update(0.0)

    def show_title(self) -> None:
        """Go to the title."""
        self.phase, self.paused, self._seconds = Phase.TITLE, False, 0.0
        self.walker = Walker(self.museum)
        self._exhibits.hold(still=False)

    def begin(self) -> None:
        """Walk in."""
        self.phase, self._seconds = Phase.WALK, 0.0
        self.room, self._entered = "", 0.0
        self.context.scene.snap_cameras()

    def update(self, dt: float) -> None:
        """Play one step."""
        self._obey()
        if self.paused:
            return
        self._seconds += dt
        camera, state = self.context.scene.camera, self.context.input
        if self.phase is Phase.PHOTO:
            self.photo.fly(state, dt)
            self.photo.show(camera)
            return
        self._exhibits.update(dt)
        if self.phase is Phase.TITLE:
            stroll(camera, self._seconds)
            return
        self.walker.walk(state, dt)
        self.walker.show(camera)
        room = self.museum.room_at(self.walker.x, self.walker.z)
        if room is not None and room.name != self.room:
            self.room, self._entered = room.name, self._seconds

    def draw(self, alpha: float) -> None:
        """Draw the HUD, and what the boards say."""
        self.stations.follow()
        hud = self.context.hud
        if self.phase is Phase.TITLE:
            draw_title(hud, self._seconds)
        elif self.phase is Phase.PHOTO:
            if self.context.picture_wish is None:
                draw_photo(hud, self.photo)
        else:
            near = self.stations.near(self.walker)
            draw_walk(hud, self.room, self._seconds - self._entered, near, hint=self._seconds < _HINT_SECONDS)
        if self.paused:
            draw_pause(hud)

    def _obey(self) -> None:
        context, pressed = self.context, self.context.input.pressed
        if self.phase is Phase.TITLE:
            if pressed("leave"):
                context.request_quit()
            elif pressed("start"):
                self.begin()
        elif pressed("leave"):
            self.show_title()
            context.scene.snap_cameras()
        elif self.phase is Phase.PHOTO:
            self._photograph()
        elif pressed("pause"):
            self.paused = not self.paused
            self._exhibits.hold(still=self.paused)
        elif not self.paused and pressed("photo"):
            self.phase, self.photo = Phase.PHOTO, PhotoCamera(self.walker)
            self._exhibits.hold(still=True)
        elif not self.paused and (near := self.stations.near(self.walker)) is not None:
            if pressed("switch"):
                self.stations.switch(near)
            for number in range(3):
                if pressed(f"choose_{number + 1}"):
                    self.stations.choose(near, number)

    def _photograph(self) -> None:
        context, pressed = self.context, self.context.input.pressed
        if pressed("photo"):
            self.phase = Phase.WALK
            self._exhibits.hold(still=False)
            context.scene.snap_cameras()
        elif pressed("size"):
            self.photo.size = (self.photo.size + 1) % len(SIZES)
        elif pressed("take"):
            context.request_picture(self.photo.wish)


def outside() -> Panorama:
    """What is seen through the skylights: a blue sky, brighter towards the horizon."""
    return Panorama.of_sky(Sky((0.22, 0.42, 0.95), (0.80, 0.85, 0.92), (0.14, 0.13, 0.11), 1.5), 64)


def stroll(camera: Camera, seconds: float) -> None:
    """The camera of the title: to and fro in the hall."""
    turn = 0.07 * seconds
    camera.position = glm.vec3(3.2 * math.sin(1.3 * turn + 0.3), 1.9, 7.4 - 1.5 * (1.0 - math.cos(turn)))
    camera.target, camera.fov_y, camera.near = glm.vec3(-0.6 * math.sin(turn), 1.5, -3.0), FOV_Y, 0.06
