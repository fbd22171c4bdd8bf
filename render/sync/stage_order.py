"""The pipeline stages that a barrier orders besides the ones that it names.

Source: the Vulkan specification, "Pipeline Stages": the source of a barrier also holds the execution of the logically
earlier stages, its destination that of the logically later ones. Its memory accesses are limited to the named stages.
"""

from __future__ import annotations

from functools import cache

from renderwright.render.sync.flags import Stage

_GRAPHICS = (
    Stage.DRAW_INDIRECT,
    # Vertex input is one stage in older versions of the specification: no order within it is relied on.
    Stage.INDEX_INPUT | Stage.VERTEX_ATTRIBUTE_INPUT,
    Stage.VERTEX_SHADER,
    Stage.EARLY_FRAGMENT_TESTS,
    Stage.FRAGMENT_SHADER,
    Stage.LATE_FRAGMENT_TESTS,
    Stage.COLOR_ATTACHMENT_OUTPUT,
)
_COMPUTE = (Stage.DRAW_INDIRECT, Stage.COMPUTE_SHADER)


@cache
def with_earlier(stages: int) -> int:
    """The stages, and all stages before one of them in a pipeline."""
    return _reach(stages, (_GRAPHICS, _COMPUTE))


@cache
def with_later(stages: int) -> int:
    """The stages, and all stages after one of them in a pipeline."""
    return _reach(stages, (_GRAPHICS[::-1], _COMPUTE[::-1]))


def _reach(stages: int, pipelines: tuple[tuple[Stage, ...], ...]) -> int:
    if stages & Stage.ALL_COMMANDS:
        return ~int(Stage.HOST) | stages
    found = stages
    for pipeline in pipelines:
        held = [number for number, stage in enumerate(pipeline) if stages & stage]
        for stage in pipeline[: max(held, default=0)]:
            found |= int(stage)
    return found
