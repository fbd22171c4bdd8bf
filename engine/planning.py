"""Compiles the plan of a game or of a skeleton alone, for inspection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from renderwright.engine.device_models import device_model
from renderwright.engine.frame import build_frame
from renderwright.engine.games import find_game, game_names
from renderwright.engine.options import PlanOptions
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene.scene import Scene
from renderwright.engine.skeleton import PICTURE, VIEWPORT, find_skeleton, load_skeleton, shipped_skeletons, to_snapshot
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.pipeline import Compiler, compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import PluginError, UsageError
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.order_search.better_order import plan_in_better_order
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Extent, Resolution, Texture
from renderwright.render.types.views import LEAST_VIEWS

YAML_SUFFIXES = (".yaml", ".yml")


def plan_of(options: PlanOptions, model: MemoryModel | None = None) -> Plan:
    """The plan of a game, or of a skeleton if the source is a YAML file or a shipped skeleton's name; needs no GPU.

    Memory sizes come from ``model``, by default from that of the backend's devices.
    """
    model = model or device_model(options.backend).memory
    if options.source.endswith(YAML_SUFFIXES) or (
        options.source in shipped_skeletons() and options.source not in game_names()
    ):
        return _plan_of_skeleton(options, model)
    return _plan_of_game(options, model)


def _compiled(snapshot: GraphSnapshot, sizes: SizeInputs, options: PlanOptions, model: MemoryModel) -> Plan:
    chosen = _compile_options(options)
    if options.search_order:
        return plan_in_better_order(Compiler(model), snapshot, sizes, chosen)
    return compile_snapshot(snapshot, sizes, chosen, model)


def _compile_options(options: PlanOptions) -> CompileOptions:
    views = LEAST_VIEWS if options.multiview else 1
    wanted = CompileOptions(
        order=options.order,
        packing=options.packing,
        queues=options.queues,
        views=views,
        unified_layouts=options.unified_layouts,
        fullscreen=options.fullscreen,
    )
    return device_model(options.backend).options(wanted)


def _check_resolutions(fixed: Sequence[tuple[str, Extent]], known: Iterable[str], plan: Plan) -> None:
    """Raise ``UsageError`` for a name in ``fixed`` that is neither ``known`` nor the size of a texture of the plan."""
    textures = [item.resource.desc for item in plan.graph.resources if isinstance(item.resource.desc, Texture)]
    names = {*known, *(texture.size.name for texture in textures if isinstance(texture.size, Resolution))}
    for name, _ in fixed:
        if name not in names:
            raise UsageError(f'unknown resolution "{name}"', hint=did_you_mean(name, names))


def _plan_of_game(options: PlanOptions, model: MemoryModel) -> Plan:
    game = find_game(options.source)
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    built = build_frame(game, options.plugins, options.size, frame, backend=options.backend)
    for dimension, count in options.counts:
        built.graph.set_count(dimension, count)
    failures = built.graph.declare()
    if failures:
        failure = failures[0]
        raise PluginError(f'node "{failure.source.name}" cannot be declared: {failure.error}') from failure.error
    known = [rule.name for rule in built.graph.sizes().resolutions]
    for name, extent in options.resolutions:
        built.graph.set_resolution(name, extent)
    plan = _compiled(built.graph.snapshot(), built.graph.sizes(), options, model)
    _check_resolutions(options.resolutions, known, plan)
    return plan


def _plan_of_skeleton(options: PlanOptions, model: MemoryModel) -> Plan:
    choice = options.plugins
    if choice.enable or choice.disable or choice.settings:
        raise UsageError(
            "a skeleton by itself has no plugins", hint="leave out --enable, --disable and --set, or give a game"
        )
    fixed = {"output": options.size, VIEWPORT.name: options.size, **dict(options.resolutions)}
    skeleton = load_skeleton(find_skeleton(options.source))
    rules = {rule.name: rule for rule in (PICTURE, *skeleton.resolutions)}
    known = {"output", VIEWPORT.name, *rules}
    rules |= {name: ResolutionRule(name, size=size) for name, size in fixed.items()}
    sizes = SizeInputs(resolutions=tuple(rules.values()))
    plan = _compiled(to_snapshot(skeleton, dict(options.counts)), sizes, options, model)
    _check_resolutions(options.resolutions, known, plan)
    return plan
