"""``renderwright bench quality``: how near every effect is to a reference that is made by brute force."""

from benchmarks.quality.cli import command

__all__ = ["command"]
