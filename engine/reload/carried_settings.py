"""Values of settings that outlive the code that declares them."""

from __future__ import annotations

from pydantic import BaseModel

from renderwright.engine.plugins.settings import changed_settings
from renderwright.render.errors import UsageError


def carried(plugin: str, old: BaseModel | None, new: BaseModel | None) -> tuple[BaseModel | None, tuple[str, ...]]:
    """The ``new`` settings with the values of ``old`` that were not defaults; and what could not be carried over, in
    words.

    A default that has changed is used where the value was the default before. Settings that are gone are left out.
    """
    if old is None or new is None:
        return new, ()
    defaults = type(old)().model_dump()
    lost: list[str] = []
    for key, value in old.model_dump().items():
        if key not in type(new).model_fields or value == defaults.get(key):
            continue
        try:
            new = changed_settings(plugin, new, key, value)
        except UsageError as error:
            lost.append(error.message)
    return new, tuple(lost)
