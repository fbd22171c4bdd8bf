"""A game on a backend: steps the game, hands its scene to the graph, renders frames."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.dynamic_resolution import DynamicResolution, ResolutionController
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.hud.players import PlayerHuds
from renderwright.engine.input.source import InputSource
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.arrivals import Arrivals
from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.renderer.environment import EnvironmentTextures
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.hud import HudVertices
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.skeleton import VIEWPORT
from renderwright.engine.views import Split, ViewSet
from renderwright.engine.views.held import held, same_counts
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.protocol import Backend, Target
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import DeviceLostError, MissingToolError, RenderwrightError, UsageError
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.runtime.beside import ThreadWorker, Worker
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.poison import Poison
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage

log = logging.getLogger("renderwright.session")


class Session:
    """One game running on a backend.

    ``step`` plays a frame and ``render`` shows it. Plugins can be switched through ``plugins`` at any time. ``close``
    gives everything back that the session made; the backend stays the caller's. ``options``, ``repack``, ``worker`` and
    ``poison`` are the runtime's. ``stream`` brings meshes and images that appear in mid-run to the device in the
    background, so that in which frame they are seen depends on the machine; without it the frame waits for them.
    ``verify`` holds every new plan against the rules of synchronisation before it runs. With
    ``frame_time``, in seconds, ``main_view`` shrinks while the GPU takes longer (``UsageError`` if it tells no times).
    ``splits`` repeat each view over further dimensions, by name (see ``renderwright.engine.views``). While there are
    ``fixed_views``, frames show those, and nobody is asked to arrange any. ``interops`` are those of plugins that the
    backend was opened with (``renderwright.engine.plugins.find_interops``).

    When the device is lost, ``abandon`` it and ``move_to`` another backend: the game, its scene, the graph and the
    plugins with their settings stay as they are, what they have on the device is made anew.
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
        frame_time: float | None = None,
        players: int = 1,
        interops: Mapping[str, Interop] | None = None,
    ) -> None:
        self.backend = backend
        self.extent = extent
        self.strict = strict
        self.splits: dict[str, Split] = {}
        self.fixed_views: ViewSet | None = None
        self._huds = PlayerHuds(extent)
        self.context = GameContext(hud=self._huds.shown[0], seed=seed)
        self.runner = GameRunner(game(), self.context, clock=clock, source=source)
        self.set_players(players)
        self._settled = True
        self._held = False
        self.arrivals: Arrivals | None = None
        self._environment = EnvironmentTextures()
        self._repack = repack
        self._worker = worker
        self._stream = stream
        self._judge = require_sound if verify else None
        self._poison = poison
        self._upload_scene()
        self._input = FrameInput.of(self.context.scene, self._scene)
        try:
            built = build_frame(
                game,
                choice or PluginChoice(),
                extent,
                self._input,
                backend=backend.capabilities.backend,
                strict=strict,
                interops=interops,
            )
            self.graph, self.plugins, self._dimensions = built.graph, built.plugins, built.skeleton.repeated
            self.dynamic_resolution = self._follow_gpu(frame_time)
            self._provide_externals()
            self.runtime = self._make_runtime(options, first_frame=0)
            self.plugins.follow(lambda action: self.runtime.when_shown(action))
            if worker is not None:
                self.arrivals = Arrivals(self.plugins, ThreadWorker("renderwright import"))
            self.runner.start()
        except BaseException:
            self._release()
            raise

    def _upload_scene(self) -> None:
        """What the session itself has on the device."""
        self._scene = GpuScene(self.backend, stream=self._stream)
        try:
            self._atlas = self._upload_atlas()
        except BaseException:
            self._scene.close()
            raise

    def _make_runtime(self, options: CompileOptions | None, first_frame: int) -> Runtime:
        return Runtime(
            self.graph,
            self.backend,
            ShaderLibrary([GLSL]),
            options=options,
            on_failure=self._on_failure,
            first_frame=first_frame,
            repack=self._repack,
            judge=self._judge,
            poison=self._poison,
            worker=self._worker,
        )

    def _follow_gpu(self, frame_time: float | None) -> DynamicResolution | None:
        if frame_time is None:
            return None
        if not self.backend.capabilities.timestamps:
            raise UsageError(
                f"{self.backend.capabilities.device} does not tell how long a frame takes, so the resolution cannot "
                "follow that",
                hint="leave out --dynamic-resolution, or play on another device",
            )
        return DynamicResolution(self.graph, ResolutionController(frame_time))

    def _upload_atlas(self) -> PhysicalTexture:
        coverage = self._huds.atlas.coverage[:, :, np.newaxis]
        height, width = coverage.shape[:2]
        info = TextureInfo("r8_unorm", (width, height), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self.backend.create_texture(info, "hud atlas", coverage)

    def _provide_externals(self) -> None:
        graph = self.graph
        graph.set_external("image", lambda context: self._target_texture())
        graph.set_external("scene_vertices", lambda context: self._scene.vertices)
        graph.set_external("scene_indices", lambda context: self._scene.indices)
        graph.set_external("scene_instances", lambda context: self._scene.instances)
        graph.set_external("scene_previous_models", lambda context: self._scene.previous.buffer)
        graph.set_external("scene_materials", lambda context: self._scene.materials)
        graph.set_external("hud_vertices", lambda context: self._scene.hud_vertices)
        graph.set_external("hud_atlas", lambda context: self._atlas)

    def _target_texture(self) -> PhysicalTexture:
        texture = self.runtime.target_texture
        assert texture is not None
        return texture

    def _on_failure(self, failure: NodeFailure) -> None:
        if isinstance(failure.error, MissingToolError):
            raise failure.error
        if failure.plugin:
            self.plugins.quarantine(failure.plugin, failure.error)
        elif isinstance(failure.error, RenderwrightError):
            # A node of the engine's own has no plugin to blame, and no frame without it makes sense.
            raise failure.error
        else:
            raise RuntimeError(str(failure)) from failure.error

    # frames ---------------------------------------------------------------------------------------------------------

    def resize(self, extent: Extent) -> None:
        """Follow a new size of the output."""
        if extent != self.extent and min(extent) > 0:
            self.extent = extent
            self.graph.set_resolution("output", extent)

    def set_players(self, players: int) -> None:
        """Let so many play from the next step on; ``UsageError`` if the game is not for so many."""
        most = self.runner.game.max_players
        if not 1 <= players <= most:
            raise UsageError(
                f'"{self.runner.game.title}" cannot be played by {players}',
                hint=f"1 to {most} can" if most > 1 else "it is for one player",
            )
        self.context.players = players

    def step(self, dt: float = 0.0) -> None:
        """Play the game for a frame of ``dt`` seconds, without rendering it."""
        self._huds.clear()
        self._alpha = self.runner.frame(dt)
        scene = self.context.scene
        self._input.lights = LightSet.of(scene)
        self._draws = scene.draw_list(self._alpha)

    @property
    def shown_elsewhere(self) -> bool:
        """Whether the last frame was made for a display that is not the target's, which only mirrors it."""
        return self._input.views.paced

    def render(self, target: Target) -> FrameReport | None:
        """Render the game as it stands; None if nothing can be shown now."""
        self.graph.set_external_format("image", target.format)
        self.resize(target.extent)
        if self.arrivals is not None:
            self.arrivals.update()
        wanted = self.fixed_views or self._arranged(self.extent)
        self._shape_graph(wanted)
        try:
            self._environment.follow(self.context.scene.environment, self.runtime)
            self._look(wanted)
            target.paced = not self.shown_elsewhere
            report = self.runtime.render(target, self._upload)
        except BaseException as error:
            if not isinstance(error, DeviceLostError):  # with the device, what was begun for the frame is gone, too
                self.plugins.end_frame(rendered=False)
            raise
        self.plugins.end_frame(rendered=report is not None)
        if report is not None and self.dynamic_resolution is not None and not self._held:
            self.dynamic_resolution.follow(report)
        return report

    def _shape_graph(self, views: ViewSet) -> None:
        """Counts and sizes of the graph follow the views that are wanted."""
        for dimension in self._dimensions:
            self.graph.set_count(dimension, views.counts.get(dimension, 1))
        self.graph.set_resolution(VIEWPORT.name, views.viewport)

    def _look(self, wanted: ViewSet) -> None:
        """Choose the views of the frame: those ``wanted``, or those of the plan that runs as long as that is behind."""
        self._follow_graph()
        if not self._held and self.fixed_views is None:
            wanted = self._with_huds(wanted, lambda: self._arranged(self.extent))
            self._shape_graph(wanted)
            self._follow_graph()
        views = wanted
        if self._held:
            views = self._with_huds(self._held_views(wanted), lambda: self._held_views(self._plain(self.extent)))
            self.runtime.hold({VIEWPORT.name: views.viewport})
        self._input.views = views

    def _follow_graph(self) -> None:
        self.runtime.update()
        if self.fixed_views is not None and self.runtime.behind:
            self.runtime.finish_compile()
            self.runtime.update()
        self._held = self.runtime.behind

    def arrange(self, output: Extent) -> ViewSet:
        """The views of the game as it stands on an output of that size; the HUDs are made to fit them."""
        return self._with_huds(self._arranged(output), lambda: self._arranged(output))

    def _with_huds(self, views: ViewSet, again: Callable[[], ViewSet]) -> ViewSet:
        """Make the HUDs fit views; a game may point its cameras when it knows the shape of the picture."""
        if not self._huds.fit(views.views):
            return views
        self.context.huds = self._huds.shown
        self._huds.clear()
        self.runner.draw(self._alpha)
        return again()

    def _plain(self, output: Extent) -> ViewSet:
        cameras = self.context.scene.drawn_cameras(self._alpha)
        return ViewSet.of(cameras, output, self.runner.clock.time)

    def _arranged(self, output: Extent) -> ViewSet:
        return self._split(self.plugins.arrange(self._plain(output), self._dimensions))

    def _held_views(self, wanted: ViewSet) -> ViewSet:
        """The views of a plan that is behind: arranged by its plugins, or as many as it had if these do not fit it."""
        before = self._input.views
        views = self._split(self.plugins.arrange_shown(ViewSet.of(wanted.cameras, wanted.output, wanted.time)))
        return views if same_counts(views, before) else held(before, wanted)

    def _split(self, views: ViewSet) -> ViewSet:
        for dimension, split in self.splits.items():
            views = views.split(dimension, split)
        if self.splits:
            views.check(self._dimensions)
        return views

    def _upload(self, slot: int) -> None:
        self._input.hud = HudVertices.of(self._huds.vertices())
        self._scene.update(self._draws, self._input.hud.vertices, slot)
        self._input.draws = DrawSet(self._scene.draws, self._scene)

    def picture(self) -> NDArray[np.uint8]:
        """The texels of the last frame, which was for an offscreen target: uint8 (height, width, 4), sRGB-encoded."""
        texels = self.backend.read_texture(self._target_texture(), Layout.TRANSFER_SRC)
        return np.asarray(texels, np.uint8)

    # plugins --------------------------------------------------------------------------------------------------------

    def toggle(self, plugin: str) -> bool:
        """Switch a plugin on or off; whether it is on now.

        With a worker, one that has never been on is imported beside the frames, and is on then.
        """
        if self.arrivals is not None and plugin in self.arrivals.names:
            self.arrivals.cancel(plugin)
            return False
        if self.plugins.is_enabled(plugin):
            self.plugins.disable(plugin)
            return False
        if self.arrivals is not None and self.plugins.needs_import(plugin):
            self.arrivals.expect(plugin)
            return True
        self.plugins.enable(plugin)
        return self.plugins.is_enabled(plugin)

    # the device ----------------------------------------------------------------------------------------------------

    def abandon(self) -> None:
        """Let go of a lost device without giving anything back to it; its backend is the caller's to close."""
        self.runtime.abandon()
        self._environment.forget()
        self._settled = False

    def move_to(self, backend: Backend) -> None:
        """Go on with another backend, after ``abandon``: the next frame is made there, its histories begin anew."""
        self.backend = backend
        self._upload_scene()
        self._input.draws = DrawSet((), self._scene)
        self.runtime = self._make_runtime(self.runtime.options, self.runtime.frame)
        self._settled = True

    def close(self) -> None:
        """End the game and give back everything on the device, unless that is lost."""
        if self.arrivals is not None:
            self.arrivals.close()
        self.runner.close()
        self._release()

    def _release(self) -> None:
        if not self._settled:
            return
        try:
            self.backend.wait_idle()
        except DeviceLostError:
            if hasattr(self, "runtime"):
                self.runtime.abandon()
            return
        if hasattr(self, "runtime"):
            self.runtime.close()
        self._environment.release(self.backend)
        self._scene.close()
        self.backend.destroy(self._atlas)
