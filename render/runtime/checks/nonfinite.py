"""Finds the nodes that make NaN or infinity, from the counts of texels that they write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import CheckError
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.checks.cells import texel_in_words
from renderwright.render.runtime.checks.texels import WRITTEN, Output, outputs_of
from renderwright.render.runtime.checks.undefined import named
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage

Spot = tuple[str, Part]
"""A resource (by id), or a part of it."""


class NonFiniteNodes:
    """Follows NaN and infinity through the frames.

    A node makes them if it writes some and nothing that it reads has any. Buffers and values are not looked at.
    """

    def __init__(self) -> None:
        self._spots: set[Spot] = set()
        self._plan: Plan | None = None
        self._outputs: tuple[Output, ...] = ()

    def makers(
        self, frame: int, plan: Plan, skipped: Set[str], idle: Set[str], counts: NDArray[np.uint32]
    ) -> Iterator[tuple[NodeInstance, CheckError]]:
        """The nodes that make NaN or infinity in a frame, in the order of execution, with what to say.

        ``skipped`` nodes (by id) have not run, and their results are those of an earlier frame. ``idle`` ones have
        recorded nothing, so that they make only what their requests clear. ``counts`` are those of
        ``TexelCounter.read``.
        """
        if plan is not self._plan:
            self._plan, self._outputs = plan, outputs_of(plan)
        of_node: dict[str, list[Output]] = {}
        for output in self._outputs:
            of_node.setdefault(output.node.id, []).append(output)
        before = set(self._spots)
        for node in plan.graph.nodes:
            outputs = of_node.get(node.id, [])
            if not outputs or node.id in skipped:
                continue
            spread = self._reads_some(node, before)
            bad = [output for output in outputs if counts[output.number].any()]
            self._spots.difference_update((output.resource, output.part) for output in outputs)
            self._spots.update((output.resource, output.part) for output in bad)
            made = [output for output in bad if node.id not in idle or _cleared(node, output)]
            if made and not spread:
                shaders = () if node.id in idle else _shader_files(node)
                yield node, _error(node, made[0], counts[made[0].number], frame, shaders)

    def _reads_some(self, node: NodeInstance, before: Set[Spot]) -> bool:
        """Whether a texture that the node reads or modifies has NaN or infinity; ``before`` is for histories."""
        for use in node.uses:
            spots = before if use.reads_history else self._spots
            if use.request.verb not in (Verb.CREATE, Verb.EXTERNAL):
                for name, part in spots:
                    if name in use.resources and part.meets(use.request.part):
                        return True
        return False


def _shader_files(node: NodeInstance) -> Sequence[str]:
    """The files of a node's shaders, without those of vertices where there are others."""
    files = [shader for pipeline in node.declaration.pipelines for shader in pipeline.shaders]
    writing = [file for stage, file in files if stage is not ShaderStage.VERTEX]
    return tuple(dict.fromkeys(writing or [file for _, file in files]))


def _error(
    node: NodeInstance, output: Output, count: NDArray[np.uint32], frame: int, shaders: Sequence[str]
) -> CheckError:
    nan, infinite, first = int(count[0]), int(count[1]), int(~count[2])
    found = [f"{_texels(nan)} with NaN"] * (nan > 0) + [f"{_texels(infinite)} with infinity"] * (infinite > 0)
    index = output.resource.partition("@")[2].replace("=", " ").replace(",", ", ")
    place = "".join(f", {word}" for word in (str(output.part), index) if word)
    use = _use(node, output)
    request = use.request
    # Texels that a creator never writes keep what the memory held before.
    unwritten = "texels that it never writes, " if request.verb is Verb.CREATE and request.clear is None else ""
    inside = f"in {' and '.join(shaders)} " if shaders else ""
    return CheckError(
        f'{named(node)} writes {" and ".join(found)} to "{use.name}"{place}, in frame {frame}, '
        f"the first is {texel_in_words(output.part, output.info, first)}; the textures that it reads have none",
        hint=f"look {inside}for {unwritten}divisions by 0, roots and powers of negative numbers, and values above "
        "65504 in a half",
        where=request.source,
    )


def _texels(count: int) -> str:
    return f"{count} texel{'' if count == 1 else 's'}"


def _cleared(node: NodeInstance, output: Output) -> bool:
    return _use(node, output).request.clear is not None


def _use(node: NodeInstance, output: Output) -> Use:
    """The use that writes the output."""
    return next(
        use
        for use in node.uses
        if use.usage in WRITTEN and output.resource in use.resources and use.request.part == output.part
    )
