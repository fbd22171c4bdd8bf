"""The nodes that the frames of a plan execute, as they are declared now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.declare import DeclaredNode


@dataclass
class ExecutedNodes:
    """The ``declared`` nodes that a plan executes, by name, and their ``pipelines`` by (node instance id, number).

    All that is lowered for the plan shares it: nodes that are declared anew take the place of others.
    """

    declared: Mapping[str, DeclaredNode]
    pipelines: Mapping[tuple[str, int], Pipeline]

    def are(self, declared: Mapping[str, DeclaredNode], pipelines: Mapping[tuple[str, int], Pipeline]) -> bool:
        """Whether these nodes with these pipelines are the ones that are executed."""
        return declared == self.declared and (pipelines is self.pipelines or pipelines == self.pipelines)

    def of(self, instance: NodeInstance) -> DeclaredNode:
        """The declared node of an instance."""
        return self.declared[instance.declaration.name]

    def pipelines_of(self, instance: NodeInstance) -> tuple[Pipeline, ...]:
        """The pipelines of an instance, in the order of its requests."""
        return tuple(self.pipelines[instance.id, number] for number in range(len(instance.declaration.pipelines)))
