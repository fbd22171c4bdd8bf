"""What readers and writers of input scripts agree on."""

from __future__ import annotations

VERSION = 1
MAX_BYTES = 1 << 24
"""Limit of a script: about half an hour in which the mouse moves in every step."""
