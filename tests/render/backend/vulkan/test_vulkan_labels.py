"""Labels are recorded only while something reads them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace
from typing import Any, cast

import pytest

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.tools import active_tools

pytestmark = pytest.mark.vulkan


def labels(backend: VulkanBackend) -> int:
    """The calls of a label."""
    recorder = backend.recorder(0)
    recorder.begin_label("node")
    recorder.end_label()
    return len(recorder.take().ops)


def unchanged(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@pytest.mark.parametrize(
    ("options", "calls"), [({}, 0), ({"validate": True}, 2), ({"wrap": unchanged}, 2)], ids=["alone", "layer", "wrap"]
)
def test_labels_need_a_reader(options: dict[str, Any], calls: int) -> None:
    with closing(VulkanBackend(**options)) as backend:
        assert labels(backend) == calls


@pytest.mark.parametrize("number", [0, 2])
def test_active_tools_are_counted(number: int) -> None:
    def properties(physical: object, count: Any, found: object) -> int:
        count[0] = number
        return 0

    dispatch = cast(Dispatch, SimpleNamespace(vkGetPhysicalDeviceToolProperties=properties))
    assert active_tools(dispatch, NULL) == number
