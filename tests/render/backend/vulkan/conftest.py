from __future__ import annotations

from collections.abc import Iterator

import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.fixture
def backend() -> Iterator[VulkanBackend]:
    """A backend under validation that must get through its life, and its end, without one objection."""
    backend = VulkanBackend(validate=True)
    yield backend
    backend.close()
    assert backend.validation_messages == []
