"""Imports plugins beside the frames before they are switched on."""

from __future__ import annotations

import contextlib

from renderwright.engine.plugins.host import PluginHost
from renderwright.render.errors import CODE_FAILURES
from renderwright.render.runtime.plans.beside import Beside, Stop, Worker


class Arrivals:
    """Plugins that are to be on as soon as their code has been imported.

    The worker runs nothing but imports. What one raises is raised again when the host loads the plugin, and is the
    host's matter.
    """

    def __init__(self, host: PluginHost, worker: Worker) -> None:
        self._host = host
        self._beside = Beside(worker, self._import)
        self._names: tuple[str, ...] = ()
        self._imported: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """Those that are not switched on yet."""
        return self._names

    def expect(self, name: str) -> None:
        """Let a plugin come."""
        self._expect((*self._names, name))

    def cancel(self, name: str) -> None:
        """Let it not come; its code may be imported all the same."""
        self._expect(tuple(other for other in self._names if other != name))

    def update(self) -> None:
        """Switch on the first one whose code is there: one each time, so that no frame pays for several.

        Call it between frames.
        """
        if self._beside.ended():
            self._imported = frozenset(self._beside.wanted or ())
            self._beside.take()
        if self._names and self._names[0] in self._imported:
            name, *later = self._names
            self._names = tuple(later)
            self._host.enable(name)

    def wait(self) -> None:
        """Wait until the code of all is there."""
        self._beside.wait()

    def close(self) -> None:
        """Let nothing come any more."""
        self._names = ()
        self._beside.close()

    def _expect(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._beside.want(names or None)

    def _import(self, names: tuple[str, ...], stop: Stop) -> None:
        for name in names:
            stop.check()
            with contextlib.suppress(*CODE_FAILURES):
                self._host.import_code(name)


def toggle(plugins: PluginHost, arrivals: Arrivals | None, name: str) -> bool:
    """Switch a plugin on or off, with ``arrivals`` as soon as its code is there; returns whether it is to be on."""
    if arrivals is not None and name in arrivals.names:
        arrivals.cancel(name)
        return False
    if plugins.is_enabled(name):
        plugins.disable(name)
        return False
    if arrivals is not None and plugins.needs_import(name):
        arrivals.expect(name)
        return True
    plugins.enable(name)
    return plugins.is_enabled(name)
