"""Collects external resources from the application's providers, once a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError
from renderwright.render.graph.external import ExternalContext, ExternalProvider
from renderwright.render.types.physical import Physical
from renderwright.render.types.resources import Blob


def ask_providers(
    plan: Plan, providers: Mapping[str, ExternalProvider], frame: int, slot: int
) -> tuple[dict[str, Physical], dict[str, Any]]:
    """The GPU resources and the CPU values of a plan's external resources, by id.

    Raises ``GraphError`` for a resource without a provider.
    """
    physicals: dict[str, Physical] = {}
    values: dict[str, Any] = {}
    for instance in plan.graph.resources:
        if not instance.resource.external:
            continue
        name = instance.resource.root
        provider = providers.get(name)
        if provider is None:
            raise GraphError(
                f'the external resource "{name}" has no provider',
                hint=f'call graph.set_external("{name}", provider)',
                where=instance.resource.source,
            )
        provided = provider(ExternalContext(dict(instance.index), frame, slot))
        (values if isinstance(instance.resource.desc, Blob) else physicals)[instance.id] = provided
    return physicals, values
