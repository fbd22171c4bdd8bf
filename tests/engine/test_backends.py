"""Which backend plays a game."""

from __future__ import annotations

from typing import cast

import pytest

from renderwright.engine import backends
from renderwright.engine.backends import VARIABLE, ChosenBackend, choose_backend, make_backend
from renderwright.engine.cli.parameters import ALL_BACKENDS, DEVICE_BACKENDS
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.render.errors import UsageError

MISSING = "there is no Vulkan driver on this machine"


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_what_is_asked_for_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "vulkan")
    assert choose_backend(BackendName.OPENGL, lambda: "").name is BackendName.OPENGL


def test_the_variable_comes_before_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "opengl")
    chosen = choose_backend(None, lambda: pytest.fail("the machine is not asked"))
    assert (chosen.name, chosen.reason) == (BackendName.OPENGL, "")


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "opngl")
    with pytest.raises(UsageError, match='RENDERWRIGHT_BACKEND is "opngl"') as caught:
        choose_backend(None)
    assert 'did you mean "opengl"' in caught.value.hint


def test_opengl_plays_where_vulkan_cannot_and_says_why() -> None:
    assert choose_backend(None, lambda: "").name is BackendName.VULKAN
    chosen = choose_backend(None, lambda: MISSING)
    assert (chosen.name, chosen.reason) == (BackendName.OPENGL, MISSING)


def test_the_command_line_offers_every_backend() -> None:
    assert set(ALL_BACKENDS) == {name.value for name in BackendName}
    assert set(DEVICE_BACKENDS) == set(ALL_BACKENDS) - {BackendName.NULL.value}


def test_a_backend_that_nothing_opens_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new member of ``BackendName`` must not open another one's device."""
    monkeypatch.setattr(backends, "choose_backend", lambda _: ChosenBackend(cast(BackendName, "metal")))
    monkeypatch.setattr(backends, "_opengl", lambda *_: pytest.fail("OpenGL is opened"))
    with pytest.raises(AssertionError, match="metal"):
        make_backend(PlayOptions(""))
