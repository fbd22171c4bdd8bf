"""What docs/writing-plugins.md says of shadows and instances of a plugin's own geometry works as it stands there."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host
from renderwright.engine.renderer.sun_maps import SUN_MAP_PLACES, SunMapPlace, SunMaps, SunMapTarget, request_sun_map
from renderwright.engine.scene import Camera, DirectionalLight, Material, Mesh
from renderwright.engine.scene.primitives import plane
from renderwright.engine.testing import PlayedGame, run_node
from renderwright.render import Registry
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import GraphError

PAGE = (Path(__file__).parents[1] / "docs" / "writing-plugins.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### Shadows of your own geometry\n")[2].partition("\n### ")[0]


class Ground(Game):
    """A ground in the sun, seen from above."""

    plugins = ("shadows",)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(40.0, 40.0), Material())
        scene.sun = DirectionalLight(glm.vec3(0.0, -1.0, 0.0))
        scene.camera = Camera(glm.vec3(0.0, 8.0, 0.01), glm.vec3(0.0))


class SideView(Game):
    """A ground in a sun that stands at an angle, with the sail as an entity or without."""

    plugins = ("shadows",)
    entity = False

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(400.0, 400.0), Material())
        scene.sun = DirectionalLight(glm.vec3(1.0, -1.0, 0.0))
        if self.entity:
            up_and_along = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0)
            corners = [(x, 1.0, z, *up_and_along) for x, z in ((-1.0, -1.0), (0.0, 1.0), (1.0, -1.0))]
            scene.spawn(Mesh("sail", np.array(corners, np.float32), np.arange(3, dtype=np.uint32)), Material())


class SideViewWithSail(SideView):
    entity = True


def _block(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
    return str(block)


def _sail(folder: Path, python: str = "", glsl: str = "", maps: Sequence[int] = range(4)) -> ModuleType:
    """The page's node as a plugin, with its shader."""
    (folder / "glsl").mkdir()
    (folder / "glsl" / "sail_shadow.vert").write_text(glsl or _block("glsl"))
    module: Any = ModuleType("sail")
    module.__file__ = str(folder / "sail.py")
    exec(compile(python or _block("python"), "writing-plugins.md", "exec"), vars(module))

    @hookimpl
    def renderwright_nodes(graph: PluginGraph) -> None:
        for number in maps:
            graph.add_node(f"shadow_{number}", module.cast(number))

    module.renderwright_nodes = renderwright_nodes
    return module  # type: ignore[no-any-return]


def _sun(backend: VulkanBackend, *plugins: str) -> NDArray[Any]:
    with PlayedGame(Ground, enable=plugins, size=(96, 96), backend=backend) as played:
        played.picture(3)
        assert all(f"{name}/shadow_3" in played.nodes for name in plugins)
        return played.texture("sun_visibility")[..., 0]


def _install(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    found = (*discovery.find_plugins(), FoundPlugin("sail", lambda: module))
    monkeypatch.setattr(host, "find_plugins", lambda: found)


@pytest.mark.vulkan
def test_the_sail_shades_the_ground_below_it(
    backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(monkeypatch, _sail(tmp_path))
    plain, shaded = _sun(backend), _sun(backend, "sail")
    assert plain.min() > 0.9
    assert shaded[46:52, 46:52].max() < 0.1
    assert shaded[:8].min() > 0.9
    assert 0.02 < np.mean(shaded < 0.5) < 0.2


RATES = (1, 2, 16, 1)
"""Values of ``shadows.rate``, one after the other in a game that runs."""
RATES_OF_THE_FARTHEST = (1, 2, 3, 16, 1)
"""The same for the farthest map: for the others, whose intervals are halves of that, 3 is no other value than 2."""


def _look_from(played: PlayedGame, distance: float) -> None:
    """Look at the shadow from so far away: it fills the same part of the picture."""
    angle = 2.0 * math.atan(3.0 / distance)
    camera = Camera(glm.vec3(1.0, 0.8 * distance, 0.6 * distance), glm.vec3(1.0, 0.0, 0.0), fov_y=angle)
    played.session.context.scene.camera = camera
    played.session.context.scene.snap_cameras()


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("number", "distance", "rates"),
    [(0, 4.0, RATES), (1, 12.0, RATES), (2, 25.0, RATES), (3, 45.0, RATES_OF_THE_FARTHEST)],
)
def test_the_sail_casts_the_shadow_of_an_entity_at_every_rate_of_the_maps(
    number: int,
    distance: float,
    rates: Sequence[int],
    backend: VulkanBackend,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each map alone, where the picture has its shadows; in frames in which it is drawn and in others."""
    _install(monkeypatch, _sail(tmp_path, maps=[number]))
    options: dict[str, Any] = {"size": (64, 64), "backend": backend, "settings": {"shadows.slope_bias": 2.0}}
    with PlayedGame(SideView, enable=["sail"], **options) as own, PlayedGame(SideViewWithSail, **options) as entity:
        ground, of_first_rate = None, None
        for rate in rates:
            interval = max(1, rate >> (3 - number))
            for played in (own, entity):
                played.session.plugins.set("shadows", "rate", rate)
                _look_from(played, distance)
            for frames in (1, 4, interval + 1) if interval > 1 else (1, 4):  # the map is drawn again in the last ones
                for played in (own, entity):
                    played.picture(frames)
                assert own.session.plugins.is_enabled("sail")
                if ground is None:  # nothing moves, neither does the camera
                    ground = own.texture("depth") == entity.texture("depth")
                whole, of_entity = (played.texture("sun_visibility") for played in (own, entity))
                shadow, wanted = (np.where(ground, each, 1.0) for each in (whole, of_entity))
                assert np.mean(wanted < 0.5) > 0.02
                assert np.array_equal(shadow, wanted), (rate, frames)
            of_first_rate = whole if of_first_rate is None else of_first_rate
            assert np.abs(whole - of_first_rate).mean() < 0.02, "edges of maps of another resolution, no more"


@pytest.mark.vulkan
def test_a_caster_runs_in_the_frames_in_which_its_map_is_drawn(
    backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(monkeypatch, _sail(tmp_path))
    options: dict[str, Any] = {"enable": ["sail"], "size": (32, 32), "backend": backend}
    with (
        PlayedGame(SideView, settings={"shadows.rate": 16}, **options) as played,
        closing(backend.create_target((32, 32))) as target,
    ):
        played.picture(2)
        skipped: Counter[tuple[int, bool]] = Counter()
        for _ in range(16):
            played.session.step()
            report = played.session.render(target)
            assert report is not None
            resting = {node.partition("[")[0] for node in report.resting}
            for number in range(4):
                both = {f"shadows/cascade_{number}" in resting, f"sail/shadow_{number}" in resting}
                assert len(both) == 1, (number, resting)
                skipped[number, both.pop()] += 1
        assert [skipped[number, False] for number in range(4)] == [8, 4, 2, 1]


@pytest.mark.vulkan
@pytest.mark.parametrize("rate", [1, 2])
def test_a_sail_that_moves_as_the_page_says_has_a_shadow_that_moves(
    rate: int, backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request, given = 'view = reg.read("view_camera", CameraView)', "time=view.value.time"
    assert request in SECTION
    assert given in SECTION
    python = _block("python").replace("        state = ", f"        {request}\n        state = ")
    python = python.replace("matrix=sun_map.matrix", f"matrix=sun_map.matrix, {given}")
    python = f"from renderwright.engine.renderer.blobs import CameraView\n{python}"
    glsl = _block("glsl").replace("mat4 matrix;", "mat4 matrix; float time;")
    glsl = glsl.replace("corner.x,", "corner.x + 2.0 * push.time,")
    _install(monkeypatch, _sail(tmp_path, python, glsl))
    options: dict[str, Any] = {"settings": {"shadows.rate": rate}, "size": (64, 64), "backend": backend}
    with PlayedGame(SideView, enable=["sail"], **options) as played:
        middles = []
        for _ in range(3):
            _look_from(played, 4.0)
            played.picture(10)
            shadow = played.texture("sun_visibility")[..., 0] < 0.5
            middles.append(np.nonzero(shadow)[1].mean())
        assert np.diff(middles).min() > 2.0


@pytest.mark.vulkan
def test_the_test_of_a_caster_passes_as_the_page_has_it(tmp_path: Path) -> None:
    (test,) = re.findall(r"^```python\n(from pyglm import glm\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    module: Any = _sail(tmp_path)
    vars(module).update(np=np, run_node=run_node, SHADERS=tmp_path / "glsl")
    exec(compile(test, "writing-plugins.md", "exec"), vars(module))
    module.test_the_sail_is_in_its_map_alone()


def test_no_other_map_can_be_requested() -> None:
    with pytest.raises(GraphError, match="the sun has no map 4"):
        request_sun_map(Registry("sail/shadow_4", "sail"), 4)


def test_mistakes_are_told_at_the_line_of_the_node() -> None:
    def line_of(mistake: Any) -> str:
        reg = Registry("sail/shadow", "sail", facts={SUN_MAP_PLACES: [SunMapPlace(0, 0, "fits")] * 4})
        with pytest.raises(GraphError) as caught:
            mistake(reg)
        assert caught.value.where is not None
        return caught.value.where.file

    assert line_of(lambda reg: (request_sun_map(reg, 0), request_sun_map(reg, 1))) == __file__
    assert line_of(lambda reg: request_sun_map(reg, 0).matrix) == __file__


def _refused(mistake: Callable[[Registry], object], when: str) -> GraphError:
    places = [SunMapPlace(0, number, when) for number in range(4)]
    with pytest.raises(GraphError) as caught:
        mistake(Registry("sail/shadow", "sail", facts={SUN_MAP_PLACES: places}))
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
    return caught.value


@pytest.mark.parametrize("when", ["", "cascade_0"])
@pytest.mark.parametrize("own", [lambda reg: reg.every(2), lambda reg: reg.when("wind")])
def test_a_rate_beside_that_of_the_map_is_to_be_left_out(own: Callable[[Registry], object], when: str) -> None:
    error = _refused(lambda reg: (request_sun_map(reg, 0), own(reg)), when)
    assert error.message == '"sail/shadow" has the rate of the sun\'s map 0, and none of its own'
    assert error.hint == "leave out this one: the node runs in the frames in which the sun's map 0 is drawn"


@pytest.mark.parametrize("when", ["", "cascade_0"])
@pytest.mark.parametrize(
    ("own", "rate"),
    [(lambda reg: reg.every(2), "every 2 frames"), (lambda reg: reg.when("wind"), "when `wind` changes")],
)
def test_a_rate_before_that_of_the_map_is_to_be_left_out(
    own: Callable[[Registry], object], rate: str, when: str
) -> None:
    error = _refused(lambda reg: (own(reg), request_sun_map(reg, 0)), when)
    assert error.message == f'"sail/shadow" already runs {rate}, and the sun\'s map 0 gives it its rate'
    place = f"{__file__}:{own.__code__.co_firstlineno}"
    assert error.hint == (
        f"leave out the rate of {place}: the node runs in the frames in which the sun's map 0 is drawn"
    )


@pytest.mark.parametrize("when", ["", "cascade_0"])
def test_a_node_draws_one_map(when: str) -> None:
    error = _refused(lambda reg: (request_sun_map(reg, 0), request_sun_map(reg, 1)), when)
    assert error.message == "\"sail/shadow\" has the rate of the sun's map 0, and cannot have that of the sun's map 1"
    assert error.hint == "add a node for each"


def test_the_page_names_each_field() -> None:
    of_target, of_maps = SECTION.partition("A plugin that makes the maps instead")[::2]
    named = [set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) for text in (of_target, of_maps)]
    properties = {name for name in vars(SunMapTarget) if not name.startswith("_")}
    assert named == [properties, set(SunMaps.__dataclass_fields__)]


def test_the_tutorial_of_geometry_leads_to_the_section() -> None:
    tutorial = (Path(__file__).parents[1] / "docs" / "tutorials" / "geometry.md").read_text(encoding="utf-8")
    picture, _, end = tutorial.partition("## From here")
    link = "(../writing-plugins.md#shadows-of-your-own-geometry)"
    assert link in picture.partition("It has no shadow yet")[2]
    assert link in end
