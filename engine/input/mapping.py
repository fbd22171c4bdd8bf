"""Input maps: a game's actions and axes, bound to keys, buttons and gamepad axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from renderwright.engine.input.keys import BUTTONS, PAD_AXES, Key
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


class AxisBinding(BaseModel):
    """Bindings of an axis from -1 to 1. Their values are added.

    ``negative`` and ``positive`` are keys and buttons. ``axes`` are gamepad axes; values below ``deadzone`` become 0
    and the rest is rescaled. ``invert`` negates the gamepad axes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    negative: tuple[Key, ...] = ()
    positive: tuple[Key, ...] = ()
    axes: tuple[str, ...] = ()
    deadzone: float = Field(default=0.15, ge=0.0, lt=1.0)
    invert: bool = False

    @field_validator("negative", "positive")
    @classmethod
    def _known_buttons(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, BUTTONS, "key")

    @field_validator("axes")
    @classmethod
    def _known_axes(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, PAD_AXES, "gamepad axis")


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    actions: dict[str, tuple[Key, ...]] = {}
    axes: dict[str, AxisBinding] = {}

    @field_validator("actions")
    @classmethod
    def _known_buttons(cls, actions: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for names in actions.values():
            _known(names, BUTTONS, "key")
        return actions


@dataclass(frozen=True)
class InputMap:
    """Named actions (pressed by any of their keys or buttons) and named axes."""

    actions: Mapping[str, tuple[Key, ...]] = field(default_factory=dict)
    axes: Mapping[str, AxisBinding] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, name: str = "input map") -> InputMap:
        """Create a map from plain data, such as a file's content or a class attribute::

            {"actions": {"jump": ["space", "pad_a"]},
             "axes": {"move_x": {"negative": ["left", "a"], "positive": ["right", "d"], "axes": ["pad_left_x"]}}}

        Raises UsageError with the location of an unknown name, behind the ``name`` of the map.
        """
        try:
            document = _Document.model_validate(data)
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"])
            if problem["type"] == "extra_forbidden":
                fields = _Document.model_fields if len(problem["loc"]) == 1 else AxisBinding.model_fields
                key = str(problem["loc"][-1])
                raise UsageError(f"{name}: {place}: unknown key", hint=did_you_mean(key, fields)) from error
            message = problem["msg"].removeprefix("Value error, ")
            hint = "an input map has actions and axes, each by name"
            if problem["type"] == "tuple_type":
                message = f"{problem['input']!r} is no list"
                if isinstance(problem["input"], str):
                    hint = f'write ["{problem["input"]}"]'
            raise UsageError(f"{name}: {place}: {message}", hint=hint) from error
        return cls(document.actions, document.axes)

    @property
    def names(self) -> frozenset[str]:
        """All actions and axes."""
        return frozenset(self.actions) | frozenset(self.axes)


def _known(names: tuple[str, ...], known: frozenset[str], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f'unknown {what} "{name}"; {did_you_mean(name, known)}')
    return names
