"""The backends under contract. A further backend is one more function here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import BackendError


def null() -> Backend:
    from renderwright.render.backend.null import NullBackend

    return NullBackend()


def vulkan() -> Backend:
    from renderwright.render.backend.vulkan.backend import VulkanBackend

    return VulkanBackend(validate=True)


def opengl() -> Backend:
    from renderwright.render.backend.opengl import OpenGLBackend

    return OpenGLBackend(validate=True)


DEVICES: tuple[Callable[[], Backend], ...] = (vulkan, opengl)


def opened(open_backend: Callable[[], Backend]) -> Iterator[Backend]:
    """A backend that must get through its life, and its end, without one objection."""
    try:
        backend = open_backend()
    except BackendError as error:
        pytest.skip(f"{open_backend.__name__}: {error.message}")
    yield backend
    backend.close()
    assert getattr(backend, "validation_messages", []) == []


@pytest.fixture(scope="module", params=DEVICES, ids=lambda each: each.__name__)
def device(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Each backend that renders, one for the tests of a file."""
    yield from opened(request.param)


@pytest.fixture(scope="module", params=(null, *DEVICES), ids=lambda each: each.__name__)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Each backend, one for the tests of a file."""
    yield from opened(request.param)
