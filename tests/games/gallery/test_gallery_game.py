"""The game under the engine's runner: walking, boards, photo mode, pause, HUD. Without a device."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from renderwright.engine.effects import NoEffects
from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.games import gallery
from renderwright.games.gallery import Gallery
from renderwright.games.gallery.game import Phase
from renderwright.games.gallery.photo import SIZES
from renderwright.games.gallery.tour import load_tour, replay_of

STEP = Gallery.step
TOUR = Path(gallery.__file__).parent / "replays" / "tour.yaml"


@pytest.fixture(scope="module")
def built() -> GameRunner:
    runner = GameRunner(Gallery(), GameContext(hud=Hud(640, 360)))
    runner.start()
    return runner


@pytest.fixture
def runner(built: GameRunner) -> GameRunner:
    """The game as a visitor walks in."""
    game_of(built).show_title()
    built.frame(STEP)
    tap(built, "enter")
    return built


def game_of(runner: GameRunner) -> Gallery:
    assert isinstance(runner.game, Gallery)
    return runner.game


def tap(runner: GameRunner, key: str) -> None:
    runner.context.input.press(key)
    runner.context.input.release(key)
    runner.frame(STEP)


def hold(runner: GameRunner, key: str, seconds: float) -> None:
    runner.context.input.press(key)
    for _ in range(round(seconds / STEP)):
        runner.frame(STEP)
    runner.context.input.release(key)
    runner.frame(STEP)


def stand(runner: GameRunner, x: float, z: float, degrees: float) -> None:
    walker = game_of(runner).walker
    walker.x, walker.z, walker.gaze.yaw = x, z, math.radians(degrees)
    runner.frame(STEP)


def test_a_visitor_walks_and_turns(runner: GameRunner) -> None:
    game = game_of(runner)
    assert game.phase is Phase.WALK
    x, z = game.walker.x, game.walker.z
    hold(runner, "w", 1.0)
    assert z - game.walker.z == pytest.approx(2.2, abs=0.3)
    assert game.walker.x == pytest.approx(x, abs=0.01)
    hold(runner, "left", 0.5)
    assert game.walker.gaze.yaw == pytest.approx(0.85, abs=0.05)
    camera = runner.context.scene.camera
    assert camera.forward().x < -0.6
    assert camera.position.z == pytest.approx(game.walker.z)


def test_the_mouse_looks_around_while_a_button_is_held(runner: GameRunner) -> None:
    game, state = game_of(runner), runner.context.input
    state.move_mouse((0.0, 0.0), (0.2, 0.1))
    runner.frame(STEP)
    assert (game.walker.gaze.yaw, game.walker.gaze.pitch) == (0.0, 0.0)
    state.press("mouse_left")
    state.move_mouse((0.0, 0.0), (0.2, 0.1))
    runner.frame(STEP)
    state.release("mouse_left")
    assert game.walker.gaze.yaw == pytest.approx(-0.32)
    assert game.walker.gaze.pitch == pytest.approx(0.16)


def test_walls_stop_a_visitor_and_doors_do_not(runner: GameRunner) -> None:
    game = game_of(runner)
    stand(runner, 4.5, 7.5, 270)
    hold(runner, "w", 2.0)
    assert game.walker.x < 6.0
    stand(runner, 4.5, 4.4, 270)
    hold(runner, "w", 2.0)
    assert game.walker.x > 6.6
    assert game.room == "Winter garden"


def test_nobody_walks_through_exhibits(runner: GameRunner) -> None:
    game = game_of(runner)
    exhibit = game.museum.exhibits[0]
    stand(runner, exhibit.at[0] + 0.02, exhibit.at[1] + 3.0, 0)
    runner.context.input.press("w")
    for _ in range(200):
        runner.frame(STEP)
        assert math.dist((game.walker.x, game.walker.z), exhibit.at) >= exhibit.radius + 0.25
    runner.context.input.release("w")


def test_every_room_can_be_reached(runner: GameRunner) -> None:
    """A flood over the floor in steps of 20 cm."""
    museum, walker = game_of(runner).museum, game_of(runner).walker
    blocked = [(exhibit.at, exhibit.radius + 0.3) for exhibit in museum.exhibits]
    start = (round(walker.x / 0.2), round(walker.z / 0.2))
    known, edge = {start}, [start]
    while edge:
        column, row = edge.pop()
        for place in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            spot = (place[0] * 0.2, place[1] * 0.2)
            free = walker._free(*spot) and all(math.dist(spot, at) > radius for at, radius in blocked)
            if free and place not in known:
                known.add(place)
                edge.append(place)
    rooms = {museum.room_at(x * 0.2, z * 0.2) for x, z in known}
    assert {room.name for room in rooms if room is not None} == {room.name for room in museum.rooms}
    for station in museum.stations:
        assert min(math.dist(station.at, (x * 0.2, z * 0.2)) for x, z in known) < 1.0, station.title


def test_a_board_switches_its_effect_and_chooses_values(runner: GameRunner) -> None:
    game, effects = game_of(runner), runner.context.effects
    assert isinstance(effects, NoEffects)
    (board,) = [one for one in game.stations.boards if one.station.plugin == "ssr"]
    assert effects.is_on("ssr")
    assert effects.settings["ssr", "intensity"] == 1.0
    stand(runner, board.station.at[0] - 1.5, board.station.at[1], -90)
    assert game.stations.near(game.walker) is board
    before = board.panel.material
    tap(runner, "f")
    assert not effects.is_on("ssr")
    assert not board.on
    assert board.panel.material is before
    runner.frame(STEP)
    assert board.panel.material is not before, "a frame behind"
    tap(runner, "f")
    tap(runner, "1")
    assert effects.is_on("ssr")
    assert effects.settings["ssr", "intensity"] == 0.5
    for _ in range(len(board.station.settings["intensity"]) - 1):
        tap(runner, "1")
    assert effects.settings["ssr", "intensity"] == 1.0
    effects.switch("ssr", on=False)
    runner.frame(STEP)
    assert not board.on, "boards follow what is switched elsewhere"
    effects.switch("ssr", on=True)
    stand(runner, board.station.at[0] - 1.5, board.station.at[1], 90)
    assert game.stations.near(game.walker) is None, "it is behind"


def test_no_board_is_drawn_in_a_frame_that_shows_another_state(
    runner: GameRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    stations, effects = game_of(runner).stations, runner.context.effects
    for _ in stations.boards:
        runner.frame(STEP)  # draws a board ahead
    drawn: list[str] = []
    monkeypatch.setattr("renderwright.games.gallery.stations.text_image", lambda name, *rest: drawn.append(name))
    for on in (False, True):
        effects.switch("ssr", on=on)
        for _ in range(3):
            runner.frame(STEP)
        (board,) = [one for one in stations.boards if one.station.plugin == "ssr"]
        assert board.panel.material is board.drawn[on, tuple(board.chosen)]
    assert drawn == []


def test_a_board_that_is_switched_in_two_steps_of_a_frame_is_as_before(runner: GameRunner) -> None:
    stations, effects = game_of(runner).stations, runner.context.effects
    board = stations.boards[0]
    before = effects.is_on(board.station.plugin)
    stations.switch(board)
    assert effects.is_on(board.station.plugin) != before
    stations.switch(board)
    assert effects.is_on(board.station.plugin) == before


def test_all_values_of_all_boards_are_valid(runner: GameRunner) -> None:
    from renderwright.engine.plugins.host import PluginHost
    from renderwright.render.graph.frame_graph import FrameGraph

    host = PluginHost(FrameGraph())
    for station in game_of(runner).museum.stations:
        host.load(station.plugin)
        for key, values in station.settings.items():
            for value in values:
                host.set(station.plugin, key, value)


def test_photo_mode_flies_zooms_and_asks_for_a_picture(runner: GameRunner) -> None:
    game, context = game_of(runner), runner.context
    runner.frame(STEP)
    tap(runner, "c")
    assert game.phase is Phase.PHOTO
    before = context.scene.draw_list(1.0).models.copy()
    hold(runner, "e", 1.0)
    hold(runner, "equal", 1.0)
    assert context.scene.camera.position.y > 3.0
    assert context.scene.camera.fov_y < math.radians(40)
    assert (context.scene.draw_list(1.0).models == before).all(), "time stands still"
    for _ in range(3):
        tap(runner, "tab")
    assert game.photo.wish.extent == (15360, 8640)
    tap(runner, "enter")
    assert context.picture_wish == SIZES[3][1]
    context.hud.clear()  # type: ignore[attr-defined]
    game.draw(1.0)
    assert len(context.hud.vertices()) == 0, "the picture has no HUD"  # type: ignore[attr-defined]
    context.picture_wish = None
    tap(runner, "c")
    assert game.phase is Phase.WALK
    assert context.scene.camera.position.y < 2.0


def test_pause_and_the_way_out(runner: GameRunner) -> None:
    game = game_of(runner)
    tap(runner, "p")
    z = game.walker.z
    hold(runner, "w", 0.3)
    assert game.walker.z == z
    tap(runner, "p")
    hold(runner, "w", 0.3)
    assert game.walker.z < z
    tap(runner, "escape")
    assert game.phase is Phase.TITLE
    assert not runner.context.quit_requested
    tap(runner, "escape")
    assert runner.context.quit_requested
    runner.context.quit_requested = False


def test_the_hud_has_something_to_say_everywhere(runner: GameRunner) -> None:
    game, hud = game_of(runner), runner.context.hud
    assert isinstance(hud, Hud)

    def said() -> int:
        hud.clear()
        game.draw(1.0)
        return len(hud.vertices())

    walk = said()
    stand(runner, 4.4, 3.0, -90)
    board = said()
    tap(runner, "p")
    paused = said()
    tap(runner, "p")
    tap(runner, "c")
    photo = said()
    tap(runner, "escape")
    assert min(walk, board, photo, said()) > 60
    assert paused > board


def test_the_tour_visits_all_rooms_and_ends_where_it_began() -> None:
    script = load_replay(TOUR, InputMap.from_dict(Gallery.controls))
    runner = GameRunner(Gallery(), GameContext(), source=ReplaySource(script, STEP))
    runner.start()
    game, visited, phases = game_of(runner), [], []
    for _ in range(5030):
        runner.frame(STEP)
        if game.phase is not Phase.TITLE and game.room and game.room not in visited:
            visited.append(game.room)
        if game.phase not in phases:
            phases.append(game.phase)
    assert visited == ["Hall", "Winter garden", "Glass", "Atelier", "Mirror", "Light"]
    assert phases == [Phase.TITLE, Phase.WALK, Phase.PHOTO]
    assert (game.phase, game.room) == (Phase.WALK, "Hall")
    effects = runner.context.effects
    assert effects.is_on("ssr")
    assert effects.settings["tonemap", "exposure"] == 0.6  # type: ignore[attr-defined]


def test_the_tour_is_the_one_that_the_guide_writes() -> None:
    assert TOUR.read_text(encoding="utf-8") == replay_of(load_tour())
