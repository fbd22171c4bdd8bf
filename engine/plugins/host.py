"""The plugin host: finds plugins, enables and disables them while the game runs, and isolates their failures."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from renderwright.engine.caller import told_at_caller
from renderwright.engine.options import SettingChange
from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins
from renderwright.engine.plugins.frame_hooks import EnabledPlugin, FrameHooks
from renderwright.engine.plugins.graph import NodeSink, PluginNode
from renderwright.engine.plugins.hook_times import HookTimes
from renderwright.engine.plugins.installed import InstalledPlugins
from renderwright.engine.plugins.interops import FailedInterop
from renderwright.engine.plugins.loading import LoadedPlugin, PluginLoader
from renderwright.engine.plugins.reasons import reason_of, traceback_advice
from renderwright.engine.plugins.remembered import report_left_out, with_remembered
from renderwright.engine.plugins.settings import changed_settings, not_loaded
from renderwright.engine.plugins.shown import ShownPlugin, WhenShown
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.engine.plugins.unknown import unknown_plugin
from renderwright.engine.views import ViewSet
from renderwright.render.backend.interop import Interop
from renderwright.render.errors import CODE_FAILURES, PluginError, UsageError
from renderwright.render.runtime.failures import FailurePhase, NodeFailure
from renderwright.render.runtime.plans.trial import Trial

_log = logging.getLogger("renderwright.plugins")


class PluginHost:
    """The plugins of one frame graph.

    ``sink`` receives the nodes. ``backend`` names the active backend, for plugins that need a certain one. With
    ``strict``, a failing plugin raises ``PluginError`` instead of logging a warning. ``found`` holds the installed
    plugins (None: the entry points of group ``renderwright``). ``environment`` holds the allow and block lists (None:
    the process's environment). ``interops`` holds the plugins' interops by plugin name. ``remembered`` are values of
    settings that a plugin starts with; an invalid one is a warning. A failure of a hook in a frame first takes back the
    edits on ``trial``. Raises ``UsageError`` if the allow list names a plugin that is not installed.

    A status is the requested state. The frames follow when their plan is ready: until then a plugin that was disabled
    is *shown* with its old settings, and one that was enabled is not.
    """

    def __init__(
        self,
        sink: NodeSink,
        *,
        backend: str = "vulkan",
        strict: bool = False,
        found: Sequence[FoundPlugin] | None = None,
        environment: Mapping[str, str] | None = None,
        interops: Mapping[str, Interop] | None = None,
        remembered: Sequence[SettingChange] = (),
        trial: Trial | None = None,
    ) -> None:
        self._trial = trial or Trial()
        self._sink = sink
        self._backend = backend
        self._strict = strict
        self._interops = dict(interops or {})
        self.remembered = remembered
        self.left_out: list[SettingChange] = []
        """The remembered values that imported plugins do not take, which has been reported."""
        self.hook_times = HookTimes()
        """Times of the plugins' hooks."""
        self._loader = PluginLoader(self.hook_times)
        self._loaded: dict[str, LoadedPlugin] = {}
        variables = os.environ if environment is None else environment
        self._installed = InstalledPlugins(find_plugins() if found is None else found, variables, strict=strict)
        self._status = self._installed.statuses()
        self._shown: dict[str, ShownPlugin] = {}
        self._when_shown: WhenShown = lambda action: action()
        self.frame_hooks = FrameHooks(self._enabled, self._fail_shown)
        """Calls the hooks that plugins have for frames."""

    # queries --------------------------------------------------------------------------------------------------------

    def plugins(self) -> tuple[PluginStatus, ...]:
        """Every installed plugin, sorted by name."""
        return tuple(self._status[name] for name in sorted(self._status))

    def enabled_without_views(self) -> tuple[PluginStatus, ...]:
        """The enabled plugins that arrange no views, so that only their nodes change the frame."""
        return tuple(
            status
            for status in self.plugins()
            if status.state is PluginState.ENABLED and not self._loaded[status.name].arranges
        )

    @property
    def shadowed_lights(self) -> int | None:
        """The largest ``PluginGraph.shadowed_lights`` of enabled plugins; None if none of them gives it."""
        enabled = (status for status in self._status.values() if status.state is PluginState.ENABLED)
        return max((one.shadowed_lights for one in enabled if one.shadowed_lights is not None), default=None)

    def status(self, name: str) -> PluginStatus:
        """Status of one plugin. Raises ``UsageError`` if no plugin has that name."""
        if name not in self._status:
            raise unknown_plugin(name, self._status)
        return self._status[name]

    def is_enabled(self, name: str) -> bool:
        """Whether a plugin's nodes are in the graph."""
        return self.status(name).state is PluginState.ENABLED

    def follow(self, when_shown: WhenShown) -> None:
        """Let frames show what is switched when ``when_shown`` says, rather than at once."""
        self._when_shown = when_shown

    # switching ------------------------------------------------------------------------------------------------------

    def start(
        self, default: Iterable[str] | None = None, *, enable: Iterable[str] = (), disable: Iterable[str] = ()
    ) -> None:
        """Enable the ``default`` plugins (None: all that are available) and ``enable``, except ``disable``.

        A default plugin that the environment refuses stays disabled. Raises ``UsageError`` for a refused plugin in
        ``enable`` and for a plugin in both lists. Names are checked before any plugin is imported. Disabled plugins are
        never imported.
        """
        defaults = [plugin.name for plugin in self.plugins()] if default is None else list(default)
        wanted, unwanted = list(enable), list(disable)
        for name in [*defaults, *wanted, *unwanted]:
            self.status(name)
        both = sorted(set(wanted) & set(unwanted))
        if both:
            raise UsageError(f'plugin "{both[0]}" is both enabled and disabled', hint="name it in one list only")
        for name in unwanted:
            self.disable(name)
        for name in dict.fromkeys([*(name for name in defaults if not self._installed.is_refused(name)), *wanted]):
            if name not in unwanted:
                self.enable(name)

    @told_at_caller
    def enable(self, name: str) -> PluginStatus:
        """Import a plugin if necessary and add its nodes.

        A plugin that fails becomes broken or quarantined, with a warning (``PluginError`` if strict). Raises
        ``UsageError`` if the plugin does not exist or the environment refuses it.
        """
        status = self.status(name)
        if status.state is PluginState.ENABLED:
            return status
        self._installed.require_allowed(name)
        plugin = self._load(name)
        if plugin is None:
            return self.status(name)
        if plugin.info.backends and self._backend not in plugin.info.backends:
            reason = f"needs backend {' or '.join(plugin.info.backends)}; this is {self._backend}"
            _log.warning('plugin "%s" stays disabled: it %s', name, reason)
            return self._change(name, state=PluginState.DISABLED, reason=reason)
        interop = self._interops.get(name)
        if isinstance(interop, FailedInterop):
            return self._fail(name, PluginState.QUARANTINED, interop.error)
        self._change(name, state=PluginState.ENABLED, reason="", traceback="")
        return self._refresh(name)

    def retry(self, name: str) -> PluginStatus:
        """Enable a plugin that is quarantined or broken once more, with its settings.

        It fails as at first if its mistake is still there. Raises ``UsageError`` for a plugin in another state.
        """
        status = self.status(name)
        if not status.failed:
            raise UsageError(f'plugin "{name}" has not failed: it is {status.state}', hint="nothing has to be retried")
        return self.enable(name)

    @told_at_caller
    def disable(self, name: str, reason: str = "switched off") -> PluginStatus:
        """Remove a plugin's nodes from the graph. Its settings are kept. Does not import the plugin."""
        status = self.status(name)
        if status.state is PluginState.DISABLED:
            return status
        self._replace_nodes(name, ())
        disabled = self._change(name, state=PluginState.DISABLED, reason=reason, traceback="")
        if status.state is PluginState.ENABLED:
            self._when_shown(partial(self._leave, name))
        return disabled

    def needs_import(self, name: str) -> bool:
        """Whether ``enable`` would import a plugin's code; ``UsageError`` if it would refuse to."""
        self.status(name)
        self._installed.require_allowed(name)
        return name not in self._loaded

    def import_code(self, name: str) -> None:
        """Import a plugin's code and do nothing else with it; any thread may. Raises whatever the import raises."""
        self._installed[name].load()

    def load(self, name: str, level: int = logging.WARNING) -> PluginStatus:
        """Import and check a plugin without enabling it. If that fails, it becomes broken, logged at the ``level``."""
        if not self._installed.is_refused(name) and self.status(name).state is not PluginState.BROKEN:
            self._load(name, level)
        return self.status(name)

    def found(self, name: str) -> FoundPlugin:
        """The entry point of a plugin. Raises ``UsageError`` if no plugin has that name."""
        self.status(name)
        return self._installed[name]

    def loaded(self, name: str) -> LoadedPlugin | None:
        """The imported code of a plugin, None if it is not loaded."""
        return self._loaded.get(name)

    def use(self, name: str, plugin: LoadedPlugin | None, status: PluginStatus) -> None:
        """Use another import of a plugin's code, or none, with this status; it names the nodes in the graph."""
        self._status[name] = status
        self.frame_hooks.forget()
        self._loaded.pop(name, None)
        if status.state is not PluginState.ENABLED:
            self._shown.pop(name, None)
        if plugin is not None:
            self._loaded[name] = plugin
            self._when_shown(partial(self._enter, name, ShownPlugin(plugin, status.settings)))

    def make_nodes(self, name: str) -> None:
        """Call the hook of a plugin that is enabled, and replace its nodes. Propagates the plugin's exceptions."""
        plugin, status = self._loaded[name], self._status[name]
        nodes, shadowed_lights = plugin.graph(status.settings, self._interops.get(name))
        self._replace_nodes(name, nodes, plugin)
        self._change(name, shadowed_lights=shadowed_lights)
        self._when_shown(partial(self._enter, name, ShownPlugin(plugin, status.settings)))

    @told_at_caller
    def set(self, name: str, key: str, value: object) -> PluginStatus:
        """Change a setting. An enabled plugin's nodes are recreated.

        Raises ``UsageError`` if the plugin, the key or the value is invalid, or if the plugin is not loaded.
        """
        status = self.status(name)
        plugin = self._loaded.get(name)
        if plugin is None:
            what = "not enabled" if status.state is PluginState.AVAILABLE else status.state
            raise not_loaded(name, key, f"{what} ({status.reason})" if status.reason else what)
        status = self._change(name, settings=changed_settings(name, status.settings, key, value))
        if status.state is PluginState.ENABLED and self._refresh(name).state is PluginState.ENABLED:
            self.frame_hooks.setting_changed(name, key)
        return self._status[name]

    def quarantine(self, name: str, exception: BaseException, node: str = "", phase: str = "") -> PluginStatus:
        """Remove a plugin whose ``node`` raised ``exception`` in a phase from the graph; ``PluginError`` if strict.

        Several of its nodes may fail for one cause: further failures are no warnings.
        """
        level = logging.INFO if self.status(name).state is PluginState.QUARANTINED else logging.WARNING
        return self._fail(name, PluginState.QUARANTINED, exception, node, phase, level)

    def arrange(self, views: ViewSet, dimensions: Iterable[str]) -> ViewSet:
        """Pass a frame's views through the enabled plugins in the order of the hook ``renderwright_views``.

        ``dimensions`` are the multiplexing dimensions of the skeleton. A plugin that fails is quarantined.
        """
        arranging = [plugin for plugin in self._loaded.values() if plugin.arranges]
        for plugin in sorted(arranging, key=lambda plugin: plugin.arranges_at):
            name = plugin.info.name
            status = self._status[name]
            if status.state is not PluginState.ENABLED:
                continue
            try:
                arranged = plugin.arrange(views, status.settings, self._interops.get(name))
                if arranged is not views:
                    arranged.check(dimensions)
            except CODE_FAILURES as error:
                self._fail_shown(name, error)
            else:
                views = arranged
        return views

    def arrange_shown(self, views: ViewSet) -> ViewSet:
        """Pass a frame's views through the plugins whose nodes are in the running plan, with that plan's settings."""
        for shown in sorted(self._shown.values(), key=lambda shown: shown.plugin.arranges_at):
            name = shown.plugin.info.name
            try:
                views = shown.plugin.arrange(views, shown.settings, self._interops.get(name))
            except CODE_FAILURES as error:
                self._fail_shown(name, error)
        return views

    def end_frame(self, *, rendered: bool) -> None:
        """Tell the plugins that arrange views that a frame is over; see the hook ``renderwright_end_frame``."""
        for name, plugin in list(self._loaded.items()):
            status, shown = self._status[name], self._shown.get(name)
            if shown is None and status.state is not PluginState.ENABLED:
                continue
            try:
                # Without its nodes, nothing that it has arranged is in the frame.
                plugin.end_frame(rendered and shown is not None, (shown or status).settings, self._interops.get(name))
            except CODE_FAILURES as error:
                self._fail_shown(name, error)

    # inside ---------------------------------------------------------------------------------------------------------

    def _load(self, name: str, level: int = logging.WARNING) -> LoadedPlugin | None:
        if name in self._loaded:
            return self._loaded[name]
        try:
            plugin = self._loader.load(self._installed[name])
        except CODE_FAILURES as error:
            self._fail(name, PluginState.BROKEN, error, level=level)
            return None
        self._loaded[name] = plugin
        settings, invalid = with_remembered(name, plugin.settings, self.remembered)
        self.left_out += [change for change, _ in invalid]
        self._change(name, info=plugin.info, settings=settings, hooks=tuple(sorted(plugin.hooks)), file=plugin.file)
        report_left_out(name, invalid, strict=self._strict)
        return plugin

    def _refresh(self, name: str) -> PluginStatus:
        try:
            self.make_nodes(name)
        except CODE_FAILURES as error:
            return self._fail(name, PluginState.QUARANTINED, error)
        return self._status[name]

    def _enter(self, name: str, shown: ShownPlugin) -> None:
        """Frames show the nodes of a plugin, unless it has been switched off again."""
        if self._status[name].state is PluginState.ENABLED:
            self._shown[name] = shown

    def _leave(self, name: str) -> None:
        """Frames show the nodes of a plugin no longer, unless it has been switched on again."""
        if self._status[name].state is not PluginState.ENABLED:
            self._shown.pop(name, None)
            self._tell_disabled(name)

    def _replace_nodes(self, name: str, nodes: Sequence[PluginNode], plugin: LoadedPlugin | None = None) -> None:
        """Replace the plugin's nodes in the graph. Updates the status at each step, so that failures can be undone."""
        paths = (plugin.shader_path,) if plugin is not None else ()
        kept = {node.name for node in nodes}
        for old in self._status[name].nodes:
            if old not in kept:
                self._sink.remove_node(old)
                self._change(name, nodes=tuple(node for node in self._status[name].nodes if node != old))
        for node in nodes:
            self._sink.add_node(node.name, node.declare, plugin=name, shader_paths=paths, facts=node.facts)
            if node.name not in self._status[name].nodes:
                self._change(name, nodes=(*self._status[name].nodes, node.name))

    def _tell_disabled(self, name: str) -> None:
        try:
            self._loaded[name].disabled(self._status[name].settings, self._interops.get(name))
        except CODE_FAILURES:
            _log.exception('plugin "%s" failed in renderwright_disabled', name)

    def _fail(
        self,
        name: str,
        state: PluginState,
        error: BaseException,
        node: str = "",
        phase: str = "",
        level: int = logging.WARNING,
    ) -> PluginStatus:
        enabled = self._status[name].state is PluginState.ENABLED
        self._replace_nodes(name, ())
        reason = reason_of(error, node, phase, module=self.found(name).module)
        text = "".join(traceback.format_exception(error))
        status = self._change(name, state=state, reason=reason, traceback=text)
        if enabled:
            self._shown.pop(name, None)  # it has failed: it is asked for nothing more
            self._when_shown(partial(self._leave, name))
        if self._strict:
            what = "cannot be loaded" if state is PluginState.BROKEN else "has failed"
            raise PluginError(
                f'plugin "{name}" {what}, which ends the game because of --strict: {reason}',
                hint=f"fix it, or disable it; without --strict the game goes on without it{traceback_advice(error)}",
            ) from error
        advice = traceback_advice(error)
        _log.log(level, 'plugin "%s" is %s and stays out of the frame: %s%s', name, state, reason, advice)
        _log.debug("%s", text)
        return status

    def _fail_shown(self, name: str, error: BaseException) -> None:
        """Quarantine a plugin because of a frame; one that is switched off already is not asked any more."""
        if self._trial.refuse([NodeFailure(name, name, FailurePhase.EXECUTE, error)]):
            return
        if self._status[name].state is PluginState.ENABLED:
            self._fail(name, PluginState.QUARANTINED, error)
        else:
            self._shown.pop(name, None)
            reason = reason_of(error, module=self.found(name).module)
            _log.warning('plugin "%s" has failed on its way out of the frames: %s', name, reason)

    def _change(self, name: str, **changes: object) -> PluginStatus:
        status = replace(self._status[name], **changes)  # type: ignore[arg-type]
        self._status[name] = status
        self.frame_hooks.forget()
        return status

    def _enabled(self) -> Iterator[EnabledPlugin]:
        for name, plugin in self._loaded.items():
            status = self._status[name]
            if status.state is PluginState.ENABLED:
                yield EnabledPlugin(plugin, status.settings, self._interops.get(name))
