"""The JSON of a glTF file as objects with the members of the specification.

Objects are made when they are read, so a file of 100,000 elements costs no more than its JSON. Types are not checked: a
malformed value raises at its first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: Members with a default in the specification, and members that lists of elements are looked up in.
_DEFAULTS: dict[str, Any] = {
    "alphaCutoff": 0.5,
    "alphaMode": "OPAQUE",
    "byteOffset": 0,
    "doubleSided": False,
    "interpolation": "LINEAR",
    "normalized": False,
    "texCoord": 0,
    "wrapS": 10497,
    "wrapT": 10497,
}

ELEMENTS = (
    "accessors",
    "animations",
    "buffers",
    "bufferViews",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
)
"""The lists of elements of a file."""


class GltfObject:
    """A JSON object. Missing members have the default of glTF 2.0, or None. A ``name`` is a text.

    ``extensions`` and ``extras`` stay plain dictionaries.
    """

    def __init__(self, members: dict[str, Any]) -> None:
        self._members = members

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._members.get(name, _DEFAULTS.get(name))
        if name == "name":
            value = None if value is None else str(value)
        elif name not in ("extensions", "extras"):
            value = _object(value)
        setattr(self, name, value)  # found without this method from now on
        return value

    def names(self) -> Iterator[str]:
        """The names of the members that the file has."""
        return iter(self._members)


class GltfDocument(GltfObject):
    """A whole file. Missing lists of elements are empty."""

    @classmethod
    def of(cls, members: dict[str, Any]) -> GltfDocument:
        """The document with these members. Raises TypeError."""
        for kind in ELEMENTS:
            elements = members.setdefault(kind, [])
            if not isinstance(elements, list) or not all(isinstance(element, dict) for element in elements):
                raise TypeError(f"{kind} is no list of objects")
        return cls(members)

    def extensions_in_use(self) -> Iterator[tuple[str, int | None, str]]:
        """Each use of an extension: list of elements, index in it and name; the list "" is the file itself.

        Extensions of objects inside an element belong to the element.
        """
        for kind, value in self._members.items():
            if kind in ELEMENTS:
                for index, element in enumerate(value):
                    yield from ((kind, index, name) for name in _extension_names(element))
            elif kind == "extensions":
                yield from (("", None, name) for name in value)


def _object(value: Any) -> Any:
    if isinstance(value, dict):
        return GltfObject(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_object(each) for each in value]
    return value


def _extension_names(element: dict[str, Any]) -> dict[str, None]:
    """The names of the extensions of an element and of the objects in it."""
    found: dict[str, None] = {}
    waiting: list[Any] = [element]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += [inner for inner in value if isinstance(inner, dict | list)]
            continue
        for name, inner in value.items():
            if name == "extensions" and isinstance(inner, dict):
                found.update(dict.fromkeys(map(str, inner)))
                waiting += [each for each in inner.values() if isinstance(each, dict)]
            elif name != "extras" and isinstance(inner, dict | list):
                waiting.append(inner)
    return found
