"""Collects external resources from the application's providers, once a frame."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CODE_FAILURES, DeviceLostError, GraphError
from renderwright.render.graph.external import ExternalContext, ExternalProvider
from renderwright.render.runtime.failures import FailurePhase, NodeFailure, NodesFailedError
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, Texture

_KINDS: Mapping[type, type] = {Texture: TextureInfo, Buffer: BufferInfo}
"""The description that a physical resource has, by the kind of the request."""


class Externals:
    """The external resources of a plan with their providers."""

    def __init__(self, plan: Plan, providers: Mapping[str, ExternalProvider]) -> None:
        self._plan = plan
        self._providers = providers
        self._wanted = [instance for instance in plan.graph.resources if instance.resource.external]
        self._indices = {instance.index for instance in self._wanted}

    def given(self, frame: int, slot: int) -> tuple[dict[str, Physical], dict[str, Any]]:
        """The GPU resources and the CPU values for a frame, by id.

        Raises ``GraphError`` for a resource without a provider, ``NodesFailedError`` for a provider that fails.
        """
        physicals: dict[str, Physical] = {}
        values: dict[str, Any] = {}
        contexts = {index: ExternalContext(dict(index), frame, slot) for index in self._indices}
        for instance in self._wanted:
            name = instance.resource.root
            provider = self._providers.get(name)
            if provider is None:
                raise GraphError(
                    f'the external resource "{name}" has no provider',
                    hint=f'call graph.set_external("{name}", provider)',
                    where=instance.resource.source,
                )
            provided = _ask(provider, instance, self._plan, contexts[instance.index])
            (values if isinstance(instance.resource.desc, Blob) else physicals)[instance.id] = provided
        return physicals, values


def _ask(provider: ExternalProvider, instance: ResourceInstance, plan: Plan, context: ExternalContext) -> Any:
    """What a provider returns. What it raises, or a value of another kind, is a failure of the resource's node."""
    try:
        provided = provider(context)
        kind = _KINDS.get(type(instance.resource.desc))
        if kind is not None and not isinstance(getattr(provided, "info", None), kind):
            raise GraphError(
                f'the provider of the external resource "{instance.resource.root}" returns {reprlib.repr(provided)}',
                hint=f"return a {instance.resource.desc.kind} that the backend has made",
                where=instance.resource.source,
            )
    except DeviceLostError:
        raise
    except CODE_FAILURES as error:
        node = next(node.declaration for node in plan.graph.nodes if node.id == instance.creator)
        raise NodesFailedError([NodeFailure(node.name, node.plugin, FailurePhase.EXECUTE, error)]) from error
    return provided
