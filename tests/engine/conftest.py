"""Lets the tests of whole games find the faults that the tests of the Vulkan backend inject, and install a plugin."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from extra_plugin import Declare, install_extra

sys.path.append(str(Path(__file__).resolve().parents[1] / "render" / "backend" / "vulkan"))


@pytest.fixture
def install_nodes(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Installs a plugin called ``extra`` whose nodes declare so, by name."""
    return lambda **declares: install_extra(monkeypatch, declares)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[Declare], None]:
    """Installs a plugin called ``extra`` whose only node declares so."""
    return lambda declare: install_extra(monkeypatch, {"node": declare})
