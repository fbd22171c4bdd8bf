"""Function keys switch plugins while a game runs."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any, cast

from rich.console import Console

from renderwright.engine.app import switch_plugins
from renderwright.engine.session import Session
from renderwright.render.errors import UsageError


class Switched:
    """A session with two plugins; ``fog`` may not be switched on."""

    def __init__(self) -> None:
        self.on = {"bloom": True, "fog": False}
        self.plugins = SimpleNamespace(plugins=lambda: tuple(SimpleNamespace(name=name) for name in self.on))

    def toggle(self, name: str) -> bool:
        if name == "fog":
            raise UsageError('plugin "fog" is blocked', hint="unblock it")
        self.on[name] = not self.on[name]
        return self.on[name]


def test_each_press_switches_once_and_a_refusal_is_told() -> None:
    session, text = Switched(), io.StringIO()
    switch_plugins(cast(Session, cast(Any, session)), [1, 1, 2, 3, 1], Console(file=text, soft_wrap=True))
    assert text.getvalue().splitlines() == [
        "bloom is off",
        "bloom is on",
        'fog stays off: plugin "fog" is blocked',
        "bloom is off",
    ]
    assert not session.on["bloom"]
