"""Plugin settings: descriptions of pydantic models, and changes of single keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


@dataclass(frozen=True)
class Setting:
    """One key of a plugin's settings, described for the command line and for user interfaces.

    ``type`` is the type's name in JSON Schema. ``minimum`` and ``maximum`` are None if there is no bound. ``choices``
    is empty if any value of the type is valid.
    """

    key: str
    type: str
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] = ()
    description: str = ""

    def __str__(self) -> str:
        parts = [f"{self.key}: {self.type}"]
        if self.choices:
            parts = [f"{self.key}: {' | '.join(str(choice) for choice in self.choices)}"]
        elif self.minimum is not None and self.maximum is not None:
            parts.append(f"{self.minimum:g} to {self.maximum:g}")
        elif self.minimum is not None:
            parts.append(f"{self.minimum:g} or more")
        elif self.maximum is not None:
            parts.append(f"{self.maximum:g} or less")
        return ", ".join([*parts, f"default {_shown(self.default)}"])


def _shown(value: Any) -> str:
    """A value in command line syntax."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def describe_settings(model: type[BaseModel]) -> tuple[Setting, ...]:
    """All keys of a settings model, in the order of its fields."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return tuple(
        _setting(key, _followed(properties, definitions)) for key, properties in schema.get("properties", {}).items()
    )


def _followed(properties: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = properties.get("$ref")
    if reference is None:
        return properties
    return {**definitions[reference.rpartition("/")[2]], **properties}


def _setting(key: str, properties: Mapping[str, Any]) -> Setting:
    choices = properties.get("enum", [properties["const"]] if "const" in properties else [])
    return Setting(
        key,
        properties.get("type", "value"),
        properties.get("default"),
        properties.get("minimum", properties.get("exclusiveMinimum")),
        properties.get("maximum", properties.get("exclusiveMaximum")),
        tuple(choices),
        properties.get("description", ""),
    )


def changed_settings(plugin: str, settings: BaseModel | None, key: str, value: object) -> BaseModel:
    """A copy of the settings with one value changed.

    Text from the command line is converted to the field's type; lists and mappings use YAML syntax. Raises
    ``UsageError`` for an unknown key or an invalid value.
    """
    if settings is None:
        raise UsageError(f'plugin "{plugin}" has no settings', hint=f'remove the setting "{plugin}.{key}"')
    model = type(settings)
    known = {setting.key: setting for setting in describe_settings(model)}
    if key not in known:
        listing = "; ".join(str(setting) for setting in known.values())
        raise UsageError(
            f'plugin "{plugin}" has no setting "{key}"', hint=f"{did_you_mean(key, known)}\nits settings: {listing}"
        )
    try:
        return model.model_validate({**settings.model_dump(), key: _structured(value)})
    except ValidationError as error:
        reasons = "; ".join(_reason(problem["loc"], key, problem["msg"]) for problem in error.errors())
        raise UsageError(f"{plugin}.{key} cannot be {value!r}: {reasons}", hint=str(known[key])) from None


def _structured(value: object) -> object:
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        try:
            return yaml.safe_load(value)
        except yaml.YAMLError:
            return value
    return value


def _reason(location: tuple[int | str, ...], key: str, message: str) -> str:
    place = ".".join(str(part) for part in location)
    return message if place in ("", key) else f"{place}: {message}"
