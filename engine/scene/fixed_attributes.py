"""Objects whose attributes are fixed: an unknown one is refused at the game's line, instead of having no effect."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import ClassVar

from renderwright.engine.caller import caller_location
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


class UnknownAttributeError(UsageError, AttributeError):
    """An object has no such attribute."""

    @classmethod
    def of(cls, kind: type[FixedAttributes], name: str) -> UnknownAttributeError:
        """The error for an attribute of a class that lacks it."""
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        return cls(
            f'{article} {kind.__name__} has no attribute "{name}"',
            hint=kind.elsewhere.get(name) or did_you_mean(name, _assignable(kind)),
            where=caller_location(),
        )


class FixedAttributes:
    """Base of scene objects that have slots: the assignment of an unknown attribute raises ``UnknownAttributeError``.

    A subclass without slots, such as a game's own, may have any attributes.
    """

    __slots__ = ("__weakref__",)

    #: By a name that the class lacks, the hint that says where a game finds it instead.
    elsewhere: ClassVar[Mapping[str, str]] = {}

    def __setattr__(self, name: str, value: object) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            if hasattr(type(self), name):  # an error of a property's own
                raise
            raise UnknownAttributeError.of(type(self), name) from None


def _assignable(kind: type) -> Iterator[str]:
    """The public names that a game may assign."""
    if dataclasses.is_dataclass(kind):
        yield from (field.name for field in dataclasses.fields(kind) if field.init)
    else:
        yield from (name for name in getattr(kind, "__slots__", ()) if not name.startswith("_"))
    yield from (name for name, part in vars(kind).items() if isinstance(part, property) and part.fset is not None)
