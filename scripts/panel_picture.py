"""Makes docs/images/panel.png: the panel over the sample game, with the settings of a plugin open."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.panel.panel import Panel
from renderwright.engine.picture import save_png
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

EXTENT = (900, 480)
SECOND_PLUGIN = (EXTENT[0] - 420 - 12 + 45.0, 12 + 60 + 23.0)
FILE = Path(__file__).resolve().parents[1] / "docs" / "images" / "panel.png"


def main() -> None:
    """Open the panel, click on the second plugin's name, save the picture."""
    game = find_game("marbles")
    backend = VulkanBackend()
    choice = PluginChoice(enable=("contact_shadows", "ssao", "taa"))
    clock = FixedStepClock(game.step, frame=HEADLESS_FRAME)
    with closing(backend), closing(Session(game, backend, EXTENT, choice=choice, clock=clock)) as session:
        target = backend.create_target(EXTENT)
        with closing(Panel(session, lambda status: "")) as panel:
            panel.switch(EXTENT)
            for down in (None, True, False, None):
                panel.gui.move_mouse(*SECOND_PLUGIN)
                if down is not None:
                    panel.gui.press_mouse(0, down=down)
                for _ in range(2):
                    session.step()
                    panel.update(EXTENT, HEADLESS_FRAME)
                    session.render(target)
            save_png(FILE, session.picture())


if __name__ == "__main__":
    main()
