"""The node that draws the separators between the views."""

from __future__ import annotations

from renderwright.engine.views import ViewSet
from renderwright.plugins.split_screen.settings import SplitScreenSettings
from renderwright.render import Commands, Execute, Registry


def separators(reg: Registry, settings: SplitScreenSettings) -> Execute:
    """Fill the output with the separators' colour before the views are composed onto it."""
    reg.modify("image").color()
    reg.before("compose", "hud")
    views = reg.read("views", ViewSet)
    reg.uniform("settings", settings)
    pipeline = reg.graphics("separators.frag")

    def execute(cmd: Commands) -> None:
        if len(views.value.views) > 1:
            cmd.draw(pipeline)

    return execute
