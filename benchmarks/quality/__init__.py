"""``renderwright bench quality``: the error of every effect against a brute-force reference."""

from benchmarks.quality.cli import command

__all__ = ["command"]
