"""The fixed-function state of a graphics pipeline, checked and with defaults."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.errors import BackendError
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.pipeline_state import CHANNELS, CHOICES, STATE_KEYS, VERTEX_FORMATS


@dataclass(frozen=True)
class VertexAttribute:
    """A vertex shader input: location, one of ``VERTEX_FORMATS``, byte offset in the vertex."""

    location: int
    format: str
    offset: int


@dataclass(frozen=True)
class FixedState:
    """The state of a ``PipelineDesc`` with defaults, in its words; ``color_write`` has the channels written."""

    topology: str
    cull: str
    depth_test: bool
    depth_compare: str
    depth_write: bool
    depth_bias: tuple[float, float] | None
    depth_clamp: bool
    blend: str
    color_write: str
    attributes: tuple[VertexAttribute, ...]
    stride: int


def fixed_state(desc: PipelineDesc) -> FixedState:
    """The state of a description. Raises ``BackendError`` with the pipeline and the invalid key."""
    state = dict(desc.state)
    for key in state:
        if key not in STATE_KEYS:
            raise BackendError(f'pipeline "{desc.name}": unknown state "{key}"', hint=did_you_mean(key, STATE_KEYS))

    def choice(key: str) -> str:
        words = CHOICES[key]
        word = state.get(key, words[0])
        if word not in words:
            raise BackendError(f'pipeline "{desc.name}": {key} cannot be "{word}"', hint=f"one of {', '.join(words)}")
        return str(word)

    bias = state.get("depth_bias")
    return FixedState(
        topology=choice("topology"),
        cull=choice("cull"),
        depth_test=state.get("depth_test", "none") != "none" or bool(state.get("depth_write", False)),
        depth_compare=choice("depth_test"),
        depth_write=bool(state.get("depth_write", False)),
        depth_bias=(float(bias[0]), float(bias[1])) if bias else None,
        depth_clamp=bool(state.get("depth_clamp", False)),
        blend=choice("blend"),
        color_write=_channels(desc, str(state.get("color_write", CHANNELS))),
        attributes=tuple(
            VertexAttribute(location, _vertex_format(desc, name), offset)
            for location, name, offset in state.get("vertex", ())
        ),
        stride=int(state.get("vertex_stride", 0)),
    )


def _channels(desc: PipelineDesc, names: str) -> str:
    if not set(names) <= set(CHANNELS):
        raise BackendError(
            f'pipeline "{desc.name}": color_write cannot be "{names}"', hint=f"some of {', '.join(CHANNELS)}"
        )
    return names


def _vertex_format(desc: PipelineDesc, name: str) -> str:
    if name not in VERTEX_FORMATS:
        raise BackendError(
            f'pipeline "{desc.name}": unknown vertex format "{name}"', hint=did_you_mean(name, VERTEX_FORMATS)
        )
    return name
