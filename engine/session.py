"""A game on a backend: steps the game, passes its scene to the graph, renders frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import told_at_caller
from renderwright.engine.check_reports import CheckReports
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.dynamic_resolution import follow_gpu
from renderwright.engine.effects import SessionEffects
from renderwright.engine.externals import provide_externals
from renderwright.engine.frame import build_frame
from renderwright.engine.frame_base import FrameBase
from renderwright.engine.game import Game, GameContext, GameRunner, make_game
from renderwright.engine.game_notices import GameNotices
from renderwright.engine.games import font_files
from renderwright.engine.hud.fallback import FallbackFonts
from renderwright.engine.hud.players import PlayerHuds
from renderwright.engine.input.source import InputSource
from renderwright.engine.node_failures import NodeFailures
from renderwright.engine.options import PluginChoice
from renderwright.engine.plan_review import Reviewer
from renderwright.engine.players import check_players, with_views_of_all
from renderwright.engine.plugin_keys import check_keys, default_keys
from renderwright.engine.plugins.arrivals import Arrivals, toggle
from renderwright.engine.renderer.environment import EnvironmentTextures
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.hud_textures import HudTextures
from renderwright.engine.renderer.nodes import GLSL, follow_image_table
from renderwright.engine.renderer.scene_notices import SceneNotices
from renderwright.engine.surface_functions import SurfaceFunctions
from renderwright.engine.user_files import UserFiles
from renderwright.engine.views import Split, ViewSet
from renderwright.engine.views.held import views_behind
from renderwright.engine.views.plain_views import PlainViews
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import DeviceLostError
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.level import CheckLevel
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.plans.beside import ThreadWorker, Worker
from renderwright.render.runtime.plans.trial import Trial
from renderwright.render.runtime.recording import Recording
from renderwright.render.runtime.right_of_way import RightOfWay
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.resources import Extent


class Session:
    """One game running on a backend.

    ``step`` advances the game by a frame and ``render`` renders it. Plugins can be switched through ``plugins`` at any
    time. ``close`` releases everything that the session made; the caller owns the backend. ``options``, ``repack``,
    ``worker`` and ``poison`` are passed to the runtime. With ``stream``, meshes and images that appear in mid-run are
    uploaded in the background, and the frame that first shows them depends on the machine; without it the frame waits.
    ``verify`` checks every new plan with the oracle before it runs, ``check`` what nodes record and write;
    ``recording`` says whether their commands are kept. With ``frame_time``, in seconds, ``main_view`` shrinks while the
    GPU takes longer (``UsageError`` if the device has no timestamps). ``splits`` repeat each view over further
    dimensions, by name (see ``renderwright.engine.views``). If ``fixed_views`` is set, frames show these and plugins do
    not arrange any. ``interops`` are the plugins' that the backend was opened with (``engine.plugins.find_interops``).
    ``shaders`` replaces the library that finds the engine's shaders. ``user_files`` outlast the session.

    When the device is lost, call ``abandon``, then ``move_to`` with another backend: the game, its scene, the graph and
    the plugins with their settings stay; their resources on the device are recreated.
    """

    def __init__(
        self,
        game: type[Game],
        backend: Backend,
        extent: Extent,
        *,
        choice: PluginChoice | None = None,
        strict: bool = False,
        seed: int = 0,
        clock: FixedStepClock | None = None,
        source: InputSource | None = None,
        options: CompileOptions | None = None,
        repack: bool = False,
        worker: Worker | None = None,
        stream: bool = False,
        verify: bool = False,
        poison: Poison | None = None,
        check: CheckLevel | None = None,
        recording: Recording = Recording.KEPT,
        frame_time: float | None = None,
        players: int | None = None,
        interops: Mapping[str, Interop] | None = None,
        shaders: ShaderLibrary | None = None,
        user_files: UserFiles | None = None,
    ) -> None:
        self.backend = backend
        self._shaders = shaders or ShaderLibrary([GLSL])
        self._extent = extent
        self.strict = strict
        self.splits: dict[str, Split] = {}
        self.fixed_views: ViewSet | None = None
        self._plain_views = PlainViews()
        self._huds = PlayerHuds(extent, FallbackFonts(font_files(game), strict=strict))
        self.context = GameContext(hud=self._huds.shown[0], seed=seed, user_files=user_files or UserFiles())
        self.runner = GameRunner(make_game(game), self.context, clock=clock, source=source)
        self.set_players(game.min_players if players is None else players)
        self.arrivals: Arrivals | None = None
        self._repack, self._worker, self._stream = repack, worker, stream
        self._right_of_way = worker.right_of_way if worker is not None else RightOfWay()
        self._verify = verify
        self._poison, self._recording = poison, recording
        self.trial = Trial()  # edits of the graph that are taken back if a node fails
        # State of the current frame: how far it is between two steps, and whether the running plan keeps its own views.
        self._alpha = 1.0
        self._draws = self.context.scene.draw_list()
        self._held = False
        # Resources on the device, replaced by ``move_to``. ``_on_device`` is false between ``abandon`` and ``move_to``.
        self._on_device = True
        self._environment = EnvironmentTextures()
        self._runtime: Runtime | None = None
        self._scene, self._hud_textures = self._upload_scene()
        self._input = FrameInput.of(self.context.scene, self._scene)
        try:
            built = build_frame(
                game,
                with_views_of_all(choice or PluginChoice(), game.min_players),
                extent,
                self._input,
                backend=backend.capabilities.backend,
                strict=strict,
                interops=interops,
                trial=self.trial,
            )
            self.graph, self.plugins = built.graph, built.plugins
            self.runner.over_huds = lambda: self.plugins.frame_hooks.draw_hud(self._huds.shown)
            self._surfaces = SurfaceFunctions(self.graph, self.plugins, strict=strict)
            self.base = FrameBase(self.graph, built.skeleton, self._input)
            self._notices = SceneNotices(surfaces=self.base.switches.draws_surfaces, strict=strict)
            self._game_notices = GameNotices(game, self.plugins, strict=strict)
            self.dynamic_resolution = follow_gpu(self.graph, backend.capabilities, frame_time)
            self.check_reports = CheckReports(self.plugins, strict=strict)
            self._reviewer = Reviewer(strict=strict, paced=worker is not None, told=self.check_reports.lines)
            texels = check is CheckLevel.NAN
            self._check = FrameCheck(self.check_reports.report, texels=texels) if check is not None else None
            provide_externals(self.graph, lambda: self._scene, lambda: self._hud_textures, self._target_texture)
            self._runtime = self._make_runtime(options, first_frame=0)
            self.plugins.follow(lambda action: self.runtime.when_shown(action))
            if worker is not None:
                self.arrivals = Arrivals(self.plugins, ThreadWorker("renderwright import"))
            self.context.effects = SessionEffects(self)
            self.context.plugin_keys = default_keys(game, self.plugins.plugins())
            self.runner.start()
            check_keys(self.context.plugin_keys, self.plugins.plugins())
        except BaseException:
            self.runner.close()
            self._release()
            raise

    @property
    def runtime(self) -> Runtime:
        """The runtime; another one after ``move_to``."""
        assert self._runtime is not None
        return self._runtime

    def _upload_scene(self) -> tuple[GpuScene, HudTextures]:
        """The session's own resources on the device: the scene and the HUDs' textures."""
        scene = GpuScene(self.backend, stream=self._stream, anisotropy=self.runner.game.anisotropy)
        try:
            return scene, HudTextures(self.backend, self._huds.atlas)
        except BaseException:
            scene.close()
            raise

    def _make_runtime(self, options: CompileOptions | None, first_frame: int) -> Runtime:
        runtime = Runtime(
            self.graph,
            self.backend,
            self._shaders,
            options=options,
            on_failure=NodeFailures(self.plugins, self._surfaces),
            on_notice=self.check_reports.report,
            first_frame=first_frame,
            repack=self._repack,
            judge=self.check_reports.judge if self._verify else None,
            poison=self._poison,
            worker=self._worker,
            check=self._check,
            recording=self._recording,
            trial=self.trial,
        )
        if self.dynamic_resolution is not None:
            runtime.times.every = 1
        return runtime

    def _target_texture(self) -> PhysicalTexture:
        texture = self.runtime.target_texture
        assert texture is not None
        return texture

    # frames ---------------------------------------------------------------------------------------------------------

    @property
    def extent(self) -> Extent:
        """The size of the output, (width, height) in texels. The target that is rendered to decides on it."""
        return self._extent

    def resize(self, extent: Extent) -> None:
        """Set the size of the output, (width, height) in texels, until a target of another size is rendered to."""
        if extent != self._extent and min(extent) > 0:
            self._extent = extent
            self.graph.set_resolution("output", extent)

    def set_players(self, players: int) -> None:
        """Set the number of players from the next step on. Raises ``UsageError`` if the game does not support it."""
        check_players(self.runner.game, players)
        self.context.players = players

    def step(self, dt: float = 0.0) -> None:
        """Advance the game by a frame of ``dt`` seconds, without rendering it."""
        self._huds.clear()
        self._alpha = self.runner.frame(dt)
        scene = self.context.scene
        self._notices.follow(self.runner.game, scene, self.context.players, self.runner.clock.steps)
        self._game_notices.follow(self.context, self.arrivals.names if self.arrivals is not None else ())
        shadowed = self.plugins.shadowed_lights
        self._input.show(scene, self._alpha, shadowed)
        self._game_notices.follow_shadows(scene, self._input.lights.wanting, shadowed)
        self._draws = scene.draw_list(self._alpha)

    @property
    def shown_elsewhere(self) -> bool:
        """Whether the last frame was for another display, such as a headset, which the target only mirrors."""
        return self._input.views.paced

    def prepare(self, target: Target) -> None:
        """Bring the plan up to date with the current state of the game, without rendering it."""
        self.graph.set_external_format("image", target.format)
        self.resize(target.extent)
        if self.arrivals is not None:
            self.arrivals.update()
        arranged = self.declare()
        self._environment.follow(self.context.scene.environment, self.runtime)
        self._choose_views(arranged)

    def declare(self) -> ViewSet:
        """Have the graph the nodes, counts and sizes of the game's state but its environment's; returns the views."""
        arranged = self.fixed_views or self._arranged(self.extent)
        sprites = self.context.scene.sprites.drawn(self._alpha)
        self.base.switches.follow(self._draws, sprites, self.runner.game, direct=self._scene.draws.direct)
        self._surfaces.follow(self._draws.batches)
        self.base.shape.follow(arranged)
        return arranged

    def render(self, target: Target) -> FrameReport | None:
        """Render the current state of the game; None if nothing can be shown now."""
        with self._right_of_way.frame():
            try:
                self.plugins.frame_hooks.begin_frame(self.runner.clock.time, self.context.scene)
                self.prepare(target)
                target.paced = not self.shown_elsewhere
                report = self.runtime.render(target, self._upload)
            except BaseException as error:
                if not isinstance(error, DeviceLostError):  # the plugins' work for the frame is lost with the device
                    self.plugins.end_frame(rendered=False)
                raise
            self.plugins.end_frame(rendered=report is not None)
            if report is not None:
                self._reviewer.see(report.plan, self.plugins.enabled_without_views, report.pipelines)
                if self.dynamic_resolution is not None and not self._held:
                    self.dynamic_resolution.follow(report)
            return report

    def _choose_views(self, arranged: ViewSet) -> None:
        """Set the views of the frame: ``arranged``, or those of the running plan while it is behind."""
        self._follow_graph()
        if not self._held and self.fixed_views is None:
            shaped, arranged = arranged, self._with_huds(arranged, lambda: self._arranged(self.extent))
            if arranged is not shaped:
                self.base.shape.follow(arranged)
                self._follow_graph()
        views = arranged
        if self._held:
            views = self._with_huds(self._held_views(arranged), lambda: self._held_views(self._plain(self.extent)))
            self.runtime.hold(self.base.shape.held(views))
            self._input.hold(self.runtime.plan)
        self._input.views = views

    def _follow_graph(self) -> None:
        self.runtime.update()
        if self.fixed_views is not None and self.runtime.behind:
            self.runtime.finish_compile()
            self.runtime.update()
        self._held = self.runtime.behind

    def arrange(self, output: Extent) -> ViewSet:
        """The views of the game's current state on an output of that size; fits the HUDs to them."""
        return self._with_huds(self._arranged(output), lambda: self._arranged(output))

    def _with_huds(self, views: ViewSet, again: Callable[[], ViewSet]) -> ViewSet:
        """Fit the HUDs to views. If they change, redraw them and arrange ``again``: the game may move its cameras."""
        if not self._huds.fit(views.views):
            return views
        self.context.huds = self._huds.shown
        self._huds.clear()
        self.runner.draw(self._alpha)
        return again()

    def _plain(self, output: Extent) -> ViewSet:
        cameras = self.context.scene.drawn_cameras(self._alpha)
        return self._plain_views.of(cameras, output, self.runner.clock.time)

    def _arranged(self, output: Extent) -> ViewSet:
        arranged = self.plugins.arrange(self._plain(output), self.base.dimensions)
        return arranged.split_by(self.splits, self.base.dimensions)

    def _held_views(self, arranged: ViewSet) -> ViewSet:
        """The views of a plan that is behind."""
        return views_behind(self._input.views, arranged, self.runtime.counts, self._shown)

    def _shown(self, plain: ViewSet) -> ViewSet:
        return self.plugins.arrange_shown(plain).split_by(self.splits, self.base.dimensions)

    def _upload(self, slot: int) -> None:
        self._input.overlay(self._huds.vertices())
        self._hud_textures.update(self._huds.page)
        shown = self._input
        views, surfaces = shown.views, self._surfaces.chosen
        self._scene.update(
            self._draws, shown.hud.vertices, slot, shown.lights.rows, views.views, surfaces=surfaces, time=views.time
        )
        shown.draw(self._scene)

    def picture(self) -> NDArray[np.uint8]:
        """The texels of the last frame of an offscreen target: uint8 (height, width, 4), sRGB-encoded."""
        return np.asarray(self.backend.read_texture(self._target_texture(), Layout.TRANSFER_SRC), np.uint8)

    def capture(self, target: Target) -> dict[str, Any]:
        """Render a frame and return its capture (docs/capture.md)."""
        from renderwright.engine.capture.played import capture_frame  # few games need it

        return capture_frame(self, target)

    def show_notice(self, text: str) -> None:
        """Show a text over the first player's picture, whatever the game draws, until another one is shown."""
        self._huds.notice.show(text)

    @told_at_caller
    def toggle(self, plugin: str) -> bool:
        """Switch a plugin on or off; returns whether it is on.

        With a worker, a plugin that was never enabled is imported beside the frames and enabled after that.
        """
        return toggle(self.plugins, self.arrivals, plugin)

    def abandon(self) -> None:
        """Drop everything on a lost device without releasing it; the caller closes its backend."""
        self.runtime.abandon()
        self._environment.forget()
        self._on_device = False

    def move_to(self, backend: Backend) -> None:
        """Continue on another backend, after ``abandon``. Histories are initialised in the next frame."""
        self.backend = backend
        self._scene, self._hud_textures = self._upload_scene()
        self._input.draw(self._scene)
        follow_image_table(self.graph, self._input)
        self._runtime = self._make_runtime(self.runtime.options, self.runtime.frame)
        self._on_device = True

    def close(self) -> None:
        """End the game and release everything on the device, unless the device is lost."""
        if self.arrivals is not None:
            self.arrivals.close()
        self.runner.close()
        self._release()

    def _release(self) -> None:
        if not self._on_device:
            return
        try:
            self.backend.wait_idle()
        except DeviceLostError:
            if self._runtime is not None:
                self._runtime.abandon()
            return
        if self._runtime is not None:
            self._runtime.close()
        self._environment.release(self.backend)
        self._scene.close()
        self._hud_textures.close()
