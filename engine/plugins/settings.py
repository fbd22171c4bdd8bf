"""Plugin settings: descriptions of pydantic models, and changes of single keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from renderwright.engine.plugins.setting_text import allowed_value
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean

_SCALARS = ("number", "integer", "string", "boolean")


@dataclass(frozen=True)
class Setting:
    """One key of a plugin's settings, described for the command line and for user interfaces.

    ``type`` is the type's name in JSON Schema, followed by "or none" if it may be None. ``minimum`` and ``maximum`` are
    None if there is no bound; an exclusive bound is not a valid value itself. ``choices`` is empty if any value of the
    type is valid. ``length`` is the number of items of an array, None if it may have any; ``items`` is their type, ''
    if they have several.
    """

    key: str
    type: str
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] = ()
    description: str = ""
    exclusive_minimum: bool = False
    exclusive_maximum: bool = False
    length: int | None = None
    items: str = ""

    def __str__(self) -> str:
        parts = [f"{self.key}: {self._type_in_words()}"]
        if self.choices:
            parts = [f"{self.key}: {' | '.join(str(choice) for choice in self.choices)}"]
        parts += self._range()
        return ", ".join([*parts, f"default {command_line_value(self.default)}"])

    def _type_in_words(self) -> str:
        items = f"{self.items}s" if self.items and self.length != 1 else self.items
        length = "" if self.length is None else str(self.length)
        return " ".join((self.type, *(("of", *filter(None, (length, items))) if length or items else ())))

    def _range(self) -> list[str]:
        exclusive = self.exclusive_minimum or self.exclusive_maximum
        if self.minimum is not None and self.maximum is not None and not exclusive:
            return [f"{self.minimum:g} to {self.maximum:g}"]
        bounds = []
        if self.minimum is not None:
            bounds.append(f"above {self.minimum:g}" if self.exclusive_minimum else f"{self.minimum:g} or more")
        if self.maximum is not None:
            bounds.append(f"below {self.maximum:g}" if self.exclusive_maximum else f"{self.maximum:g} or less")
        return bounds


def command_line_value(value: Any) -> str:
    """A value in command line syntax."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)) and not any(isinstance(item, (list, tuple, dict)) for item in value):
        return ",".join(command_line_value(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


@lru_cache(maxsize=128)
def describe_settings(model: type[BaseModel]) -> tuple[Setting, ...]:
    """All keys of a settings model, in the order of its fields. Remembered: a schema takes milliseconds."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return tuple(
        _setting(key, _followed(properties, definitions)) for key, properties in schema.get("properties", {}).items()
    )


def default_of(model: type[BaseModel], key: str) -> Any:
    """The default value of a key, as a model that is made without arguments has it."""
    return model.model_fields[key].get_default(call_default_factory=True)


def changed_from_defaults(settings: BaseModel) -> dict[str, Any]:
    """The values that differ from their defaults, by key, in the order of the fields."""
    return {key: value for key, value in settings if value != default_of(type(settings), key)}


def _followed(properties: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = properties.get("$ref")
    if reference is None:
        return properties
    return {**definitions[reference.rpartition("/")[2]], **properties}


def _setting(key: str, properties: Mapping[str, Any]) -> Setting:
    variants = properties.get("anyOf", ())
    for variant in variants:
        if variant.get("type") == "array":  # such as ``tuple[float, float] | None``
            properties = {**variant, **properties, "type": "array"}
        elif variant.get("type") in _SCALARS and "enum" not in variant and _may_be_none(variants):
            properties = {**variant, **properties, "type": f"{variant['type']} or none"}
    choices = properties.get("enum", [properties["const"]] if "const" in properties else [])
    return Setting(
        key,
        properties.get("type", "value"),
        properties.get("default"),
        properties.get("minimum", properties.get("exclusiveMinimum")),
        properties.get("maximum", properties.get("exclusiveMaximum")),
        tuple(choices),
        properties.get("description", ""),
        exclusive_minimum="minimum" not in properties and "exclusiveMinimum" in properties,
        exclusive_maximum="maximum" not in properties and "exclusiveMaximum" in properties,
        length=properties.get("minItems") if properties.get("minItems") == properties.get("maxItems") else None,
        items=_type_of_items(properties),
    )


def _may_be_none(variants: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the variants are a type and None, such as those of ``float | None``."""
    return len(variants) == 2 and {"type": "null"} in variants


def _type_of_items(properties: Mapping[str, Any]) -> str:
    """The type of an array's items, '' if they have several or it is no array."""
    items = [*properties.get("prefixItems", ()), *filter(None, [properties.get("items")])]
    types = {item.get("type", "") for item in items if isinstance(item, Mapping)}
    return str(types.pop()) if len(types) == 1 else ""


def changed_settings(plugin: str, settings: BaseModel | None, key: str, value: object) -> BaseModel:
    """A copy of the settings with one value changed.

    Text from the command line is converted to the field's type; if it is invalid, to the allowed value that it names:
    ``0.25`` of a ``Literal``, a member of an ``Enum`` by value or name, ``none`` for None. The items of a list are
    separated by commas (``1,2,3``); lists and mappings in YAML syntax are valid, too. Raises ``UsageError`` for an
    unknown key or an invalid value.
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
    given, length = _structured(value, known[key]), known[key].length
    values = settings.model_dump(round_trip=True)
    try:
        return model.model_validate({**values, key: given})
    except ValidationError as error:
        if isinstance(value, str):
            with suppress(ValidationError):
                return model.model_validate({**values, key: _named(value, given, model, key)})
        if length is not None and isinstance(given, list | tuple) and len(given) != length:
            items = "item" if len(given) == 1 else "items"
            reason = f"it has {len(given)} {items}, not {length}"
            raise UsageError(f"{plugin}.{key} cannot be {value!r}: {reason}", hint=str(known[key])) from None
        reasons = "; ".join(_reason(problem["loc"], key, problem["msg"]) for problem in error.errors())
        raise UsageError(f"{plugin}.{key} cannot be {value!r}: {reasons}", hint=str(known[key])) from None


def not_loaded(plugin: str, key: str, why: str) -> UsageError:
    """The error about a setting of a plugin whose settings are not known yet; ``why`` is the plugin's state."""
    return UsageError(
        f'the setting {plugin}.{key} cannot be changed: plugin "{plugin}" is {why}',
        hint="enable the plugin first, or omit the setting",
    )


def _structured(value: object, setting: Setting) -> object:
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith(("[", "{")):
        try:
            return yaml.safe_load(value)
        except yaml.YAMLError:
            return value
    if setting.type == "array":
        return [item.strip() for item in value.split(",")] if value.strip() else []
    return value


def _named(text: str, given: object, model: type[BaseModel], key: str) -> object:
    """The allowed value that the text names as a whole, or else those that the items of a list name."""
    field = model.model_fields.get(key)
    annotation = None if field is None else field.annotation
    whole = allowed_value(text, annotation)
    return allowed_value(given, annotation) if whole is text else whole


def _reason(location: tuple[int | str, ...], key: str, message: str) -> str:
    place = ".".join(str(part) for part in location)
    message = message.removeprefix("Value error, ")
    return message if place in ("", key) else f"{place}: {message}"
