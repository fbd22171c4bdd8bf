"""The base class of games, the context that they receive, and the runner of their steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, cast

from renderwright.engine.caller import caller_location
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.effects import Effects, NoEffects
from renderwright.engine.game_class import input_map
from renderwright.engine.game_hooks import check_hooks, check_init
from renderwright.engine.input.source import InputSource, InputWatcher
from renderwright.engine.input.state import InputState
from renderwright.engine.players import check_players
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.model_loading import Failed, ModelArrivals, ModelLoading, Then, load_gltf_beside
from renderwright.engine.scene.scene import Scene
from renderwright.engine.user_files import UserFiles
from renderwright.render.errors import UsageError
from renderwright.render.graph.source import function_location
from renderwright.render.types.resources import Extent

#: Red, green, blue and opacity from 0 to 1, as displayed (sRGB).
HudColor = tuple[float, float, float, float]
Align = Literal["left", "center", "right"]


class Hud(Protocol):
    """Text and boxes over the picture.

    Coordinates are reference pixels, from the top left, x right and y down; the host scales them to the window. The HUD
    is empty at the start of every frame.
    """

    @property
    def width(self) -> float:
        """Width of the HUD in reference pixels."""

    @property
    def height(self) -> float:
        """Height of the HUD in reference pixels."""

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float = 18,
        color: HudColor = (1.0, 1.0, 1.0, 1.0),
        align: Align = "left",
    ) -> None:
        """Draw ``string`` with its top at ``y`` and its left end, middle or right end at ``x``."""

    def rect(self, x: float, y: float, w: float, h: float, color: HudColor) -> None:
        """Fill a box whose top left corner is (x, y)."""

    def image(
        self,
        x: float,
        y: float,
        image: Image,
        w: float | None = None,
        h: float | None = None,
        color: HudColor = (1.0, 1.0, 1.0, 1.0),
        *,
        part: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Draw an image, or ``part`` (x, y, width, height in texels) of it, with its top left corner at (x, y)."""


class NoHud:
    """A HUD that shows nothing, for tests and hosts without one."""

    width: float = 1280.0
    height: float = 720.0

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float = 18,
        color: HudColor = (1.0, 1.0, 1.0, 1.0),
        align: Align = "left",
    ) -> None:
        """Show nothing."""

    def rect(self, x: float, y: float, w: float, h: float, color: HudColor) -> None:
        """Show nothing."""

    def image(
        self,
        x: float,
        y: float,
        image: Image,
        w: float | None = None,
        h: float | None = None,
        color: HudColor = (1.0, 1.0, 1.0, 1.0),
        *,
        part: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Show nothing."""


@dataclass(frozen=True)
class PictureWish:
    """A picture that a game wants to be saved: its size in texels, and columns and rows of tiles to render it in."""

    extent: Extent
    tiles: tuple[int, int] = (1, 1)
    border: int = 128


@dataclass
class GameContext:
    """The host's interface for a game.

    ``players`` is the number of players; it may change between steps. ``huds`` has one HUD for each player whose view
    is shown, ``hud`` is the first. ``random`` is seeded with ``seed``: a game that takes all random numbers from it and
    all time from ``update`` is reproducible. ``plugin_keys`` names the plugin that each function key switches (``f1``,
    ``shift+f1``). The host fills it before ``setup`` (``renderwright.engine.plugin_keys``); the game may change it at
    any time. ``effects`` switches plugins and changes their settings. ``user_files`` keeps texts between runs, such as
    best times; a reproducible run has none.
    """

    scene: Scene = field(default_factory=Scene)
    input: InputState = field(default_factory=InputState)
    hud: Hud = field(default_factory=NoHud)
    huds: tuple[Hud, ...] = ()
    players: int = 1
    seed: int = 0
    random: random.Random = field(default_factory=random.Random)
    quit_requested: bool = False
    picture_wish: PictureWish | None = None
    plugin_keys: dict[str, str] = field(default_factory=dict)
    #: The models that ``load_model`` is loading.
    arrivals: ModelArrivals = field(default_factory=ModelArrivals)
    user_files: UserFiles = field(default_factory=UserFiles)
    effects: Effects = field(default_factory=NoEffects)

    def __post_init__(self) -> None:
        self.random.seed(self.seed)
        self.huds = self.huds or (self.hud,)

    def load_model(self, path: str | Path, then: Then, failed: Failed | None = None) -> ModelLoading:
        """Load a model on a thread, and call ``then`` with it before the step that finds it there.

        An error goes to ``failed``; without it, that step raises it. The step depends on the machine, so a game that
        is to be reproducible loads its models in ``setup``.
        """
        loading = load_gltf_beside(path)
        self.arrivals.expect(loading, then, failed)
        return loading

    def request_picture(self, wish: PictureWish) -> None:
        """Ask the host to save a picture of the moment after this frame (docs/screenshots.md), beside those of Ctrl+S.

        A frame has one; the HUD is in it as the game draws it. A test, or another host without files, takes none.
        """
        self.picture_wish = wish

    def request_quit(self) -> None:
        """Ask the host to end the game after this frame."""
        self.quit_requested = True


class _NameOfClass:
    """The name of the class on which it is read."""

    def __get__(self, instance: object, kind: type) -> str:
        return kind.__name__


class Game:
    """A game: subclass it, set the class attributes, fill the scene in ``setup`` and move it in ``update``.

    ::

        class Spinner(Game):
            title = "Spinner"

            def setup(self, context):
                self.cube = context.scene.spawn(box(), Material())

            def update(self, dt):
                self.cube.transform.rotation *= glm.angleAxis(dt, glm.vec3(0, 1, 0))
    """

    #: The title of the window; the name of the class, unless a game sets another.
    title: ClassVar[str] = cast(str, _NameOfClass())
    #: The skeleton graph to render with: a shipped one's name, or a path, relative to the file of the game.
    skeleton: ClassVar[str] = "deferred"
    #: The plugins that are enabled at the start.
    plugins: ClassVar[tuple[str, ...]] = ("shadows", "bloom", "tonemap")
    #: Duration of a fixed step, in seconds, at most 1: ``1 / 60`` for sixty steps a second.
    step: ClassVar[float] = 1.0 / 120.0
    #: The fewest players; the game starts with so many unless the user asks for more.
    min_players: ClassVar[int] = 1
    #: The most players. A game for several has a camera in ``scene.cameras`` for each of ``context.players``.
    max_players: ClassVar[int] = 1
    #: Font files for HUD texts in scripts that the embedded font lacks, in the order of preference; relative paths are
    #: relative to the file of the game. After them, the system's fonts are searched.
    fonts: ClassVar[tuple[str | Path, ...]] = ()
    #: Anisotropic filtering of the images of materials, from 1 (none) to 16; a device may do less.
    anisotropy: ClassVar[float] = 8.0
    #: Instances from which on those outside of a view or shadow map are not drawn there, and levels of detail are
    #: chosen; None: never.
    culling: ClassVar[int | None] = 256
    #: Instances from which on those that others hide are not drawn, in a scene that is culled; None: never.
    occlusion: ClassVar[int | None] = 4096
    #: The input map, in the form that ``InputMap.from_dict`` accepts.
    controls: ClassVar[Mapping[str, Any]] = {}

    #: The game's context, set before ``setup``.
    context: GameContext
    #: Whether a runner has started the game.
    _started_by_runner = False

    def setup(self, context: GameContext) -> None:
        """Fill the scene; called once."""

    def update(self, dt: float) -> None:
        """Advance by ``dt`` seconds, which is always ``step``; called for every fixed step."""

    def draw(self, alpha: float) -> None:
        """Draw the HUD. Called once a frame; ``alpha`` interpolates from the second-last step (0) to the last (1)."""

    def close(self) -> None:
        """Release the resources that ``setup`` acquired; called once, also after an error."""


def make_game(kind: type[Game]) -> Game:
    """A game of a class. Raises ``UsageError`` if its ``__init__`` needs arguments, and what that raises."""
    check_init(kind)
    return kind()


def _check_instance(game: object) -> None:
    if isinstance(game, Game):
        if not game._started_by_runner:
            return
        name = type(game).__name__
        what, hint = f"a {name} that has been played before", f"give a new instance: {name}()"
    elif isinstance(game, type) and issubclass(game, Game):
        what, hint = f"the class {game.__name__}", f"give an instance: GameRunner({game.__name__}(), ...)"
    else:
        what, hint = shortened(game), "give an instance of a subclass of renderwright.engine.Game"
    raise UsageError(f"GameRunner cannot run {what}", hint=hint, where=caller_location())


def _check_method(argument: str, value: object, method: str) -> None:
    if value is not None and not callable(getattr(value, method, None)):
        raise UsageError(
            f"the {argument} of GameRunner cannot be {shortened(value)}",
            hint=f"give an object with the method {method}(state, step)",
            where=caller_location(),
        )


class GameRunner:
    """Steps a game without a window or a renderer: the host calls ``frame`` and draws the scene with its result."""

    def __init__(
        self,
        game: Game,
        context: GameContext,
        *,
        clock: FixedStepClock | None = None,
        source: InputSource | None = None,
        watcher: InputWatcher | None = None,
    ) -> None:
        """``clock`` must have the game's step. Without it, a frame lasts the ``dt`` of ``frame``.

        ``source`` provides input before every step (such as a replay), ``watcher`` observes it (such as a recorder).
        Raises ``UsageError`` if the steps of clock and game differ, if a hook of the game cannot be called, or if the
        game has been played before.
        """
        _check_instance(game)
        _check_method("source", source, "feed")
        _check_method("watcher", watcher, "watch")
        check_hooks(game)
        self.game = game
        self.context = context
        self.clock = clock or FixedStepClock(game.step)
        if self.clock.step != game.step:
            raise UsageError(
                f"the clock's step is {self.clock.step} s, the game's {game.step} s",
                hint="create the clock with game.step",
            )
        self.source = source
        self.watcher = watcher
        #: Draws over the HUDs, behind the game.
        self.over_huds: Callable[[], None] | None = None
        self._running = False

    def start(self) -> None:
        """Set the game up. If ``setup`` raises, the game is closed and the error propagates.

        Raises ``UsageError`` if the game is not for as many players as the context has.
        """
        check_players(self.game, self.context.players, caller_location())
        if self.game.controls:
            self.context.input.map = input_map(self.game)
        self.game.context, self.game._started_by_runner = self.context, True
        self._running = True
        try:
            self.game.setup(self.context)
            self._check_scene("setup")
        except BaseException:
            self.close()
            raise
        self.context.scene.snap()

    def frame(self, dt: float = 0.0) -> float:
        """Run the steps of a frame of ``dt`` seconds and draw the HUD; returns the alpha to draw the scene with."""
        if not self._running:
            self.start()
        steps, alpha = self.clock.advance(dt)
        first = self.clock.steps - steps
        for step in range(first, first + steps):
            if self.source is not None:
                self.source.feed(self.context.input, step)
            self.context.input.begin_step()
            if self.watcher is not None:
                self.watcher.watch(self.context.input, step)
            if step > first:  # ``draw`` checks what the last step has made
                self._check_scene("update", "setup")
            self.context.scene.begin_step(self.clock.step)
            self.context.arrivals.deliver()
            self.game.update(self.clock.step)
        self.draw(alpha)
        return alpha

    def draw(self, alpha: float) -> None:
        """Let the game draw its HUD; called again in the same frame if the HUD was replaced."""
        self.game.draw(alpha)
        self._check_scene("update", "draw", "setup")
        if self.over_huds is not None:
            self.over_huds()

    def _check_scene(self, *hooks: str) -> None:
        """Check the scene. A value that was changed in place is told at the first of these hooks that the game has."""
        try:
            self.context.scene.check()
        except UsageError as error:
            hook = next((name for name in hooks if getattr(type(self.game), name) is not getattr(Game, name)), "")
            if error.where is None and hook:
                error.where = function_location(getattr(type(self.game), hook))
                error.hint = f"{error.hint}; look in `{hook}`, which begins at this line, and in what it calls"
            raise

    def close(self) -> None:
        """Close the game, once."""
        if self._running:
            self._running = False
            self.game.close()
