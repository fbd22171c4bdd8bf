"""The functions that request the engine's blobs, which hints name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderwright.engine.renderer.air import Air, request_air
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.renderer.lights.light_set import LightSet
from renderwright.engine.renderer.probes.probe_set import ProbeSet
from renderwright.render import Registry
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.source import caller_location
from renderwright.render.types.resources import Blob


@pytest.mark.parametrize(
    ("kind", "request_it"), [(LightSet, request_lights), (ProbeSet, request_environment), (Air, request_air)]
)
def test_a_blob_names_the_function_that_requests_it(kind: type, request_it: Callable[[Registry], None]) -> None:
    assert kind.requested_by == f"{request_it.__name__}(reg)"
    reg = Registry("fx/lit", "fx")
    request_it(reg)
    declared = requested(reg).declaration(caller_location(), 0, True)
    assert kind in [request.desc.type for request in declared.requests if isinstance(request.desc, Blob)]
