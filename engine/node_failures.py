"""What becomes of a node that has failed in a frame of a game."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.plugins.host import PluginHost
from renderwright.engine.surface_functions import SurfaceFunctions
from renderwright.render.errors import RenderwrightError
from renderwright.render.runtime.failures import NodeFailure


@dataclass(frozen=True)
class NodeFailures:
    """The failure handler of a session. Raises the errors of the engine's own nodes."""

    plugins: PluginHost
    surfaces: SurfaceFunctions

    def __call__(self, failure: NodeFailure) -> None:
        """Quarantine the plugin at fault; leave out the surface function at fault."""
        if failure.part is not None:
            if failure.part.owner:
                self.plugins.quarantine(failure.part.owner, failure.error, failure.node, failure.phase)
            self.surfaces.leave_out(failure)
        elif failure.plugin:
            self.plugins.quarantine(failure.plugin, failure.error, failure.node, failure.phase)
        elif isinstance(failure.error, RenderwrightError):
            # An engine node cannot be quarantined with a plugin, and the frame cannot do without it.
            raise failure.error
        else:
            raise RuntimeError(str(failure)) from failure.error
