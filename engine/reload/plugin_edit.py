"""An edit of a plugin: its code imported again, its shaders, or another attempt at one that has failed."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel

from renderwright.engine.plugins import PluginHost
from renderwright.engine.plugins.loading import LoadedPlugin, PluginLoader
from renderwright.engine.plugins.remembered import with_remembered
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.engine.reload.carried_settings import carried
from renderwright.engine.reload.edits import ShaderEdit
from renderwright.engine.reload.modules import Dropped, drop
from renderwright.render.errors import CODE_FAILURES, PluginError
from renderwright.render.graph.declare import NodeSource
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.shaders.source_files import HeldFiles, Taken

_log = logging.getLogger("renderwright.reload")

FAILED = (PluginState.QUARANTINED, PluginState.BROKEN)


@dataclass(frozen=True)
class _Before:
    """A plugin as it was: its import, its status, and its nodes in the graph."""

    plugin: LoadedPlugin | None
    status: PluginStatus
    sources: tuple[NodeSource, ...]


class PluginEdit:
    """An edit of the plugin ``name``, whose modules are those of ``code`` (``renderwright.engine.reload.modules``).

    ``python`` holds the texts of the modules. A plugin that is quarantined or broken is switched on again.
    """

    def __init__(
        self, name: str, code: str, host: PluginHost, graph: FrameGraph, shaders: HeldFiles, python: HeldFiles
    ):
        self._name = name
        self._code = code
        self._host = host
        self._graph = graph
        self._shaders = ShaderEdit(graph, shaders)
        self._python = python
        self._taken: Taken = {}
        self._dropped: Dropped | None = None
        self._before = _Before(host.loaded(name), host.status(name), ())
        self._remarks: tuple[str, ...] = ()
        self._switched = False

    def apply(self, paths: Iterable[Path]) -> bool:
        """Import the code again if a module has changed, and replace the nodes. Propagates the plugin's exceptions."""
        status = self._host.status(self._name)
        sources = tuple(self._graph.source(node) for node in status.nodes)
        self._before = _Before(self._host.loaded(self._name), status, sources)
        python = {path for path in paths if path.suffix == ".py"}
        unknown = python - self._python.paths
        self._taken = self._python.take(python)
        shaders = self._shaders.apply(path for path in paths if path not in python)
        imports = bool(self._taken or unknown) or self._before.plugin is None
        if not (imports or shaders or status.state in FAILED):
            return False
        try:
            if imports:
                self._import_again()
            elif status.state in FAILED:
                self._switch_on(self._before.plugin, status)
        except BaseException:
            self.take_back()
            raise
        return True

    def _import_again(self) -> None:
        old, status = self._before.plugin, self._before.status
        self._require_no_interop(old)
        self._dropped = drop(self._code)
        fresh = PluginLoader(self._host.hook_times).load(self._host.found(self._name))
        self._require_no_interop(fresh)
        settings, lost = carried(self._name, status.settings, self._with_left_out(old, fresh))
        self._remarks = tuple(f"{text}; its default is used" for text in lost)
        hooks = tuple(sorted(fresh.hooks))
        self._switch_on(fresh, replace(status, info=fresh.info, settings=settings, hooks=hooks, file=fresh.file))

    def _with_left_out(self, old: LoadedPlugin | None, fresh: LoadedPlugin) -> BaseModel | None:
        """The fresh settings, with the remembered values that the old code did not take and this one does."""
        of_old = None if old is None else old.settings
        _, invalid = with_remembered(self._name, of_old, self._host.remembered)
        settings, _ = with_remembered(self._name, fresh.settings, [change for change, _ in invalid])
        return settings

    def _switch_on(self, plugin: LoadedPlugin | None, status: PluginStatus) -> None:
        """Use an import of the code, and its nodes unless the plugin was switched off."""
        if status.state in FAILED:
            status = replace(status, state=PluginState.ENABLED, reason="", traceback="")
        self._switched = True
        self._host.use(self._name, plugin, status)
        if status.state is PluginState.ENABLED:
            self._host.make_nodes(self._name)

    def _require_no_interop(self, plugin: LoadedPlugin | None) -> None:
        if plugin is not None and "renderwright_interop" in plugin.hooks:
            raise PluginError(
                f'the code of plugin "{self._name}" has changed, and the device was opened for the code before',
                hint="restart the game to use the new code",
            )

    def take_back(self) -> None:
        """Use the code, the settings, the nodes and the shaders of before."""
        if self._switched:
            self._restore_nodes()
        if self._dropped is not None:
            self._dropped.put_back()
            self._dropped = None
        self._python.put_back(self._taken)
        self._shaders.take_back()

    def _restore_nodes(self) -> None:
        before = self._before
        for node in self._host.status(self._name).nodes:
            if node not in before.status.nodes and node in self._graph.node_names:
                self._graph.remove_node(node)
        for source in before.sources:
            self._graph.restore(source)
        self._host.use(self._name, before.plugin, before.status)

    def keep(self) -> tuple[str, ...]:
        """Tell the code of before that it is used no more."""
        before = self._before
        if self._dropped is not None and before.plugin is not None and before.status.state is PluginState.ENABLED:
            try:
                before.plugin.disabled(before.status.settings, None)
            except CODE_FAILURES:
                _log.exception('plugin "%s" failed in renderwright_disabled', self._name)
        return self._remarks
