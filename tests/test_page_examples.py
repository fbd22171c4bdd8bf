"""Examples of pages that have no test of their own work as they stand."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine import Game, GameContext
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.plugins import PluginGraph, hookimpl
from renderwright.engine.scene import Image, Material, PointLight, Specular, Volume, load_image
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.scene import Scene
from renderwright.engine.session import Session
from renderwright.plugins.cookies import Cookie
from renderwright.render import Commands, Execute, Registry
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.node_requests import requested

DOCS = Path(__file__).parents[1] / "docs"
PICTURE = Image("picture", np.full((4, 4, 4), 200, np.uint8))


def run(page: str, **names: Any) -> dict[str, Any]:
    """The names after all examples of a page have run one after the other, with some names from the start."""
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks, f"{page} has no examples any more"
    for block in blocks:
        exec(compile(block, f"docs/{page}", "exec"), names)
    return names


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The images of the examples."""
    for name in ("window", "stain", "hole", "dent_normals", "leaf"):
        PIL.Image.fromarray(np.full((8, 8, 4), 128, np.uint8)).save(tmp_path / f"{name}.png")
    header = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n"
    (tmp_path / "hall.hdr").write_bytes(header + bytes((128, 128, 128, 128)) * 8)
    monkeypatch.chdir(tmp_path)


def played(game: type[Game], **fields: Any) -> tuple[Session, Game]:
    """Two frames of a game with fields, and the game."""
    kind = type(game.__name__, (game,), fields)
    clock = FixedStepClock(kind.step, frame=1 / 30)
    with closing(Session(kind, NullBackend(), (64, 36), clock=clock, strict=True)) as session:
        assert len(frames_of(session, 2)) == 2
        return session, session.runner.game


@pytest.mark.usefixtures("pictures")
def test_the_chapel_of_the_page_of_cookies() -> None:
    session, game = played(run("effects/cookies.md", Game=Game, glm=glm)["Chapel"])
    assert session.context.scene.lights == [game.lamp]
    (rows,) = session.context.scene.placed.drawn(1.0)
    assert rows.name == Cookie.table().rows(1.0).name
    assert game.cookie is not None


@pytest.mark.usefixtures("pictures")
def test_the_street_of_the_page_of_decals() -> None:
    street = run("effects/decals.md", Game=Game, glm=glm)["Street"]

    def setup(self: Any, context: GameContext) -> None:
        self.cart = context.scene.spawn(box(1.0), Material())
        street.setup(self, context)

    _, game = played(street, setup=setup)
    assert 0.0 <= game.hole.opacity < 1.0


def test_the_hallway_of_the_page_of_mirrors() -> None:
    session, game = played(run("effects/mirrors.md", Game=Game, glm=glm)["Hallway"])
    (rows,) = session.context.scene.placed.drawn(1.0)
    (glass,) = rows.value
    assert glass.middle == game.mirror.position


@pytest.mark.usefixtures("pictures")
def test_the_forge_of_the_page_of_particles() -> None:
    names = run("effects/particles.md", Game=Game, glm=glm, load_image=load_image)

    class Hammer:
        position = glm.vec3(0.0, 2.0, 0.0)

    _, game = played(names["Forge"], hammer=Hammer(), hits=1)
    assert game.sparks.position == Hammer.position
    assert (names["LEAVES"].cells, names["RAIN"].collision.dies) == ((8, 1), True)


@pytest.mark.usefixtures("pictures")
def test_the_surroundings_of_the_page_of_image_based_lighting() -> None:
    scene = Scene()
    given: list[object] = []

    class Noting:
        """The scene, of which each assignment of surroundings is noted."""

        sky = scene.sky

        def __setattr__(self, name: str, value: object) -> None:
            setattr(scene, name, value)
            given.append(scene.environment)

    run("effects/environment.md", scene=Noting())
    loaded, from_sky, none = given
    assert (loaded.intensity, loaded.turn, none) == (1.5, 0.5, None)  # type: ignore[attr-defined]
    assert from_sky.panorama is not loaded.panorama  # type: ignore[attr-defined]


def test_the_materials_of_the_page_of_transparency() -> None:
    names = run(
        "transparency.md", Material=Material, Specular=Specular, Volume=Volume, leaf_image=PICTURE, hair_image=PICTURE
    )
    kinds = [names[name].drawn_as for name in ("leaf", "hair", "veil", "window", "bottle")]
    assert kinds == ["mask", "mask", "blend", "blend", "blend"]


def test_the_lamp_of_the_page_of_shadows() -> None:
    scene = Scene()
    place = {"position": glm.vec3(0.0, 2.0, 0.0), "color": (1.0, 1.0, 1.0), "intensity": 5.0, "radius": 8.0}
    run("effects/shadows.md", scene=scene, PointLight=PointLight, **place)
    (lamp,) = scene.lights
    assert lamp.casts_shadow


def test_the_nodes_of_the_page_of_views(tmp_path: Path) -> None:
    names = run("views.md", hookimpl=hookimpl, PluginGraph=PluginGraph, aim=lambda reg: None, show=lambda reg: None)
    graph = PluginGraph("screen", tmp_path)
    names["renderwright_nodes"](graph)
    nodes = [node.name for node in graph.close()]
    assert (nodes[0], nodes[-1], len(nodes)) == ("screen/aim", "screen/show", 7)


@pytest.mark.parametrize(("page", "node"), [("fullscreen.md", "veil"), ("duel.md", "disturb")])
def test_nodes_that_pages_declare(page: str, node: str) -> None:
    names = run(page, Registry=Registry, Execute=Execute, Commands=Commands, VisorSettings=object)
    reg = Registry(node, "")
    given = () if page == "fullscreen.md" else ({"strength": 1.0},)
    assert callable(names[node](reg, *given))
    assert [handle.request.fullscreen for handle in requested(reg).pipelines] == [True]


def test_the_page_of_dynamic_resolution_follows_a_frame() -> None:
    game = type("Empty", (Game,), {"plugins": ()})
    with closing(Session(game, NullBackend(), (64, 36))) as session:
        with closing(session.backend.create_target(session.extent)) as target:
            session.step()
            report = session.render(target)
        names = run("dynamic-resolution.md", graph=session.graph, report=report)
    assert names["follow"] is not None


def test_the_imports_of_the_page_of_hot_reload() -> None:
    assert {"FileWatcher", "Reloader", "GLSL", "ShaderLibrary", "HeldFiles"} <= run("hot-reload.md").keys()
