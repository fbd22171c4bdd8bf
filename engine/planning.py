"""Compiles the plan of a game or of a skeleton alone, for inspection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.device_models import device_model
from renderwright.engine.games import find_game, game_names
from renderwright.engine.options import PlanOptions
from renderwright.engine.renderer.environment.textures import declare_environment
from renderwright.engine.session import Session
from renderwright.engine.skeleton import VIEWPORT, find_skeleton, load_skeleton, shipped_skeletons, to_snapshot
from renderwright.engine.skeleton.sizes import check_sizes, requested_resolutions
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.pipeline import Compiler, compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import PluginError, RenderwrightError, UsageError
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.order_search.better_order import plan_in_better_order
from renderwright.render.runtime.blame import breaking
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Extent, Resolution, Texture
from renderwright.render.types.views import LEAST_VIEWS

YAML_SUFFIXES = (".yaml", ".yml")


def plan_of(options: PlanOptions, model: MemoryModel | None = None) -> Plan:
    """The plan of a game's first frame, or of a skeleton if the source is a YAML file or a shipped skeleton's name.

    It needs no GPU: the game is set up and its first steps run without a device. Exceptions of the game propagate.
    Memory sizes come from ``model``, by default from that of the backend's devices.
    """
    model = model or device_model(options.backend).memory
    if is_skeleton(options.source):
        return _plan_of_skeleton(options, model)
    return _plan_of_game(options, model)


def is_skeleton(source: str) -> bool:
    """Whether the source of a plan is a skeleton by itself."""
    return source.endswith(YAML_SUFFIXES) or (source in shipped_skeletons() and source not in game_names())


def players_of(options: PlanOptions) -> int:
    """The number of players that a plan is for: without a wish as few as the game is for."""
    if options.players is not None or is_skeleton(options.source):
        return options.players or 1
    return find_game(options.source).min_players


def _compiled(snapshot: GraphSnapshot, sizes: SizeInputs, options: PlanOptions, model: MemoryModel) -> Plan:
    chosen = _compile_options(options)
    if options.search_order:
        return plan_in_better_order(Compiler(model), snapshot, sizes, chosen)
    return compile_snapshot(snapshot, sizes, chosen, model)


def _compiled_game(snapshot: GraphSnapshot, sizes: SizeInputs, options: PlanOptions, model: MemoryModel) -> Plan:
    """Like ``_compiled``. Raises ``PluginError`` if a plugin makes the compiler raise what no rule of ours foresees."""
    try:
        return _compiled(snapshot, sizes, options, model)
    except RenderwrightError:
        raise
    except Exception as error:
        failure = breaking(snapshot, lambda some: compile_snapshot(some, sizes, _compile_options(options), model))
        if failure is None:
            raise
        raise PluginError(str(failure), hint=f"--disable {failure.plugin} leaves it out") from error


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
    backend = NullBackend(backend=options.backend)
    extent = dict(options.resolutions).get("output", options.size)
    clock = FixedStepClock(game.step, frame=HEADLESS_FRAME)
    with closing(
        Session(game, backend, extent, choice=options.plugins, clock=clock, players=options.players)
    ) as session:
        graph = session.graph
        known = [rule.name for rule in graph.sizes().resolutions]
        _declare_first_frame(session)
        for dimension, count in options.counts:
            graph.set_count(dimension, count)
        for name, size in options.resolutions:
            graph.set_resolution(name, size)
        failures = graph.declare()
        if failures:
            failure = failures[0]
            raise PluginError(f'node "{failure.source.name}" cannot be declared: {failure.error}') from failure.error
        plan = _compiled_game(graph.snapshot(), graph.sizes(), options, model)
    _check_resolutions(options.resolutions, known, plan)
    return plan


def _declare_first_frame(session: Session) -> None:
    """Have the session's graph the nodes of the game's first frame. They need no shaders, as long as none runs."""
    session.step()
    session.declare()
    environment = session.context.scene.environment
    if environment is not None:
        declare_environment(session.graph, environment)


def _plan_of_skeleton(options: PlanOptions, model: MemoryModel) -> Plan:
    if players_of(options) > 1:
        raise UsageError(
            "a skeleton by itself has no players", hint=f"give a game, or --count view={options.players} for the views"
        )
    choice = options.plugins
    if choice.enable or choice.disable or choice.settings:
        raise UsageError(
            "a skeleton by itself has no plugins", hint="leave out --enable, --disable and --set, or give a game"
        )
    fixed = {"output": options.size, VIEWPORT.name: options.size, **dict(options.resolutions)}
    skeleton = load_skeleton(find_skeleton(options.source))
    rules = {rule.name: rule for rule in (skeleton.picture, *skeleton.resolutions)}
    known = {"output", VIEWPORT.name, *rules, *requested_resolutions(skeleton)}
    rules |= {name: ResolutionRule(name, size=size) for name, size in fixed.items()}
    sizes = SizeInputs(resolutions=tuple(rules.values()))
    check_sizes(skeleton, sizes.resolutions)
    plan = _compiled(to_snapshot(skeleton, dict(options.counts)), sizes, options, model)
    _check_resolutions(options.resolutions, known, plan)
    return plan
