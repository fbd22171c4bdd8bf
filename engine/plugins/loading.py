"""Import of a plugin, checks of its hooks, and calls of each plugin's hooks on their own."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import pluggy
from pydantic import BaseModel, ValidationError

from renderwright.engine.class_location import class_location
from renderwright.engine.entry_points import HOOK_PREFIX
from renderwright.engine.plugins import hookspecs
from renderwright.engine.plugins.discovery import FoundPlugin
from renderwright.engine.plugins.graph import PluginGraph, PluginNode
from renderwright.engine.plugins.hook_times import IMPORT, HookTimes
from renderwright.engine.plugins.hookspecs import PROJECT
from renderwright.engine.plugins.info import SUPPORTED_APIS, PluginInfo
from renderwright.engine.plugins.settings import describe_settings
from renderwright.engine.scene.placements import kind_problem
from renderwright.engine.views import ViewSet
from renderwright.render.backend.interop import Interop
from renderwright.render.errors import PluginError, SourceLocation
from renderwright.render.graph.source import function_location
from renderwright.render.suggest import did_you_mean

_INFO = "renderwright_info"
_INSTEAD = {"renderwright_nodes": '; graph.add_node("name", declare) adds a node'}
"""What a hook does instead of returning something."""


class Turn(IntEnum):
    """When an implementation of a hook is called among those of other plugins: ``tryfirst``, plain, ``trylast``."""

    FIRST = 0
    PLAIN = 1
    LAST = 2


@dataclass(frozen=True)
class Hook:
    """A plugin's implementation of a hook, the names of the arguments that it takes, and where it is."""

    argnames: tuple[str, ...]
    function: Callable[..., Any]
    turn: Turn = Turn.PLAIN
    where: SourceLocation | None = None


@dataclass(frozen=True, eq=False)
class LoadedPlugin:
    """An imported plugin whose hooks match their specifications."""

    info: PluginInfo
    settings: BaseModel | None
    file: str
    hooks: Mapping[str, Hook]

    @property
    def shader_path(self) -> Path:
        """The folder ``glsl`` beside its code."""
        return Path(self.file).parent / "glsl"

    @property
    def arranges(self) -> bool:
        """Whether it arranges the views of frames."""
        return "renderwright_views" in self.hooks

    @property
    def arranges_at(self) -> tuple[Turn, str]:
        """Its place among the plugins that arrange views: by turn, then by name."""
        return self.hooks["renderwright_views"].turn if self.arranges else Turn.PLAIN, self.info.name

    def interop(self, settings: BaseModel | None) -> Interop | None:
        """Call ``renderwright_interop``. Propagates the plugin's exceptions."""
        interop: Interop | None = _call(self.hooks, "renderwright_interop", settings=settings)
        methods = [name for name in vars(Interop) if not name.startswith("_")]
        if interop is not None and not all(callable(getattr(interop, name, None)) for name in methods):
            raise PluginError(
                f"renderwright_interop returns {reprlib.repr(interop)}, which is no Interop",
                hint=f"return None, or an object with the methods {', '.join(methods)}, and a name",
                where=self.hooks["renderwright_interop"].where,
            )
        return interop

    def graph(self, settings: BaseModel | None, interop: Interop | None) -> tuple[tuple[PluginNode, ...], int | None]:
        """Nodes of the plugin with these settings, and its ``PluginGraph.shadowed_lights``.

        Propagates the plugin's exceptions.
        """
        graph = PluginGraph(self.info.name, self.shader_path)
        try:
            self.call("renderwright_nodes", graph=graph, settings=settings, interop=interop)
        finally:
            nodes = graph.close()
        lights = graph.shadowed_lights
        if lights is not None and (not isinstance(lights, int) or isinstance(lights, bool)):
            raise PluginError(
                f'plugin "{self.info.name}" sets shadowed_lights to {reprlib.repr(lights)}, which is no whole number',
                hint="give an int, or leave it out",
                where=self.hooks["renderwright_nodes"].where,
            )
        return nodes, lights

    def arrange(self, views: ViewSet, settings: BaseModel | None, interop: Interop | None) -> ViewSet:
        """Call ``renderwright_views``. Propagates the plugin's exceptions."""
        if not self.arranges:
            return views
        arranged = _call(self.hooks, "renderwright_views", views=views, settings=settings, interop=interop)
        if not isinstance(arranged, ViewSet):
            raise PluginError(
                f"renderwright_views returns {arranged!r}",
                hint="return a ViewSet, such as the one given",
                where=self.hooks["renderwright_views"].where,
            )
        return arranged

    def end_frame(self, rendered: bool, settings: BaseModel | None, interop: Interop | None) -> None:
        """Call ``renderwright_end_frame``. Propagates the plugin's exceptions."""
        self.call("renderwright_end_frame", rendered=rendered, settings=settings, interop=interop)

    def call(self, hook: str, **arguments: Any) -> None:
        """Call a hook that has no result; ``PluginError`` if it returns one. Propagates the plugin's exceptions."""
        result = _call(self.hooks, hook, **arguments)
        if result is not None:
            raise PluginError(
                f"{hook} returns {reprlib.repr(result)}, which is not used",
                hint=f"return nothing{_INSTEAD.get(hook, '')}",
                where=self.hooks[hook].where,
            )

    def disabled(self, settings: BaseModel | None, interop: Interop | None) -> None:
        """Call ``renderwright_disabled``. Propagates the plugin's exceptions."""
        self.call("renderwright_disabled", settings=settings, interop=interop)


class PluginLoader:
    """Loads plugins through pluggy one at a time, so that an invalid plugin does not affect the others.

    ``times`` collects the times of imports and hooks.
    """

    def __init__(self, times: HookTimes | None = None) -> None:
        self._times = times or HookTimes()
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hookspecs)

    def load(self, found: FoundPlugin) -> LoadedPlugin:
        """Import and check a plugin. Propagates any exception; a plugin that fails is not registered."""
        plugin = self._times.timed(found.name, IMPORT, found.load)()
        # Hooks of another API would be unknown below.
        info = self._info(found.name, plugin)
        _check_api(found.name, info)
        self._check_names(found.name, plugin)
        self._manager.register(plugin, found.name)
        try:
            return self._checked(found, plugin, info)
        except BaseException:
            self._manager.unregister(plugin)
            raise

    def _info(self, name: str, plugin: object) -> object:
        """What ``renderwright_info`` returns; None without the hook, or if the hook is invalid."""
        for attribute in dir(plugin):
            options = self._manager.parse_hookimpl_opts(plugin, attribute)
            if options is None or (options.get("specname") or attribute) != _INFO:
                continue
            hook = pluggy.HookImpl(plugin, "", getattr(plugin, attribute), options)
            if not (hook.wrapper or hook.hookwrapper or hook.argnames):
                return self._timed(name, _INFO, hook).function()
        return None

    def _checked(self, found: FoundPlugin, plugin: object, info: object) -> LoadedPlugin:
        self._manager.check_pending()
        hooks = self._implementations(plugin)
        for name, hook in hooks.items():
            if hook.wrapper or hook.hookwrapper:
                raise PluginError(
                    f'{name} of plugin "{found.name}" is a hook wrapper',
                    hint="use a plain @hookimpl: each plugin's hooks are called on their own",
                )
        timed = {name: self._timed(found.name, name, hook) for name, hook in hooks.items()}
        where = timed[_INFO].where if _INFO in timed else None
        if info is None:
            info = PluginInfo(found.name, found.version)
        if not isinstance(info, PluginInfo):
            raise PluginError(
                f"renderwright_info returns {reprlib.repr(info)}, which is no PluginInfo",
                hint=f'return PluginInfo("{found.name}", "{found.version or "1.0"}")',
                where=where,
            )
        if info.name != found.name:
            raise PluginError(
                f'the plugin is named "{info.name}" in renderwright_info, but "{found.name}" in its entry point',
                hint="use one name for both; it is the namespace of the plugin's nodes",
                where=where,
            )
        _check_kinds(info)
        return LoadedPlugin(info, _default_settings(timed), _file(plugin), timed)

    def _timed(self, plugin: str, name: str, hook: pluggy.HookImpl) -> Hook:
        turn = Turn.FIRST if hook.tryfirst else Turn.LAST if hook.trylast else Turn.PLAIN
        return Hook(
            tuple(hook.argnames), self._times.timed(plugin, name, hook.function), turn, function_location(hook.function)
        )

    def _implementations(self, plugin: object) -> dict[str, pluggy.HookImpl]:
        callers = self._manager.get_hookcallers(plugin) or []
        return {
            caller.name: implementation
            for caller in callers
            for implementation in caller.get_hookimpls()
            if implementation.plugin is plugin
        }

    def _check_names(self, name: str, plugin: object) -> None:
        known = [hook for hook in vars(hookspecs) if hook.startswith(HOOK_PREFIX)]
        for attribute in dir(plugin):
            function = getattr(plugin, attribute)
            if not attribute.startswith(HOOK_PREFIX) or not inspect.isroutine(function):
                continue
            where = function_location(function)
            options = self._manager.parse_hookimpl_opts(plugin, attribute)
            if options is None:
                raise PluginError(
                    f'{attribute} of plugin "{name}" is not marked as a hook',
                    hint="put @hookimpl above it, or rename it",
                    where=where,
                )
            hook = options.get("specname") or attribute
            if hook not in known and not options.get("optionalhook"):
                raise PluginError(
                    f'plugin "{name}" implements an unknown hook, {hook}', hint=did_you_mean(hook, known), where=where
                )
            if hook in known:
                given = inspect.signature(getattr(hookspecs, hook)).parameters
                taken = pluggy.HookImpl(plugin, name, function, options).argnames
                unknown = next((argument for argument in taken if argument not in given), "")
                if unknown:
                    raise PluginError(
                        f'{hook} of plugin "{name}" has an unknown argument, {unknown}',
                        hint=did_you_mean(unknown, given),
                        where=where,
                    )


def _check_api(name: str, info: object) -> None:
    if isinstance(info, PluginInfo) and info.api not in SUPPORTED_APIS:
        raise PluginError(
            f'plugin "{name}" needs plugin API {info.api}; this version of renderwright has API '
            + " and ".join(SUPPORTED_APIS),
            hint="install a version of renderwright with that API, or a version of the plugin for this one",
        )


def _check_kinds(info: PluginInfo) -> None:
    for kind in info.placed:
        problem, hint = kind_problem(kind)
        if problem:
            raise PluginError(
                f'plugin "{info.name}" draws things of a kind that cannot be placed: {problem}',
                hint=hint,
                where=class_location(kind),
            )


def _call(hooks: Mapping[str, Hook], name: str, **arguments: Any) -> Any:
    hook = hooks.get(name)
    return None if hook is None else hook.function(*(arguments[argument] for argument in hook.argnames))


def _default_settings(hooks: Mapping[str, Hook]) -> BaseModel | None:
    model = _call(hooks, "renderwright_settings")
    if model is None:
        return None
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        hint = "return a pydantic model class, or None"
        if isinstance(model, BaseModel):
            hint = f"return the class itself: {type(model).__name__}"
        raise PluginError(
            f"renderwright_settings returns {reprlib.repr(model)}, which is no pydantic model class",
            hint=hint,
            where=hooks["renderwright_settings"].where,
        )
    required = [key for key, field in model.model_fields.items() if field.is_required()]
    if required:
        raise PluginError(
            f"{model.__name__}.{required[0]} has no default",
            hint="give every setting a default",
            where=class_location(model),
        )
    settings = model()
    _require_valid_defaults(settings)
    _require_description(settings)
    return settings


def _require_valid_defaults(settings: BaseModel) -> None:
    """Pydantic takes defaults as they are: a wrong one would fail in the plugin's own code."""
    model = type(settings)
    try:
        model.model_validate(settings.model_dump(round_trip=True, warnings=False))
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(str(part) for part in problem["loc"])
        raise PluginError(
            f"the default of {model.__name__}.{key} is invalid: {reprlib.repr(problem['input'])}: {problem['msg']}",
            hint="give a default of the setting's type and within its bounds",
            where=class_location(model),
        ) from None


def _require_description(settings: BaseModel) -> None:
    """The command line, the HUD and preferences show settings and their values."""
    try:
        describe_settings(type(settings))
        settings.model_dump(mode="json")
    except Exception as error:
        raise PluginError(
            f"its settings cannot be described: {type(settings).__name__}: {str(error).splitlines()[0]}",
            hint="give every setting a plain type: a number, a bool, a text, a Literal, or a list or tuple of these",
            where=class_location(type(settings)),
        ) from error


def _file(plugin: object) -> str:
    code = plugin if inspect.ismodule(plugin) or inspect.isclass(plugin) else type(plugin)
    return str(Path(inspect.getfile(code)).resolve())
