"""Collects external resources from the application's providers, once a frame."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CODE_FAILURES, BackendError, DeviceLostError, GraphError
from renderwright.render.graph.external import ExternalContext, ExternalProviders
from renderwright.render.runtime.failures import FailurePhase, NodeFailure, NodesFailedError
from renderwright.render.runtime.memory.given_arrays import GivenArrays, takes_array
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, Texture
from renderwright.render.types.usages import Usage

_KINDS: Mapping[type, type] = {Texture: TextureInfo, Buffer: BufferInfo}
"""The description that a physical resource has, by the kind of the request."""
_OR_ARRAY: Mapping[type, str] = {
    Texture: ", or an array for a texture of a fixed size and one sample",
    Buffer: ", or an array for a buffer of a fixed size",
}


@dataclass(frozen=True)
class _Wanted:
    """An external resource of a plan; ``usages`` are those that the plan's nodes request."""

    instance: ResourceInstance
    id: str
    root: str
    blob: bool
    kind: type | None
    usages: frozenset[Usage]

    @classmethod
    def of(cls, instance: ResourceInstance, info: PhysicalInfo | None) -> _Wanted:
        desc = instance.resource.desc
        usages = info.usages if info is not None else frozenset[Usage]()
        kind = _KINDS.get(type(desc))
        return cls(instance, instance.id, instance.resource.root, isinstance(desc, Blob), kind, usages)

    def needs_more_of(self, physical: Physical) -> bool:
        """Whether the plan requests usages that a buffer does not allow."""
        return isinstance(physical.info, BufferInfo) and not self.usages <= physical.info.usages


class Externals:
    """The external resources of a plan with their providers; ``values`` are the ids of its CPU values."""

    def __init__(self, plan: Plan, providers: ExternalProviders, arrays: GivenArrays) -> None:
        self._plan = plan
        self._providers = providers
        self._arrays = arrays
        self._wanted: dict[tuple[tuple[str, int], ...], list[_Wanted]] = {}
        infos = {placed.id: placed.info for placed in plan.placement.resources}
        for instance in plan.graph.resources:
            if instance.resource.external:
                wanted = _Wanted.of(instance, infos[instance.id])
                self._wanted.setdefault(tuple(instance.index), []).append(wanted)
        self._accepted: dict[str, Physical] = {}
        every = [wanted for found in self._wanted.values() for wanted in found]
        self.values = tuple(wanted.id for wanted in every if wanted.blob)
        self._resources = tuple(wanted for wanted in every if not wanted.blob)

    def expected(self, known: Mapping[str, Physical], frame: int, slot: int) -> dict[str, Physical] | None:
        """The GPU resources of a later frame: those that are ``known`` from another plan, and what providers of others
        give now. None if one of the other plan is of another kind. Raises what ``given`` raises.

        The known buffer of an array may not allow what this plan requests; then it is replaced.
        """
        physicals: dict[str, Physical] = {}
        for wanted in self._resources:
            physical = known.get(wanted.id)
            if physical is None or wanted.needs_more_of(physical):
                physical = self._provided(wanted, ExternalContext(dict(wanted.instance.index), frame, slot))
            elif wanted.kind is not None and not isinstance(physical.info, wanted.kind):
                return None
            physicals[wanted.id] = physical
        return physicals

    @property
    def resources(self) -> tuple[str, ...]:
        """The ids of its GPU resources."""
        return tuple(wanted.id for wanted in self._resources)

    def given(self, frame: int, slot: int, also: Collection[str] = ()) -> tuple[dict[str, Physical], dict[str, Any]]:
        """The GPU resources and the CPU values for a frame, by id.

        The arrays of other resources are released, except those of ``also``, which another plan has asked for.

        Raises ``GraphError`` for a resource without a provider, ``NodesFailedError`` for one of a plugin and for a
        provider that fails.
        """
        physicals: dict[str, Physical] = {}
        values: dict[str, Any] = {}
        for index, found in self._wanted.items():
            context = ExternalContext(dict(index), frame, slot)
            for wanted in found:
                if wanted.blob:
                    values[wanted.id] = self._provided(wanted, context)
                else:
                    physicals[wanted.id] = self._provided(wanted, context)
        self._arrays.keep_only({*physicals, *also} if also else physicals)
        return physicals, values

    def _provided(self, wanted: _Wanted, context: ExternalContext) -> Any:
        provider = self._providers.of(wanted.root)
        if provider is None:
            raise self._unprovided(wanted)
        try:
            provided = provider(context)
            if wanted.blob or (wanted.id in self._accepted and self._accepted[wanted.id] is provided):
                return provided
            return self._fitting(wanted, provided)
        except DeviceLostError:
            raise
        except CODE_FAILURES as error:
            raise NodesFailedError([self._failure(wanted.instance, error)]) from error

    def _fitting(self, wanted: _Wanted, provided: Any) -> Physical:
        """What is used of another resource than the last one. Raises ``GraphError`` for one of another kind."""
        physical: Physical = self._uploaded(wanted, provided)
        if wanted.kind is not None and not isinstance(getattr(physical, "info", None), wanted.kind):
            raise _misfit(wanted.instance, physical)
        if physical is provided:
            self._accepted[wanted.id] = physical
        return physical

    def _unprovided(self, wanted: _Wanted) -> Exception:
        resource = wanted.instance.resource
        error = GraphError(
            f'the external resource "{wanted.root}" has no provider',
            hint=f'give reg.external a provider, or call graph.set_external("{wanted.root}", provider)',
            where=resource.source,
        )
        failure = self._failure(wanted.instance, error)
        return NodesFailedError([failure]) if failure.plugin else error

    def _uploaded(self, wanted: _Wanted, provided: Any) -> Any:
        """What a provider has returned, with a texture or a buffer instead of an array.

        An array that does not fit is an error where the resource was requested.
        """
        resource = wanted.instance.resource
        desc = resource.desc
        if isinstance(provided, np.ndarray) and isinstance(desc, Texture | Buffer) and takes_array(desc):
            try:
                return self._arrays.resource(wanted.id, desc, provided, wanted.usages)
            except (BackendError, GraphError) as error:
                error.where = error.where or resource.source
                raise
        return provided

    def _failure(self, instance: ResourceInstance, error: BaseException) -> NodeFailure:
        """What a provider raises, or a value of another kind, is a failure of the resource's node."""
        node = next(node.declaration for node in self._plan.graph.nodes if node.id == instance.creator)
        return NodeFailure(node.name, node.plugin, FailurePhase.EXECUTE, error)


def _misfit(instance: ResourceInstance, provided: object) -> GraphError:
    resource = instance.resource
    return GraphError(
        f'the provider of the external resource "{resource.root}" returns {reprlib.repr(provided)}',
        hint=f"return a {resource.desc.kind} that the backend has made{_OR_ARRAY.get(type(resource.desc), '')}",
        where=resource.source,
    )
