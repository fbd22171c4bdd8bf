"""What a driver or a validation layer has against a call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ValidationMessage:
    """One message: ``severity`` is ``error`` or ``warning``, ``id`` the name of the rule."""

    severity: str
    id: str
    text: str
